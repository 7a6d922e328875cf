extension Value {
    /// The V4 JSON text of this value, strings quoted and escaped.
    ///
    /// [OData-JSON, section 7]
    public var jsonText: [UInt8] {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return bytes
    }

    /// Reads the V4 JSON text of a value of `type`; nil if it is none.
    ///
    /// Int64 and Decimal may be numbers or strings. Members of complex values that the type does not have are
    /// passed over.
    public init?(jsonText: ArraySlice<UInt8>, type: TypeReference, model: Model) {
        guard let node = try? JSONParser.parse(jsonText),
            let value = try? ValueDecoder(model: model, source: jsonText).value(node, type: type, name: "The value")
        else { return nil }
        self = value
    }

    /// Appends ``jsonText``.
    ///
    /// - Parameter ieee754Compatible: Whether Decimal becomes a string. Int64 cannot be told from the other integer
    ///   types without its type: see ``appendJSON(to:type:model:ieee754Compatible:)``.
    package func appendJSON(to bytes: inout [UInt8], ieee754Compatible: Bool = false) {
        switch self {
        case .null, .boolean, .integer: bytes.append(contentsOf: lexical.utf8)
        case .double(let value):
            if value.isFinite {
                bytes.append(contentsOf: lexical.utf8)
            } else {
                JSONText.append(quoted: lexical, to: &bytes)
            }
        case .decimal:
            if ieee754Compatible {
                JSONText.append(quoted: lexical, to: &bytes)
            } else {
                bytes.append(contentsOf: lexical.utf8)
            }
        case .geo(let text): bytes.append(contentsOf: text.utf8)
        case .complex(let value):
            Self.append(list: value.members, in: "{}", to: &bytes) { member, bytes in
                JSONText.append(quoted: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.appendJSON(to: &bytes, ieee754Compatible: ieee754Compatible)
            }
        case .collection(let values):
            Self.append(list: values, in: "[]", to: &bytes) { value, bytes in
                value.appendJSON(to: &bytes, ieee754Compatible: ieee754Compatible)
            }
        case .string, .binary, .guid, .date, .dateTimeOffset, .timeOfDay, .duration, .enumeration:
            JSONText.append(quoted: lexical, to: &bytes)
        }
    }

    /// Appends the JSON text of this value, which is of `type`; Int64 and Decimal become strings where
    /// `ieee754Compatible` says so, inside complex values and collections too.
    package func appendJSON(
        to bytes: inout [UInt8], type: TypeReference, model: Model, ieee754Compatible: Bool
    ) {
        switch (self, type) {
        case (.integer(let value), .primitive(.int64)) where ieee754Compatible:
            JSONText.append(quoted: "\(value)", to: &bytes)
        case (.collection(let values), .collection(let element)):
            Self.append(list: values, in: "[]", to: &bytes) { value, bytes in
                value.appendJSON(to: &bytes, type: element, model: model, ieee754Compatible: ieee754Compatible)
            }
        case (.complex(let value), .complex(let name)):
            let declared = model.structuredType(named: name)
            Self.append(list: value.members, in: "{}", to: &bytes) { member, bytes in
                JSONText.append(quoted: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                let type = declared?.property(named: member.name)?.type ?? .string
                member.value.appendJSON(to: &bytes, type: type, model: model, ieee754Compatible: ieee754Compatible)
            }
        default: appendJSON(to: &bytes, ieee754Compatible: ieee754Compatible)
        }
    }

    private static func append<Element>(
        list: [Element], in brackets: String, to bytes: inout [UInt8], element: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: brackets.utf8.prefix(1))
        for (position, item) in list.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            element(item, &bytes)
        }
        bytes.append(contentsOf: brackets.utf8.suffix(1))
    }
}
