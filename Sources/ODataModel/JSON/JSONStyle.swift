/// How values are written as JSON.
///
/// [OData-JSON, sections 3 and 4.5.3]
package struct JSONStyle: Hashable, Sendable {
    /// Which types are written as control information.
    package enum Types: Sendable {
        case none
        /// Derived types, and those of dynamic properties that JSON does not show.
        case needed
        /// All that JSON does not show.
        case all
    }

    /// Whether Int64 and Decimal are strings.
    package var ieee754Compatible = false
    /// Whether decimals far from one are written as `1E+100`.
    package var exponentialDecimals = false
    package var types = Types.needed
    /// `@type` and `Date` as 4.01 writes them, instead of `@odata.type` and `#Date`.
    package var isShort = false

    package init() {}

    /// `@odata.count`, or `@count`.
    package func control(_ name: String) -> String { isShort ? "@\(name)" : "@odata.\(name)" }

    /// `#Date`, `#Collection(Int32)`, `#Shop.Color`; nil for types that JSON shows by itself.
    package func typeName(_ type: EdmTypeReference) -> String? {
        switch type {
        case .primitive(.string), .primitive(.boolean), .primitive(.double), .primitive(.untyped),
            .primitive(.primitiveType):
            nil
        case .primitive(let primitive): isShort ? primitive.rawValue : "#\(primitive.rawValue)"
        case .collection(.primitive(let primitive)):
            isShort ? "Collection(\(primitive.rawValue))" : "#Collection(\(primitive.rawValue))"
        default: "#\(type)"
        }
    }
}

extension EdmTypeReference {
    /// Reads the value of type control information: `#Date`, `Edm.Date`, `#Collection(Shop.Address)`,
    /// `http://h/$metadata#Shop.Color`; nil where `model` does not know the name.
    package init?(annotation text: some StringProtocol, model: EdmModel) {
        let name = text.lastIndex(of: "#").map { text[text.index(after: $0)...] } ?? text[...]
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            let element = name.dropFirst("Collection(".count).dropLast()
            guard !element.hasPrefix("Collection("), let type = EdmTypeReference(annotation: element, model: model)
            else { return nil }
            self = .collection(type)
            return
        }
        let primitive = name.hasPrefix("Edm.") ? name.dropFirst("Edm.".count) : name[...]
        let qualified = EdmQualifiedName(String(name))
        if !primitive.contains("."), let type = EdmPrimitiveType(rawValue: String(primitive)) {
            self = .primitive(type)
        } else if let type = model.structuredType(named: qualified) {
            self = type.reference
        } else if let type = model.enumType(named: qualified) {
            self = .enumeration(type.name)
        } else {
            return nil
        }
    }
}
