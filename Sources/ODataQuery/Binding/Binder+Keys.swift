import ODataModel

/// Key predicates.
///
/// [OData-URL, section 4.3]
extension Binder {
    /// - Parameter navigation: what leads to the entities, if the key of the entity before it is known.
    func key(
        _ syntax: ParenthesesSyntax, of type: EdmStructuredType, along navigation: KeyedNavigation?
    ) throws(QueryError) -> EntityKey {
        let properties = type.keyProperties
        guard !properties.isEmpty else {
            throw error(.typeMismatch, "\(type.name) has no key.", at: syntax.offset)
        }
        let names = properties.map { $0.name + "=…" }.joined(separator: ",")
        var parts = keyParts(of: type, along: navigation)
        switch syntax.content {
        case .empty: throw error(.syntax, "The key is empty.", at: syntax.offset, expected: "(\(names))")
        case .single(let value):
            let open = properties.count == 1 ? properties : properties.filter { parts[$0.name] == nil }
            guard open.count == 1, let property = open.first else {
                throw error(
                    .typeMismatch, "The key of \(type.name) has \(properties.count) parts.", at: value.offset,
                    expected: "(\(names))")
            }
            parts[property.name] = try keyValue(constant(value), of: property)
        case .named(let pairs):
            for property in properties {
                guard let pair = pairs.first(where: { $0.name.text == property.name }) else { continue }
                parts[property.name] = try keyValue(constant(pair.value), of: property)
            }
            try checkNames(pairs.map(\.name), of: type)
        }
        guard let key = EntityKey(of: type, parts: parts) else {
            throw error(
                .typeMismatch, "The key of \(type.name) is not complete.", at: syntax.offset, expected: "(\(names))")
        }
        return key
    }

    private func checkNames(_ names: [NameSyntax], of type: EdmStructuredType) throws(QueryError) {
        for (index, name) in names.enumerated() {
            guard type.key.contains(name.text) else {
                throw unknown("key property \(name.text) in \(type.name)", name, among: type.key)
            }
            if names[..<index].contains(where: { $0.text == name.text }) {
                throw error(.syntax, "The key property \(name.text) is given twice.", at: name.offset)
            }
        }
    }

    private func keyValue(_ literal: LiteralSyntax, of property: EdmProperty) throws(QueryError) -> EdmValue {
        let value = try checkedEnumeration(literal.value, at: literal.offset)
        guard !value.isNull, let converted = coerced(value, to: property.type) else {
            throw error(
                .typeMismatch, "The key property \(property.name) has another type.", at: literal.offset,
                expected: "a value of \(property.type)")
        }
        return converted
    }

    /// A key as path segments, one for each part: `Products/1`, `Items/10248/3`; for related entities one for each part
    /// that the key before the navigation property does not report: `Orders/10248/Items/3`
    ///
    /// - Returns: the key, and how many segments it takes.
    /// [OData-URL, section 4.3.6: Key-as-Segment Convention]
    func key(
        segments: ArraySlice<SegmentSyntax>, of type: EdmStructuredType, along navigation: KeyedNavigation?
    ) throws(QueryError) -> (key: EntityKey, count: Int) {
        var parts = keyParts(of: type, along: navigation)
        let properties = type.keyProperties
        var open = properties.filter { parts[$0.name] == nil }
        // What is no name can only be one more part of the key: some clients write all parts.
        if open.isEmpty || segments.dropFirst(open.count).first?.kind == .text { open = properties }
        for (property, segment) in zip(open, segments) {
            guard let value = EdmValue(lexical: segment.name.text, type: property.type) else {
                throw error(
                    .typeMismatch, "The key property \(property.name) has another type.", at: segment.name.offset,
                    expected: "a value of \(property.type)")
            }
            parts[property.name] = value
        }
        guard segments.count >= open.count, let key = EntityKey(of: type, parts: parts) else {
            throw error(
                .typeMismatch, "The key of \(type.name) is not complete.", at: segments.last?.name.offset ?? 0,
                expected: "\(open.count) segments")
        }
        return (key, open.count)
    }
}

// MARK: Related entities

/// A navigation property in a path, and the key of the entity that it leads from.
struct KeyedNavigation {
    var navigation: EdmNavigationProperty
    var parent: EntityKey
}

extension Binder {
    /// The parts of the key of `type` that the key before the navigation property contains.
    ///
    /// [OData-URL, section 4.3.3: URLs for Related Entities with Referential Constraints]
    private func keyParts(of type: EdmStructuredType, along navigation: KeyedNavigation?) -> EdmComplexValue {
        var parts = EdmComplexValue()
        guard let navigation, let partner = partner(of: navigation.navigation, in: type) else { return parts }
        let parent = model.target(of: partner)
        for constraint in partner.constraints {
            guard let name = type.keyName(of: constraint.property),
                let property = type.keyProperties.first(where: { $0.name == name }),
                let value = parent?.keyName(of: constraint.referencedProperty).flatMap({ navigation.parent[$0] })
            else { continue }
            parts[property.name] = coerced(value, to: property.type)
        }
        return parts
    }

    /// The navigation property of `type` that leads back.
    private func partner(of navigation: EdmNavigationProperty, in type: EdmStructuredType) -> EdmNavigationProperty? {
        type.navigationProperties.partner(of: navigation) { candidate in
            model.target(of: candidate)?.navigationProperty(named: navigation.name) == navigation
        }
    }
}

extension ResourcePath {
    /// The navigation property that leads to the entities at the end, if a key is before it.
    var keyedNavigation: KeyedNavigation? {
        guard let index = segments.lastIndex(where: { !$0.keepsEntities }),
            case .navigation(let navigation, _) = segments[index],
            case .key(let parent)? = segments[..<index].last(where: { !$0.keepsEntities })
        else { return nil }
        return KeyedNavigation(navigation: navigation, parent: parent)
    }
}

extension ResourcePath.Segment {
    /// Whether what follows is some of the entities that come before.
    fileprivate var keepsEntities: Bool {
        switch self {
        case .cast, .filter: true
        default: false
        }
    }
}

extension PropertyPath {
    /// As in a resource path.
    var keyedNavigation: KeyedNavigation? {
        guard let index = steps.lastIndex(where: { !$0.keepsEntities }),
            case .navigation(let navigation, _, _) = steps[index],
            case .key(let parent)? = steps[..<index].last(where: { !$0.keepsEntities })
        else { return nil }
        return KeyedNavigation(navigation: navigation, parent: parent)
    }
}

extension PropertyPath.Step {
    fileprivate var keepsEntities: Bool {
        switch self {
        case .cast, .filter: true
        default: false
        }
    }
}
