import ODataModel

/// Key predicates.
///
/// [OData-URL, section 4.3]
extension Binder {
    func key(_ syntax: ParenthesesSyntax, of type: StructuredType) throws(QueryError) -> EntityKey {
        let properties = type.keyProperties
        guard !properties.isEmpty else {
            throw error(.typeMismatch, "\(type.name) has no key.", at: syntax.offset)
        }
        let names = properties.map { $0.name + "=…" }.joined(separator: ",")
        switch syntax.content {
        case .empty: throw error(.syntax, "The key is empty.", at: syntax.offset, expected: "(\(names))")
        case .single(let value):
            guard properties.count == 1, let property = properties.first else {
                throw error(
                    .typeMismatch, "The key of \(type.name) has \(properties.count) parts.", at: value.offset,
                    expected: "(\(names))")
            }
            return EntityKey(property.name, try keyValue(constant(value), of: property))
        case .named(let pairs): return try key(pairs, properties, of: type, at: syntax.offset, names: names)
        }
    }

    private func key(
        _ pairs: [ArgumentSyntax], _ properties: [Property], of type: StructuredType, at offset: Int, names: String
    ) throws(QueryError) -> EntityKey {
        var components: [ComplexValue.Member] = []
        for property in properties {
            guard let pair = pairs.first(where: { $0.name.text == property.name }) else { continue }
            components.append(.init(name: property.name, value: try keyValue(constant(pair.value), of: property)))
        }
        try checkNames(pairs.map(\.name), of: type)
        guard components.count == properties.count else {
            throw error(.typeMismatch, "The key of \(type.name) is not complete.", at: offset, expected: "(\(names))")
        }
        return EntityKey(components)
    }

    private func checkNames(_ names: [NameSyntax], of type: StructuredType) throws(QueryError) {
        for (index, name) in names.enumerated() {
            guard type.key.contains(name.text) else {
                throw unknown("key property \(name.text) in \(type.name)", name, among: type.key)
            }
            if names[..<index].contains(where: { $0.text == name.text }) {
                throw error(.syntax, "The key property \(name.text) is given twice.", at: name.offset)
            }
        }
    }

    private func keyValue(_ literal: LiteralSyntax, of property: Property) throws(QueryError) -> Value {
        let value = try checkedEnumeration(literal.value, at: literal.offset)
        guard !value.isNull, let converted = coerced(value, to: property.type) else {
            throw error(
                .typeMismatch, "The key property \(property.name) has another type.", at: literal.offset,
                expected: "a value of \(property.type)")
        }
        return converted
    }

    /// A key as path segments, one for each part: `Products/1`, `Items/10248/3`
    ///
    /// [OData-URL, section 4.3.3]
    func key(
        segments: ArraySlice<SegmentSyntax>, of type: StructuredType
    ) throws(QueryError) -> EntityKey {
        var components: [ComplexValue.Member] = []
        for (property, segment) in zip(type.keyProperties, segments) {
            guard let value = Value(lexical: segment.name.text, type: property.type) else {
                throw error(
                    .typeMismatch, "The key property \(property.name) has another type.", at: segment.name.offset,
                    expected: "a value of \(property.type)")
            }
            components.append(.init(name: property.name, value: value))
        }
        return EntityKey(components)
    }
}
