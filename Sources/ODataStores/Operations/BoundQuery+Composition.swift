import ODataModel
import ODataQuery

extension BoundQuery {
    /// Whether a filter alone can identify the members of the result.
    private var isPlain: Bool {
        options.top == nil && options.skip == nil && options.apply == nil && options.compute.isEmpty
            && options.search == nil
    }

    /// The result as a path, to which segments can be added: `Products/$filter(Price gt 5)`; nil where a path cannot
    /// say it.
    var asPath: ResourcePath? {
        guard path.target == .collection else { return path }
        guard isPlain else { return nil }
        return options.filter.map { path.appending(.filter($0)) } ?? path
    }

    /// The result with `outer` applied to it, as one query; nil where the members must be known first.
    func composed(with outer: QueryOptions) -> BoundQuery? {
        guard path.target == .collection else {
            return BoundQuery(path: path, options: outer.with(default: options))
        }
        guard isPlain || outer.onlyPages else { return nil }
        guard outer.apply == nil else {
            guard let path = asPath else { return nil }
            return BoundQuery(path: path, options: outer)
        }
        var query = BoundQuery(path: path, options: outer.with(default: options))
        query.options.filter = options.filter.and(outer.filter)
        query.options.search = outer.search ?? options.search
        query.options.orderBy = outer.orderBy + options.orderBy
        query.options.compute = options.compute + outer.compute
        query.options.apply = options.apply
        guard options.top != nil || options.skip != nil else { return query }
        guard !outer.count, outer.top == nil || options.top == nil, outer.skip == nil else { return nil }
        query.options.top = outer.top ?? options.top
        query.options.skip = options.skip
        return query
    }
}

extension QueryOptions {
    /// Whether the options neither choose nor order members anew.
    var onlyPages: Bool { filter == nil && search == nil && orderBy.isEmpty && apply == nil && compute.isEmpty }

    /// What a query shows by itself is shown where the request says nothing about it.
    fileprivate func with(default inner: QueryOptions) -> QueryOptions {
        var options = self
        if (options.select ?? []).isEmpty { options.select = inner.select }
        if options.expand.isEmpty, options.streams.isEmpty {
            options.expand = inner.expand
            options.streams = inner.streams
        }
        return options
    }
}

extension QueryExpression? {
    /// `a and b`
    func and(_ other: QueryExpression?) -> QueryExpression? {
        guard let self else { return other }
        guard let other else { return self }
        return .binary(.and, self, other)
    }
}

extension EdmEntitySet {
    /// `ID eq 1`, `ID in (1,2)`, or `(A eq 1 and B eq 2) or …`; `false` for no keys.
    func filter(of keys: [EntityKey]) -> QueryExpression {
        guard !keys.isEmpty else { return .literal(.boolean(false), .boolean) }
        if keys.count > 1, type.key.count == 1, let name = type.key.first, let (property, type) = keyPart(name) {
            return .inList(property, keys.compactMap { $0[name] }.map { .literal($0, type) })
        }
        let terms = keys.map { key in
            key.components.compactMap { member -> QueryExpression? in
                keyPart(member.name).map { part, type in .binary(.eq, part, .literal(member.value, type)) }
            }.reduce(QueryExpression?.none) { $0.and($1) } ?? .literal(.boolean(false), .boolean)
        }
        return terms.dropFirst().reduce(terms[0]) { .binary(.or, $0, $1) }
    }

    /// Orders members as `keys` stand: `case(ID eq 7:0,ID eq 3:1)`.
    func order(of keys: [EntityKey]) -> [OrderItem] {
        guard keys.count > 1 else { return [] }
        let branches = keys.enumerated().map { position, key in
            QueryExpression.Branch(
                condition: filter(of: [key]), value: .literal(.integer(Int64(position)), .int32))
        }
        return [OrderItem(expression: .conditional(branches))]
    }

    /// The part of the key that key predicates call `name`, and its type.
    private func keyPart(_ name: String) -> (QueryExpression, EdmTypeReference)? {
        guard let index = type.keyProperties.firstIndex(where: { $0.name == name }),
            let last = type.keySteps[index].last
        else { return nil }
        let steps = type.keySteps[index].map { PropertyPath.Step.property($0) }
        return (.path(PropertyPath(variableSet: self, variableType: type, steps: steps)), last.type)
    }
}
