import ODataModel
import ODataQuery

/// Paths to entities as V2 and V3 write them.
///
/// [OData V2 URI Conventions, sections 3 and 6]
package enum V2Path {
    /// `Products(1)`, `Codes(guid'01234567-89ab-cdef-0123-456789abcdef')`, `Order_Details(OrderID=1L,ProductID=2L)`,
    /// percent-encoded and relative to the service root.
    package static func entity(set: String, key: EntityKey, type: StructuredType) -> String {
        let texts = key.components.map { component in
            let property = type.property(named: component.name)
            let name = V2TypeName.name(
                of: property?.type ?? .string, annotations: property?.annotations ?? [])
            return (component.name, encoded(literal(component.value, typeName: name)))
        }
        if texts.count == 1 { return "\(encoded(set))(\(texts[0].1))" }
        return "\(encoded(set))(\(texts.map { "\(encoded($0.0))=\($0.1)" }.joined(separator: ",")))"
    }

    /// `'O''Neil'`, `5L`, `1.50M`, `datetime'2012-05-29T09:13:28'`, `guid'…'`; not percent-encoded.
    ///
    /// - Parameter typeName: The V2 name of the type, such as `Edm.DateTime`.
    package static func literal(_ value: Value, typeName: String) -> String {
        switch (value, typeName) {
        case (.string(let text), _): "'\(text.replacing("'", with: "''"))'"
        case (.integer(let number), "Edm.Int64"): "\(number)L"
        case (.decimal(let number), _): "\(number)M"
        case (.double, "Edm.Single"): "\(value.lexical)f"
        case (.double(let number), _): number.isFinite ? "\(value.lexical)d" : value.lexical
        case (.guid(let guid), _): "guid'\(guid)'"
        case (.dateTimeOffset, "Edm.DateTimeOffset"), (.timeOfDay, _), (.duration, _), (.dateTimeOffset, _), (.date, _):
            "\(prefix(typeName))'\(V2Lexical.text(value, typeName: typeName))'"
        case (.binary(let bytes), _): "X'\(hexadecimal(bytes))'"
        case (.enumeration(_, let text), _): "'\(text.replacing("'", with: "''"))'"
        default: value.lexical
        }
    }

    private static func prefix(_ typeName: String) -> String {
        switch typeName {
        case "Edm.DateTimeOffset": "datetimeoffset"
        case "Edm.Time": "time"
        default: "datetime"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x27: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension RowBlock {
    /// The path of an entity relative to the service root: from its key, or else its id.
    func path(of header: RowHeader, shape: RowShape, options: V2WriterOptions) -> String? {
        let set = shape.entitySet
        if let set, set.kind == .entitySet, let key = key(row: header, shape: shape) {
            return V2Path.entity(set: set.name, key: key, type: shape.type)
        }
        guard let id = text(header.id) else { return nil }
        return id.hasPrefix(options.serviceRoot) ? String(id.dropFirst(options.serviceRoot.count)) : id
    }
}
