import ODataModel

/// `aggregate` and `groupby`.
///
/// [OData-Aggregation, sections 3.2.1 and 3.2.3]
extension Binder {
    func aggregate(
        _ items: [AggregateSyntax], of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        var bound: [AggregateItem] = []
        for item in items {
            var aggregate = try aggregation(item, in: scope)
            aggregate.alias = try alias(item)
            try checkAlias(aggregate.alias, in: scope, at: item.alias?.offset ?? item.expression.offset)
            guard !bound.contains(where: { $0.alias == aggregate.alias }) else {
                throw error(
                    .syntax, "There are two results \(aggregate.alias).",
                    at: item.alias?.offset ?? item.expression.offset)
            }
            bound.append(aggregate)
        }
        let properties = bound.map { EdmProperty(name: $0.alias, type: $0.type) }
        return .init(.aggregate(bound), type: type.replacing(properties))
    }

    /// What is aggregated and how, without the alias.
    func aggregation(_ item: AggregateSyntax, in scope: BindingScope) throws(QueryError) -> AggregateItem {
        if case .path(let path) = item.expression.kind, let last = path.segments.last, last.kind == .count(nil),
            path.start == .relative
        {
            if let method = item.method {
                throw error(
                    .syntax, "$count is not aggregated with \(method.text).", at: method.offset,
                    expected: "$count without a method")
            }
            let names = path.segments.dropLast().map(\.name)
            let collection = names.isEmpty ? nil : try propertyPath(names, in: scope)
            return try aggregation(item, of: .count(collection), method: nil, type: .int64, in: scope)
        }
        guard let method = item.method.map({ AggregateItem.Method($0.text) }) else {
            throw custom(item, in: scope)
        }
        var inner = scope
        inner.leadsThroughCollections = true
        let bound = try expression(item.expression, in: inner)
        let operand = bound.type.map { $0.element ?? $0 }
        guard let result = method.result(operand) else {
            throw mismatch(
                "Values of \(describe(operand)) cannot be aggregated with \(method.name).", item.expression,
                expected: "a number")
        }
        return try aggregation(item, of: .expression(bound.expression), method: method, type: result, in: scope)
    }

    private func aggregation(
        _ item: AggregateSyntax, of source: AggregateItem.Source, method: AggregateItem.Method?, type: EdmTypeReference,
        in scope: BindingScope
    ) throws(QueryError) -> AggregateItem {
        let levels = try from(item.from, in: scope)
        // Each further method aggregates what the one before gave: the average of sums of integers is a decimal.
        let type = levels.reduce(type) { type, level in level.method.result(type) ?? type }
        return AggregateItem(source, method: method, from: levels, alias: "", type: type)
    }

    /// `Forecast`, `Forecast as Total`: an aggregate that the service defines.
    private func custom(_ item: AggregateSyntax, in scope: BindingScope) -> QueryError {
        guard case .path(let path) = item.expression.kind, let name = path.segments.last?.name,
            scope.type?.property(named: name.text) == nil
        else {
            return error(
                .syntax, "How to aggregate is missing.", at: item.expression.offset,
                expected: "with sum, min, max, average or countdistinct")
        }
        return notImplemented("The custom aggregate \(name.text)", at: name.offset)
    }

    private func alias(_ item: AggregateSyntax) throws(QueryError) -> String {
        guard let alias = item.alias else {
            throw error(
                .syntax, "\(item.method?.text ?? "$count") needs an alias.", at: item.expression.offset,
                expected: "as and a name")
        }
        return alias.text
    }

    private func from(
        _ items: [AggregateSyntax.From], in scope: BindingScope
    ) throws(QueryError) -> [AggregateItem.From] {
        var bound: [AggregateItem.From] = []
        for item in items {
            var groups: [PropertyPath] = []
            for names in item.groups { groups.append(try propertyPath(names, in: scope)) }
            // Only a custom aggregate goes without a method.
            guard let method = item.method else { continue }
            bound.append(.init(groups: groups, method: AggregateItem.Method(method.text)))
        }
        return bound
    }

    // MARK: Groups

    func groupBy(
        _ groups: [GroupingSyntax], _ inner: [TransformationSyntax], of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        var bound: [GroupingItem] = []
        var properties: [EdmProperty] = []
        var navigations: [EdmNavigationProperty] = []
        for group in groups {
            let item = try grouping(group, in: scope)
            bound.append(item)
            for path in item.paths {
                if case .navigation(let navigation, _, _)? = path.steps.last {
                    if !navigations.contains(navigation) { navigations.append(navigation) }
                } else if !properties.contains(where: { $0.name == path.name }) {
                    properties.append(EdmProperty(name: path.name, type: path.type ?? .untyped))
                }
            }
        }
        for navigation in navigations where properties.contains(where: { $0.name.hasPrefix(navigation.name + "/") }) {
            throw notImplemented(
                "groupby by \(navigation.name) and by properties of it", at: groups.first?.offset ?? 0)
        }
        let rollups = bound.compactMap(\.recursive)
        for rollup in rollups { rollup.addMark(to: &properties, &navigations) }
        var group = scope
        if !rollups.isEmpty { group.rollupNodes = rollups.map(\.variable) }
        let nested = inner.isEmpty ? nil : try apply(inner, in: group)
        let results = nested?.type?.properties ?? []
        if bound.contains(where: \.isRollup) {
            unite(results, with: &properties)
        } else {
            properties += results.filter { result in !properties.contains { $0.name == result.name } }
        }
        for case .navigation(let navigation) in rollups.map(\.mark) {
            properties.removeAll { $0.name.hasPrefix(navigation.name + "/") }
        }
        // One node for each group: it keeps its key.
        let keepsKey = bound.count == 1 && rollups.contains(where: \.isOfNodes)
        return .init(
            .groupBy(bound, nested?.steps ?? []), type: type.replacing(properties, navigations, keepsKey: keepsKey))
    }

    private func grouping(_ syntax: GroupingSyntax, in scope: BindingScope) throws(QueryError) -> GroupingItem {
        switch syntax {
        case .path(let names): return .path(try groupingPath(names, in: scope))
        case .rollup(let paths, let hasAll):
            var bound: [PropertyPath] = []
            for names in paths {
                let path = try groupingPath(names, in: scope)
                if case .navigation? = path.steps.last {
                    throw notImplemented(
                        "rollup with the navigation property \(path.name)", at: names.first?.offset ?? 0)
                }
                bound.append(path)
            }
            return .rollup(bound, hasAll: hasAll)
        case .rollupRecursive(let hierarchy, let restriction):
            return .recursive(try rollup(hierarchy, restriction, in: scope))
        }
    }

    private func groupingPath(_ names: [NameSyntax], in scope: BindingScope) throws(QueryError) -> PropertyPath {
        let path = try propertyPath(names, in: scope)
        guard path.type?.isCollection != true else {
            throw error(
                .typeMismatch, "Groups cannot be made by a collection.", at: names.first?.offset ?? 0,
                expected: "a path to single values")
        }
        if case .navigation? = path.steps.last, !path.steps.dropLast().allSatisfy(\.isCast) {
            throw notImplemented(
                "groupby by \(path.name), a navigation property behind another property,", at: names.first?.offset ?? 0)
        }
        return path
    }
}

extension GroupingSyntax {
    fileprivate var offset: Int? {
        switch self {
        case .path(let names): names.first?.offset
        case .rollup(let paths, _): paths.first?.first?.offset
        case .rollupRecursive: nil
        }
    }
}

extension GroupingItem {
    fileprivate var isRollup: Bool { if case .rollup = self { true } else { false } }

    fileprivate var paths: [PropertyPath] {
        switch self {
        case .path(let path): [path]
        case .rollup(let paths, _): paths
        case .recursive: []
        }
    }
}

extension GroupingItem {
    /// `rolluprecursive`
    package var recursive: RecursiveRollup? { if case .recursive(let rollup) = self { rollup } else { nil } }
}

extension RecursiveRollup {
    /// The node of a group as what `rollupnode` gives.
    fileprivate var variable: BindingScope.Variable {
        BindingScope.Variable(
            name: "rollupnode", set: hierarchy.nodes.entitySet, structured: hierarchy.identifier.variableType)
    }

    /// Adds what an instance has of the node of its group.
    fileprivate func addMark(to properties: inout [EdmProperty], _ navigations: inout [EdmNavigationProperty]) {
        switch mark {
        case .node:
            let known = Set(properties.map(\.name))
            properties += (hierarchy.identifier.variableType?.properties ?? []).filter { !known.contains($0.name) }
            let type = hierarchy.identifier.variableType
            navigations += (type?.navigationProperties ?? []).filter { !navigations.contains($0) }
        case .navigation(let navigation): navigations.append(navigation)
        case .identifier(let property), .nested(let property): properties.append(property)
        }
    }

    /// Adds the same in the place of what there is of the name.
    func putMark(in properties: inout [EdmProperty], _ navigations: inout [EdmNavigationProperty]) {
        let name = node.steps.first { !$0.isCast }.map { step in
            switch step {
            case .navigation(let navigation, _, _): navigation.name
            case .property(let property): property.name
            case .cast, .key, .filter, .annotation: ""
            }
        }
        properties.removeAll { $0.name == name || $0.name.hasPrefix((name ?? "") + "/") }
        navigations.removeAll { $0.name == name }
        addMark(to: &properties, &navigations)
    }
}

extension PropertyPath {
    /// The path of names, without casts: `Customer/Country`
    package var name: String {
        steps.compactMap { step in
            switch step {
            case .navigation(let navigation, _, _): navigation.name
            case .property(let property): property.name
            case .cast, .key, .filter, .annotation: nil
            }
        }.joined(separator: "/")
    }
}

extension AggregateItem.Method {
    init(_ name: String) {
        self =
            switch name {
            case "sum": .sum
            case "min": .min
            case "max": .max
            case "average": .average
            case "countdistinct": .countDistinct
            default: .custom(name)
            }
    }

    /// The type of the result; nil where values of the type cannot be aggregated.
    func result(_ operand: EdmTypeReference?) -> EdmTypeReference? {
        switch self {
        case .countDistinct: .int64
        case .custom: .untyped
        case .min, .max: operand ?? .untyped
        case .sum: operand?.primitive.flatMap { $0.integerRange != nil ? .int64 : number($0) } ?? nil
        case .average: operand?.primitive.flatMap { $0.integerRange != nil ? .decimal : number($0) } ?? nil
        }
    }

    private func number(_ type: EdmPrimitiveType) -> EdmTypeReference? {
        type.isNumeric || type == .duration || type == .untyped ? .primitive(type) : nil
    }
}
