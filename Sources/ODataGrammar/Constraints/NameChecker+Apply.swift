import ODataQuery

/// `$apply`
///
/// [OData-Aggregation ABNF, section 2]
extension NameChecker {
    func check(_ steps: [TransformationSyntax]) throws(QueryError) {
        for step in steps { try check(step) }
    }

    func check(_ step: TransformationSyntax) throws(QueryError) {
        switch step.kind {
        case .identity, .search, .top, .skip: break
        case .aggregate(let items): for item in items { try check(item) }
        case .groupBy(let items, let steps):
            for item in items { try check(item) }
            try check(steps)
        case .filter(let expression): try check(expression)
        case .orderBy(let items): try check(items)
        case .compute(let items):
            try check(items.map(\.expression))
            for item in items { try check(alias: item.alias) }
        case .concat(let sequences): for steps in sequences { try check(steps) }
        case .ranked(_, let amount, let value): try check([amount, value])
        case .join(let path, let alias, let steps, _):
            try check(join: path)
            try check(alias: alias)
            try check(steps)
        case .nest(let items): try check(items)
        case .addNested(let path, let items):
            try check(nest: path)
            try check(items)
        case .expand(let path, let sequences):
            try check(nest: path)
            for steps in sequences { try check(steps) }
        case .related(let item):
            try check(item.hierarchy)
            for steps in item.transformations { try check(steps) }
        case .traverse(let item):
            try check(item.hierarchy)
            try check(item.transformations)
            try check(item.orderBy)
        case .call(let segment): try check(function: segment)
        }
    }

    private func check(alias: NameSyntax) throws(QueryError) {
        try expect(.expressionAlias, alias, "an alias")
    }

    private func check(_ items: [NestSyntax]) throws(QueryError) {
        for item in items {
            try check(item.transformations)
            try check(alias: item.alias)
        }
    }

    /// `customFunction`
    private func check(function segment: SegmentSyntax) throws(QueryError) {
        let kinds: [NameKind] = [.entityColFunction, .complexColFunction, .primitiveColFunction]
        guard names.allows(kinds, qualified: segment.name.text, needsNamespace: true) else {
            throw unknown(segment.name, "a function", kinds)
        }
        for parentheses in segment.parentheses where !areParameters(parentheses, mayHaveExpressions: true) {
            throw error("the parameters of the function", at: parentheses.offset)
        }
    }

    // MARK: aggregate

    /// `aggregateExpr`
    private func check(_ item: AggregateSyntax) throws(QueryError) {
        try checkFunction(item)
        if let alias = item.alias { try check(alias: alias) }
    }

    /// `aggregateFunctionExpr`
    func checkFunction(_ item: AggregateSyntax) throws(QueryError) {
        for path in item.from.flatMap(\.groups) { try check(grouping: path) }
        if let method = item.method, method.isQualified { try check(method: method) }
        for case let method? in item.from.map(\.method) where method.isQualified { try check(method: method) }
        guard let path = item.expression.plainPath else { return try check(item.expression) }
        if path.last?.text == "$count" { return try checkCount(path) }
        if item.method == nil { return try checkCustom(path) }
        let isNonPrimitive = item.method.map { $0.isQualified || $0.text == "countdistinct" } ?? false
        if isAggregatePath(path[...], ends: isNonPrimitive ? [.prefix, .primitive] : [.primitive]) { return }
        try check(item.expression)
    }

    private func check(method: NameSyntax) throws(QueryError) {
        for part in method.text.split(separator: ".").dropLast() where !names.allows(.namespacePart, String(part)) {
            throw unknown(method, "a method of aggregation", [.namespacePart])
        }
    }

    /// `aggregateCount`
    private func checkCount(_ path: [NameSyntax]) throws(QueryError) {
        let before = path.dropLast()
        guard before.isEmpty || isAggregatePath(before, ends: [.prefix, .primitive]) else {
            throw unknown(path[0], "a path to a collection", NameConstraints.properties.map(\.0))
        }
    }

    /// `aggregateCustom`
    private func checkCustom(_ path: [NameSyntax]) throws(QueryError) {
        guard let last = path.last else { return }
        try expect(.customAggregate, last, "a custom aggregate")
        let before = path.dropLast()
        guard before.isEmpty || isAggregatePath(before, ends: [.prefix]) else {
            throw unknown(path[0], "a path to a custom aggregate", NameConstraints.properties.map(\.0))
        }
    }

    private enum PathEnd {
        /// `aggrPathPrefix` or `aggrCastPath`
        case prefix
        /// `aggrPrimPath`
        case primitive
    }

    /// `[ aggrCastPath "/" ]` and steps through single values and collections.
    private func isAggregatePath(_ path: ArraySlice<NameSyntax>, ends: [PathEnd]) -> Bool {
        var mayCast = true
        for (index, name) in zip(path.indices, path) {
            let isLast = index == path.endIndex - 1
            if isStep(name.text, throughCollections: true) {
                mayCast = true
                if isLast, ends.contains(.prefix) { return true }
                if !isLast { continue }
            }
            if isLast, ends.contains(.primitive), isLeaf(name.text, throughCollections: true) { return true }
            guard mayCast, isCast(name.text) else { return false }
            mayCast = false
            if isLast { return ends.contains(.prefix) }
        }
        return false
    }

    private func isStep(_ name: String, throughCollections: Bool) -> Bool {
        names.allows(.complexProperty, name) || names.allows(.entityNavigationProperty, name)
            || (throughCollections
                && (names.allows(.complexColProperty, name) || names.allows(.entityColNavigationProperty, name)))
    }

    private func isLeaf(_ name: String, throughCollections: Bool) -> Bool {
        let kinds: [NameKind] = [.primitiveKeyProperty, .primitiveNonKeyProperty, .customAggregate, .streamProperty]
        return kinds.contains { names.allows($0, name) }
            || (throughCollections && names.allows(.primitiveColProperty, name))
    }

    private func isCast(_ name: String) -> Bool { names.allows([.complexTypeName, .entityTypeName], qualified: name) }

    // MARK: groupby

    func check(_ item: GroupingSyntax) throws(QueryError) {
        switch item {
        case .path(let path): try check(grouping: path)
        case .rollup(let paths, let hasAll):
            // One name may be the qualifier of a hierarchy.
            guard paths.count > 1 || hasAll || (paths.first?.count ?? 0) > 1 else { return }
            for path in paths { try check(grouping: path) }
        case .rollupRecursive(let hierarchy, let steps):
            try check(hierarchy)
            try check(steps)
        }
    }

    /// `groupingProperty`: only through single values.
    func check(grouping path: [NameSyntax]) throws(QueryError) {
        var mayCast = true
        for (index, name) in path.enumerated() {
            let isLast = index == path.count - 1
            if isStep(name.text, throughCollections: false) {
                mayCast = true
                continue
            }
            if isLast, isLeaf(name.text, throughCollections: false) { return }
            guard mayCast, !isLast, isCast(name.text) else {
                throw unknown(name, "a single-valued property", NameConstraints.properties.map(\.0))
            }
            mayCast = false
        }
    }

    // MARK: join, nest, hierarchies

    /// `joinProperty`
    private func check(join path: [NameSyntax]) throws(QueryError) {
        guard let first = path.first else { return }
        let rest = path.dropFirst()
        let name = first.text
        let isNavigation = names.allows(.entityColNavigationProperty, name)
        let isPlain =
            name.hasPrefix("@")
            ? names.allows(.complexAnnotationInQuery, name) || names.allows(.entityAnnotationInQuery, name)
            : names.allows(.complexColProperty, name) || isNavigation
        let castFits = rest.isEmpty || (rest.count == 1 && isNavigation && isCast(rest.first?.text ?? ""))
        guard isPlain, castFits else {
            throw unknown(first, "a collection", [.complexColProperty, .entityColNavigationProperty])
        }
    }

    /// `nestPath`
    private func check(nest path: [NameSyntax]) throws(QueryError) {
        var hasEnded = false
        for (index, name) in path.enumerated() {
            let isComplex = names.allows(.complexProperty, name.text) || names.allows(.complexColProperty, name.text)
            let isNavigation =
                names.allows(.entityNavigationProperty, name.text)
                || names.allows(.entityColNavigationProperty, name.text)
            if !hasEnded, isComplex { continue }
            if !hasEnded, isNavigation {
                hasEnded = true
                continue
            }
            guard isCast(name.text), path.count > 1, !hasEnded || index == path.count - 1 else {
                throw unknown(
                    name, "a navigation or complex property", [.entityColNavigationProperty, .complexProperty])
            }
        }
    }

    private func check(_ hierarchy: HierarchySyntax) throws(QueryError) {
        try check(hierarchy.nodes)
        guard isAggregatePath(hierarchy.property[...], ends: [.primitive]) else {
            throw unknown(hierarchy.property[0], "the path of a property", NameConstraints.properties.map(\.0))
        }
    }
}

extension ExpressionSyntax {
    /// The names of a path that has nothing else, with `$count` at its end.
    fileprivate var plainPath: [NameSyntax]? {
        guard case .path(let path) = kind, path.start == .relative else { return nil }
        for (index, segment) in path.segments.enumerated() {
            switch segment.kind {
            case .name where segment.parentheses.isEmpty: continue
            case .count(nil) where index == path.segments.count - 1: continue
            default: return nil
            }
        }
        return path.segments.map(\.name)
    }
}
