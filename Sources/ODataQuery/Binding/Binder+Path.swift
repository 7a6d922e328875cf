import ODataModel

/// Resource paths.
///
/// [OData-URL, section 4]
extension Binder {
    func path(
        _ segments: [SegmentSyntax], contentIDs: [String: EntitySet]
    ) throws(QueryError) -> ResourcePath {
        guard let first = segments.first else {
            throw error(.syntax, "The path is empty.", at: 0, expected: "an entity set")
        }
        var walk = try PathWalk(binder: self, root: root(first, contentIDs: contentIDs))
        for key in first.parentheses { try walk.key(key) }
        for segment in segments.dropFirst() { try walk.segment(segment) }
        return walk.path
    }

    private func root(
        _ segment: SegmentSyntax, contentIDs: [String: EntitySet]
    ) throws(QueryError) -> ResourcePath.Root {
        let name = segment.name
        if let set = model.entitySet(named: name.text) { return .entitySet(set) }
        guard name.text.hasPrefix("$") else {
            if name.isQualified || segment.isCall { throw notImplemented("The resource \(name.text)", at: name.offset) }
            throw unknown("entity set \(name.text)", name, among: model.entitySets.map(\.name))
        }
        let id = String(name.text.dropFirst())
        if let set = contentIDs[id] { return .contentID(id, set) }
        if id.utf8.first.map({ isDigit($0) }) ?? false {
            throw unknown("request with the content id \(id)", name, among: [])
        }
        throw notImplemented("The resource \(name.text)", at: name.offset)
    }

    // MARK: Keys

    /// The key of an entity of `type`.
    func key(
        _ syntax: ParenthesesSyntax, of type: StructuredType
    ) throws(QueryError) -> EntityKey {
        let offset = syntax.offset
        let properties = type.keyProperties
        guard !properties.isEmpty else { throw error(.typeMismatch, "\(type.name) has no key.", at: offset) }
        let names = properties.map { $0.name + "=…" }.joined(separator: ",")
        switch syntax.content {
        case .empty: throw error(.syntax, "The key is empty.", at: offset, expected: "(\(names))")
        case .single(let literal):
            guard properties.count == 1, let property = properties.first else {
                throw error(
                    .typeMismatch, "The key of \(type.name) has \(properties.count) parts.", at: literal.offset,
                    expected: "(\(names))")
            }
            return EntityKey(property.name, try keyValue(literal, of: property))
        case .named(let pairs):
            var components: [ComplexValue.Member] = []
            for property in properties {
                guard let pair = pairs.first(where: { $0.name.text == property.name }) else { continue }
                components.append(.init(name: property.name, value: try keyValue(pair.value, of: property)))
            }
            try checkNames(pairs.map(\.name), of: type)
            guard components.count == properties.count else {
                throw error(
                    .typeMismatch, "The key of \(type.name) is not complete.", at: offset, expected: "(\(names))")
            }
            return EntityKey(components)
        }
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

    private func keyValue(_ literal: ExpressionSyntax, of property: Property) throws(QueryError) -> Value {
        guard case .literal(let written) = literal.kind else {
            throw notImplemented("A parameter alias in a key", at: literal.offset)
        }
        let value = try checkedEnumeration(written, at: literal.offset)
        guard !value.isNull, let converted = coerced(value, to: property.type) else {
            throw error(
                .typeMismatch, "The key property \(property.name) has another type.", at: literal.offset,
                expected: "a value of \(property.type)")
        }
        return converted
    }
}

extension SegmentSyntax {
    /// Whether this is the call of a function: `Top()`
    var isCall: Bool {
        parentheses.first?.content == .empty
    }
}
