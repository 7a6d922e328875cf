import ODataModel

/// `$expand`
///
/// [OData-URL, section 5.1.3]
extension Binder {
    func expand(
        _ items: [ExpandSyntax], in scope: BindingScope
    ) throws(QueryError) -> (items: [ExpandItem], streams: [ExpandedStream]) {
        var bound: [ExpandItem] = []
        var streams: [ExpandedStream] = []
        bound.reserveCapacity(items.count)
        for item in items {
            switch item.kind {
            case .value: try addStream(try media(item, in: scope), of: item, to: &streams)
            case .all:
                var walk = ExpandPathBinder(binder: self, scope: scope)
                for name in item.path { try walk.follow(name) }
                if let navigation = walk.navigation {
                    throw error(
                        .typeMismatch, "A path in $expand ends with the navigation property.", at: item.offset,
                        expected: "\(navigation.name)($expand=*)")
                }
                for expanded in try all(item, walk, in: scope) {
                    try addExpansion(expanded, of: item, among: items, to: &bound)
                }
            case .path:
                var walk = ExpandPathBinder(binder: self, scope: scope)
                for name in item.path { try walk.follow(name) }
                if let property = walk.stream {
                    try addStream(try stream(property, of: item, walk), of: item, to: &streams)
                } else {
                    try addExpansion(one(item, walk, in: scope), of: item, among: items, to: &bound)
                }
            }
        }
        return (bound, streams)
    }

    // MARK: Streams

    private func addStream(
        _ stream: ExpandedStream, of item: ExpandSyntax, to streams: inout [ExpandedStream]
    ) throws(QueryError) {
        guard !streams.contains(stream) else {
            throw error(.syntax, "\(stream.text) is expanded twice.", at: item.offset)
        }
        streams.append(stream)
    }

    /// `$value`
    private func media(_ item: ExpandSyntax, in scope: BindingScope) throws(QueryError) -> ExpandedStream {
        guard let type = scope.type, ([type] + model.derivedTypes(of: type)).contains(where: \.hasStream) else {
            throw error(.typeMismatch, "$value is for media entities.", at: item.offset)
        }
        return .media
    }

    private func stream(
        _ property: EdmProperty, of item: ExpandSyntax, _ walk: ExpandPathBinder
    ) throws(QueryError) -> ExpandedStream {
        guard item.form == .entities, item.options.given.isEmpty else {
            throw error(.typeMismatch, "\(property.name) is a stream, which takes no options.", at: item.offset)
        }
        var casts: [EdmStructuredType] = []
        for step in walk.prefix {
            guard case .cast(let type) = step else {
                throw notImplemented("Expanding \(property.name), a stream of a complex value,", at: item.offset)
            }
            casts.append(type)
        }
        return .property(casts, property)
    }

    // MARK: Relations

    /// What is expanded by its name takes the place of what a `*` expands.
    private func addExpansion(
        _ expanded: consuming ExpandItem, of item: ExpandSyntax, among items: [ExpandSyntax],
        to bound: inout [ExpandItem]
    ) throws(QueryError) {
        let name = expanded.navigation.name
        guard
            let index = bound.firstIndex(where: { $0.navigation.name == name && $0.prefix == expanded.prefix })
        else { return bound.append(expanded) }
        guard item.kind == .all || items.contains(where: { $0.kind == .all }) else {
            let name = item.path.last ?? NameSyntax(text: name, offset: item.offset)
            throw error(.syntax, "\(name.text) is expanded twice.", at: name.offset)
        }
        if item.kind != .all { bound[index] = expanded }
    }

    /// `*`: every navigation property.
    private func all(
        _ item: ExpandSyntax, _ walk: ExpandPathBinder, in scope: BindingScope
    ) throws(QueryError) -> [ExpandItem] {
        var items: [ExpandItem] = []
        for navigation in walk.type?.navigationProperties ?? [] {
            guard let target = model.target(of: navigation) else { continue }
            let bound = walk.complex.target(of: navigation, of: walk.type, from: scope.set, in: model)
            let set = scope.joined[navigation.name] ?? bound
            items.append(
                ExpandItem(
                    prefix: walk.prefix, navigation: navigation, targetSet: set, targetType: target, form: item.form,
                    levels: item.options.levels,
                    options: try nested(item.options, in: scope.nested(target, set: set))))
        }
        return items
    }

    private func one(
        _ item: ExpandSyntax, _ walk: ExpandPathBinder, in scope: BindingScope
    ) throws(QueryError) -> ExpandItem {
        guard let navigation = walk.navigation, let target = walk.type else {
            let name = item.path.last ?? NameSyntax(text: "", offset: item.offset)
            throw error(
                .typeMismatch, "\(name.text) is not a navigation property.", at: name.offset,
                expected: "a navigation property after it")
        }
        try checkOptions(item, navigation)
        if let levels = item.options.levels { try check(levels, navigation, target, item, in: scope) }
        var inner = scope.nested(target, set: walk.set)
        inner.hasCollection = navigation.isCollection
        return ExpandItem(
            prefix: walk.prefix, navigation: navigation, targetSet: walk.set, targetType: target, form: item.form,
            levels: item.options.levels, options: try nested(item.options, in: inner))
    }

    /// `$levels` needs a navigation property that can be followed again.
    private func check(
        _ levels: ExpandItem.Levels, _ navigation: EdmNavigationProperty, _ target: EdmStructuredType,
        _ item: ExpandSyntax,
        in scope: BindingScope
    ) throws(QueryError) {
        let offset = offset(of: .levels, in: item.options)
        if case .number(let number) = levels, number > limits.depth {
            throw error(.limitExceeded, "More than \(limits.depth) levels are asked for.", at: offset)
        }
        guard levels != .number(1), target.navigationProperty(named: navigation.name) == nil else { return }
        throw error(
            .typeMismatch,
            "\(target.name) does not declare the navigation property \(navigation.name), which "
                + "$levels requires.", at: offset)
    }

    private func checkOptions(_ item: ExpandSyntax, _ navigation: EdmNavigationProperty) throws(QueryError) {
        if item.form == .count, !navigation.isCollection {
            throw error(.typeMismatch, "\(navigation.name) is not a collection: it has no count.", at: item.offset)
        }
        for given in item.options.given {
            guard given.option.isAllowed(in: item.form), navigation.isCollection || !given.option.needsCollection else {
                throw error(
                    .typeMismatch, "The query option \(given.option.name) does not apply here.", at: given.offset)
            }
        }
    }
}

/// Follows the path of one part of `$expand`.
private struct ExpandPathBinder {
    let binder: Binder
    private let joined: [String: EdmEntitySet]
    private(set) var prefix: [PropertyPath.Step] = []
    private(set) var navigation: EdmNavigationProperty?
    private(set) var stream: EdmProperty?
    private(set) var complex = ComplexPath()
    private(set) var set: EdmEntitySet?
    private(set) var type: EdmStructuredType?

    init(binder: Binder, scope: BindingScope) {
        self.binder = binder
        joined = scope.joined
        type = scope.type
        set = scope.set
    }

    mutating func follow(_ name: NameSyntax) throws(QueryError) {
        guard let owner = type else {
            throw binder.error(
                .typeMismatch, "What comes before \(name.text) has no navigation properties.", at: name.offset)
        }
        if let cast = binder.structuredType(named: name) {
            type = try binder.checkedCast(cast, of: owner, at: name.offset)
            if navigation == nil { prefix.append(.cast(cast)) }
            return
        }
        guard navigation == nil else {
            throw binder.error(
                .typeMismatch, "A path in $expand ends with the navigation property.", at: name.offset,
                expected: "($expand=\(name.text))")
        }
        if let navigation = owner.navigationProperty(named: name.text), let target = binder.model.target(of: navigation)
        {
            self.navigation = navigation
            let bound = complex.follow(navigation, of: owner, from: set, in: binder.model)
            set = joined[navigation.name] ?? bound
            type = target
        } else if let property = owner.property(named: name.text) {
            try follow(property, name)
        } else {
            throw binder.unknown(
                "navigation property \(name.text) in \(owner.name)", name,
                among: owner.navigationProperties.map(\.name))
        }
    }

    private mutating func follow(_ property: EdmProperty, _ name: NameSyntax) throws(QueryError) {
        if property.isStream {
            stream = property
            type = nil
            return
        }
        guard let value = binder.structuredType(property.type) else {
            throw binder.error(
                .typeMismatch, "\(name.text) is not a navigation property.", at: name.offset,
                expected: "$select=\(name.text)")
        }
        complex.follow(property, of: type)
        prefix.append(.property(property))
        type = value
    }
}
