/// Writes values as V4 JSON.
///
/// [OData-JSON, sections 7 and 9 to 12]
package struct JSONValueWriter {
    package let style: JSONStyle
    package let model: EdmModel?

    package init(style: JSONStyle = JSONStyle(), model: EdmModel? = nil) {
        self.style = style
        self.model = model
    }

    /// - Parameter type: The declared type; nil where there is none.
    package func append(_ value: EdmValue, type: EdmTypeReference?, to bytes: inout [UInt8]) {
        switch value {
        case .null, .boolean: bytes.append(contentsOf: value.lexical.utf8)
        case .integer(let number):
            let isLong = type == .int64 || (type == nil && number.magnitude > 1 << 53)
            append(number: "\(number)", isQuoted: style.ieee754Compatible && isLong, to: &bytes)
        case .double(let number): append(number: value.lexical, isQuoted: !number.isFinite, to: &bytes)
        case .decimal(let number):
            let text = style.exponentialDecimals ? number.shortDescription : number.description
            append(number: text, isQuoted: style.ieee754Compatible, to: &bytes)
        case .geo(let text): bytes.append(contentsOf: text.utf8)
        case .complex(let value): append(value, type: type, to: &bytes)
        case .collection(let values):
            let element: EdmTypeReference? = if case .collection(let element) = type { element } else { nil }
            bytes.append(UInt8(ascii: "["))
            for (position, item) in values.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(item, type: element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .binary(let content): JSONText.append(quoted: EdmValue.base64URL(content, isPadded: true), to: &bytes)
        case .string, .guid, .date, .dateTimeOffset, .timeOfDay, .duration, .enumeration:
            JSONText.append(quoted: value.lexical, to: &bytes)
        }
    }

    private func append(number: String, isQuoted: Bool, to bytes: inout [UInt8]) {
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
        bytes.append(contentsOf: number.utf8)
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    }

    /// `{"@odata.type":"#Shop.Home","City":"Köln","Since@odata.type":"#Date","Since":"2024-01-01"}`
    private func append(_ value: EdmComplexValue, type: EdmTypeReference?, to bytes: inout [UInt8]) {
        let declared: EdmQualifiedName? =
            switch type {
            case .complex(let name), .entity(let name): name
            default: nil
            }
        bytes.append(UInt8(ascii: "{"))
        let start = bytes.count
        if let name = typeToTell(of: value, declared: declared) {
            appendMember(style.control("type"), "#\(name)", to: &bytes)
        }
        let actual = (value.type ?? declared).flatMap { model?.structuredType(named: $0) }
        for member in value.members {
            append(member, property: actual?.property(named: member.name), knowsType: actual != nil, to: &bytes)
        }
        if bytes.count > start { bytes.removeLast() }
        bytes.append(UInt8(ascii: "}"))
    }

    private func typeToTell(of value: EdmComplexValue, declared: EdmQualifiedName?) -> EdmQualifiedName? {
        switch style.types {
        case .none: nil
        case .needed: value.type == declared ? nil : value.type
        case .all: value.type ?? declared
        }
    }

    /// Writes a member and the comma behind it.
    package func append(
        _ member: EdmComplexValue.Member, property: EdmProperty?, knowsType: Bool = true, to bytes: inout [UInt8]
    ) {
        let declared = property?.type == .primitive(.untyped) ? nil : property?.type
        let type: String? =
            switch style.types {
            case .none: nil
            case .needed: declared == nil && knowsType ? dynamicType(of: member.value) : nil
            case .all: declared.map(style.typeName) ?? dynamicType(of: member.value)
            }
        if let type { appendMember(member.name + style.control("type"), type, to: &bytes) }
        JSONText.append(quoted: member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.value, type: declared, to: &bytes)
        bytes.append(UInt8(ascii: ","))
    }

    private func appendMember(_ name: String, _ text: String, to bytes: inout [UInt8]) {
        JSONText.append(quoted: name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(quoted: text, to: &bytes)
        bytes.append(UInt8(ascii: ","))
    }

    /// The type that must be written where it is not declared: see the heuristics of [OData-JSON, section 4.5.3].
    private func dynamicType(of value: EdmValue) -> String? {
        switch value {
        case .collection(let values):
            guard let element = values.first(where: { !$0.isNull })?.naturalType else { return nil }
            return style.typeName(element) == nil ? nil : style.typeName(.collection(element))
        default: return value.naturalType.flatMap(style.typeName)
        }
    }
}

extension EdmValue {
    /// The type of a value that stands for itself; nil where JSON shows it, or for complex values, which report theirs.
    fileprivate var naturalType: EdmTypeReference? {
        switch self {
        case .null, .boolean, .string, .complex, .collection: nil
        case .integer(let value): value.magnitude > 1 << 53 ? .int64 : nil
        // The control information is needed for "INF"; `Single` distinguishes it from values that need none.
        case .double(let value): value.isFinite ? nil : .primitive(.single)
        case .decimal: .decimal
        case .binary: .primitive(.binary)
        case .guid: .primitive(.guid)
        case .date: .primitive(.date)
        case .dateTimeOffset: .primitive(.dateTimeOffset)
        case .timeOfDay: .primitive(.timeOfDay)
        case .duration: .primitive(.duration)
        case .enumeration(let name, _): .enumeration(name)
        case .geo(let text): GeoJSON.type(of: text).map(EdmTypeReference.primitive)
        }
    }
}

extension EdmComplexValue {
    /// Dynamic properties as one JSON object. No declaration reports their types, so that the object does:
    /// `{"Since@odata.type":"#Date","Since":"2024-01-01"}`
    package var dynamicJSONText: String {
        guard !isEmpty else { return "{}" }
        var text = [UInt8(ascii: "{")]
        for member in members { JSONValueWriter().append(member, property: nil, to: &text) }
        // A comma is behind each member.
        text[text.count - 1] = UInt8(ascii: "}")
        return String(decoding: text, as: UTF8.self)
    }
}
