extension RowBlock {
    /// The instance annotations of a row.
    package func annotations(of header: RowHeader) -> [(term: String, value: Bool)] {
        guard header.annotations != 0 else { return [] }
        return annotationTerms.enumerated().compactMap { index, term in
            let bits = header.annotations >> UInt32(2 * index)
            return bits & 1 == 0 ? nil : (term, bits & 2 != 0)
        }
    }

    /// The value of slot `slot` of row `row`; nil if the payload did not have it.
    public func value(row: Int, slot: Int, shape: RowShape) -> EdmValue? {
        value(of: slots[Int(rows[row].firstSlot) + slot], type: shape.properties[slot].type, model: shape.model)
    }

    package func value(of slot: RowSlot, type: EdmTypeReference, model: EdmModel) -> EdmValue? {
        switch slot.kind {
        case .absent: nil
        case .null: .null
        case .boolean: .boolean(slot.bits != 0)
        case .integer: .integer(slot.bits)
        case .double: .double(slot.doubleValue)
        case .bytes: .binary(Array(buffer[slot.span.range]))
        case .text: EdmValue(lexical: String(decoding: buffer[slot.span.range], as: UTF8.self), type: type)
        case .json: EdmValue(jsonText: buffer[slot.span.range], type: type, model: model)
        }
    }

    /// The key of row `row`; nil if the shape has not all key properties or one is absent.
    public func key(row: Int, shape: RowShape) -> EntityKey? { key(row: rows[row], shape: shape) }

    /// The key of the row with this header.
    package func key(row header: RowHeader, shape: RowShape) -> EntityKey? {
        guard let keySlots = shape.keySlots else { return nil }
        var components: [EdmComplexValue.Member] = []
        for (part, slot) in keySlots.enumerated() {
            let stored = slots[Int(header.firstSlot) + slot]
            guard var value = value(of: stored, type: shape.properties[slot].type, model: shape.model) else {
                return nil
            }
            let path = shape.type.keyPaths[part]
            if path.count > 1 {
                guard case .complex(let members) = value, let nested = members.value(at: path.dropFirst()) else {
                    return nil
                }
                value = nested
            }
            guard !value.isNull else { return nil }
            components.append(.init(name: shape.type.key[part], value: value))
        }
        return EntityKey(components)
    }

    /// Appends `text` to the buffer.
    public mutating func append(text: some StringProtocol) -> RowSpan {
        append(bytes: Array(text.utf8))
    }

    /// Appends `bytes` to the buffer.
    public mutating func append(bytes: some Collection<UInt8>) -> RowSpan {
        let span = RowSpan(offset: UInt32(buffer.count), length: UInt32(bytes.count))
        buffer.append(contentsOf: bytes)
        return span
    }

    /// Appends `value`, which is of `type`, as a slot.
    public mutating func append(_ value: EdmValue?, type: EdmTypeReference, model: EdmModel) {
        switch value {
        case .complex, .collection:
            slots.append(.span(.json, append(bytes: value?.jsonText(type: type, model: model) ?? [])))
        case .some(let value) where type == .primitive(.untyped) || type == .primitive(.primitiveType):
            slots.append(value.isNull ? .null : .span(.json, append(bytes: value.jsonText)))
        default: append(value)
        }
    }

    /// Appends `value` as a slot.
    public mutating func append(_ value: EdmValue?) {
        let slot: RowSlot =
            switch value {
            case nil: .absent
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .double(let value): .double(value)
            case .binary(let bytes): .span(.bytes, append(bytes: bytes))
            case .complex, .collection, .geo: .span(.json, append(bytes: value?.jsonText ?? []))
            case .some(let value): .span(.text, append(text: value.lexical))
            }
        slots.append(slot)
    }
}

extension EdmValue {
    /// The lexical form of a primitive value in JSON, without quotes: `2024-01-02`, `1.50`, `Red`.
    public var lexical: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .double(let value): EdmValue.lexical(value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .binary(let bytes): EdmValue.base64URL(bytes)
        case .guid(let value): value.description
        case .date(let value): value.description
        case .dateTimeOffset(let value): value.description
        case .timeOfDay(let value): value.description
        case .duration(let value): value.description
        case .enumeration(_, let text): text
        case .geo(let text): text
        case .complex, .collection: String(decoding: jsonText, as: UTF8.self)
        }
    }

    /// Reads the lexical form of a primitive or enumeration type; nil if `text` is not one. There are no leap seconds in the
    /// values of a property. [OData-CSDLXML, section 3.3]
    public init?(lexical text: String, type: EdmTypeReference) {
        switch type {
        case .enumeration(let name): self = .enumeration(name, text)
        case .primitive(let primitive):
            guard let value = EdmValue(lexical: text, primitive: primitive) else { return nil }
            self = value
        case .complex, .entity, .collection: return nil
        }
    }

    private init?(lexical text: String, primitive: EdmPrimitiveType) {
        let value: EdmValue? =
            switch primitive {
            case .string: .string(text)
            case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
            case .byte, .sByte, .int16, .int32, .int64:
                Int64(text).flatMap { primitive.integerRange?.contains($0) == true ? .integer($0) : nil }
            case .double, .single: Double(lexical: text, of: primitive).map(EdmValue.double)
            case .decimal: EdmDecimal(text).map(EdmValue.decimal)
            case .guid: EdmGuid(text).map(EdmValue.guid)
            case .date: EdmDate(text).map(EdmValue.date)
            case .dateTimeOffset where !EdmTimeOfDay.isLeapSecond(in: text):
                EdmDateTimeOffset(text).map(EdmValue.dateTimeOffset)
            case .timeOfDay where !EdmTimeOfDay.isLeapSecond(in: text): EdmTimeOfDay(text).map(EdmValue.timeOfDay)
            case .dateTimeOffset, .timeOfDay: nil
            case .duration: EdmDuration(text).map(EdmValue.duration)
            case .binary: EdmValue.bytes(base64: text).map(EdmValue.binary)
            case .stream: nil
            default: .geo(text)
            }
        guard let value else { return nil }
        self = value
    }

    /// `1.5`, `INF`, `-INF`, `NaN`
    static func lexical(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-INF" : "INF" }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53, whole != 0 || value.sign == .plus {
            return "\(whole)"
        }
        return "\(value)"
    }
}

extension EdmProperty {
    /// What the property of a new entity is that is not given: an empty collection, or the default that the model
    /// declares; nil if there is none, or none of the property's type.
    ///
    /// [OData-Protocol, section 11.4.2]
    package var declaredDefault: EdmValue? {
        type.isCollection ? .collection([]) : defaultValue.flatMap { EdmValue(lexical: $0, type: type) }
    }
}
