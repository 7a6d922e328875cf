import ODataMetadata
import ODataModel
import ODataQuery

extension ByteCursor {
    /// What the next value is, for messages: `an object`.
    var kindOfNext: String {
        var cursor = self
        return Self.kind((try? cursor.next()) ?? 0)
    }

    /// What a value is that starts with `byte`.
    static func kind(_ byte: UInt8?) -> String {
        switch byte {
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }

    /// The entity whose object starts at `start`, as a path: `Products(1)`. Its key is looked for in all of the object
    /// that is here, for a value that is odd may come before it. Without it the id is what names the entity; nil if
    /// neither is there.
    func entity(at start: Int, shape: RowShape) -> String? {
        var values: [String: String] = [:]
        var cursor = ByteCursor(bytes, at: start)
        // What is broken or not here yet ends the search, not the message.
        try? cursor.eachMember(depth: 2) { (name, _, cursor) throws(JSONFault) in
            _ = try cursor.next()
            let first = cursor.position
            try cursor.skipValue(depth: PayloadLimits.default.depth)
            values[name] = cursor.text(first..<cursor.position)
        }
        func value(_ name: String) -> EdmValue? {
            guard let text = values[name], let type = shape.type.property(named: name)?.type else { return nil }
            if case .complex = type { return EdmValue(jsonText: Array(text.utf8)[...], type: type, model: shape.model) }
            let node = try? JSONParser.parse(Array(text.utf8)[...])
            let plain = node?.string ?? text
            return type == .string ? .string(plain) : EdmValue(lexical: plain, type: type)
        }
        var key = EdmComplexValue()
        for property in shape.type.keyHolders { key[property.name] = value(property.name) }
        if let key = EntityKey(of: shape.type, in: key) { return shape.path(of: key) }
        let id = values["@odata.id"] ?? values["@id"]
        return id.flatMap { try? JSONParser.parse(Array($0.utf8)[...]) }?.string
    }
}

extension RowShape {
    /// `Products(1)`; of entities without a set `Product(1)`.
    func path(of key: EntityKey) -> String { "\(entitySet?.name ?? type.name.name)\(key.urlText)" }
}
