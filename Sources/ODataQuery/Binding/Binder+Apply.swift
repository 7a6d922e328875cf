import ODataModel

/// `$apply`
///
/// [OData-Aggregation, section 3]
extension Binder {
    func apply(_ syntax: [TransformationSyntax], in scope: BindingScope) throws(QueryError) -> ApplyExpression {
        var inner = scope
        return ApplyExpression(try steps(syntax, in: &inner))
    }

    /// Binds a sequence; afterwards `scope` is that of what it gives.
    private func steps(
        _ syntax: [TransformationSyntax], in scope: inout BindingScope
    ) throws(QueryError) -> [ApplyExpression.Step] {
        var steps: [ApplyExpression.Step] = []
        for transformation in syntax {
            guard let type = scope.type else {
                throw error(.typeMismatch, "$apply needs instances with properties.", at: transformation.offset)
            }
            let step = try step(transformation, of: type, in: scope)
            scope.type = step.type
            steps.append(step)
        }
        return steps
    }

    private func step(
        _ syntax: TransformationSyntax, of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        switch syntax.kind {
        case .identity: return .init(.identity, type: type)
        case .aggregate(let items): return try aggregate(items, of: type, in: scope)
        case .groupBy(let groups, let inner): return try groupBy(groups, inner, of: type, in: scope)
        case .filter(let predicate): return .init(.filter(try boolean(predicate, in: scope)), type: type)
        case .search(let text): return .init(.search(try search(text, at: syntax.offset)), type: type)
        case .orderBy(let items): return .init(.orderBy(try orderBy(items, in: scope)), type: type)
        case .top(let count): return .init(.top(count), type: type)
        case .skip(let count): return .init(.skip(count), type: type)
        case .compute(let items):
            var inner = scope
            let bound = try compute(items, in: &inner)
            let properties = bound.map { EdmProperty(name: $0.alias, type: $0.propertyType) }
            return .init(.compute(bound), type: type.adding(properties))
        case .concat(let sequences): return try concat(sequences, of: type, in: scope)
        case .ranked(let ranking, let amount, let value):
            return try ranked(ranking, amount, value, of: type, in: scope)
        case .join(let path, let alias, let inner, let isOuter):
            return try join(path, alias, inner, isOuter, of: type, in: scope)
        case .nest(let items):
            let bound = try nest(items, in: scope, of: scope)
            return .init(.nest(bound), type: type.replacing(bound.map(\.property)))
        case .addNested(let names, let items):
            let path = try joinPath(names, in: scope)
            let bound = try nest(items, in: path.scope, of: scope)
            return .init(.addNested(path.path, bound), type: type.adding(bound.map(\.property)))
        case .call(let segment): return try call(segment, of: type, in: scope)
        case .expand: throw notImplemented("The transformation expand", at: syntax.offset)
        case .related(let item): return try related(item, of: type, in: scope)
        case .traverse(let item): return try traverse(item, of: type, in: scope)
        }
    }

    // MARK: Sequences

    private func concat(
        _ sequences: [[TransformationSyntax]], of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        var bound: [[ApplyExpression.Step]] = []
        var properties: [EdmProperty] = []
        var isUnchanged = true
        for sequence in sequences {
            var inner = scope
            bound.append(try steps(sequence, in: &inner))
            isUnchanged = isUnchanged && inner.type == type
            unite(inner.type?.properties ?? [], with: &properties)
        }
        return .init(.concat(bound), type: isUnchanged ? type : type.replacing(properties))
    }

    /// Adds the properties that a part of the result has: a name that is there already is of a type for all its values.
    func unite(_ more: [EdmProperty], with properties: inout [EdmProperty]) {
        for property in more {
            guard let position = properties.firstIndex(where: { $0.name == property.name }) else {
                properties.append(property)
                continue
            }
            let type = common(properties[position].type, property.type) ?? .untyped
            if type != properties[position].type { properties[position] = EdmProperty(name: property.name, type: type) }
        }
    }

    /// - Parameter target: where the results are properties.
    private func nest(_ items: [NestSyntax], in scope: BindingScope, of target: BindingScope) throws(QueryError)
        -> [NestItem]
    {
        var bound: [NestItem] = []
        for item in items {
            try checkAlias(item.alias.text, in: target, at: item.alias.offset)
            guard !bound.contains(where: { $0.alias == item.alias.text }) else {
                throw error(.syntax, "There are two results \(item.alias.text).", at: item.alias.offset)
            }
            var inner = scope
            bound.append(NestItem(try steps(item.transformations, in: &inner), alias: item.alias.text))
        }
        return bound
    }

    private func ranked(
        _ ranking: RankingTransformation, _ amount: ExpressionSyntax, _ value: ExpressionSyntax,
        of type: EdmStructuredType,
        in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        let bound = (try expression(amount, in: scope), try expression(value, in: scope))
        for (side, syntax) in [(bound.0, amount), (bound.1, value)] where side.type?.primitive?.isNumeric == false {
            throw mismatch("This is of type \(describe(side.type)).", syntax, expected: "a number")
        }
        guard !isOfInstance(bound.0.expression, in: scope) else {
            throw mismatch(
                "The first parameter of \(ranking.rawValue) is one value for all instances, and this differs between them.",
                amount, expected: ranking.amount)
        }
        if case .literal(let value, _) = bound.0.expression, !ranking.takes(value) {
            throw mismatch("\(ranking.rawValue) does not take this.", amount, expected: ranking.amount)
        }
        return .init(.ranked(ranking, amount: bound.0.expression, value: bound.1.expression), type: type)
    }

    /// Whether the value differs from instance to instance. `$it` is one of them where no options are around.
    private func isOfInstance(_ expression: QueryExpression, in scope: BindingScope) -> Bool {
        let variables = expression.variables
        return variables.contains(.it) || (variables.contains(.resource) && scope.resource == nil)
    }

    private func call(
        _ segment: SegmentSyntax, of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        let subject = Subject(type: .collection(type.reference), set: scope.set)
        let overloads = operations(named: segment.name, on: subject).filter { $0.kind == .function }
        guard !overloads.isEmpty else {
            let known = model.schemas.flatMap(\.operations).filter(\.isBound).map { "\($0.name)" }
            throw unknown("function \(segment.name.text) on these instances", segment.name, among: known)
        }
        let call = try call(segment, overloads: overloads, on: subject, importing: nil, in: scope)
        guard let result = structuredType(call.operation.result?.type) else {
            throw error(
                .typeMismatch, "\(segment.name.text) does not give a collection of instances.",
                at: segment.name.offset)
        }
        return .init(.operation(call), type: result)
    }

    // MARK: Relations

    private func join(
        _ names: [NameSyntax], _ alias: NameSyntax, _ inner: [TransformationSyntax], _ isOuter: Bool,
        of type: EdmStructuredType, in scope: BindingScope
    ) throws(QueryError) -> ApplyExpression.Step {
        try checkAlias(alias.text, in: scope, at: alias.offset)
        let (path, innerScope) = try joinPath(names, in: scope)
        var changed = innerScope
        let bound = try steps(inner, in: &changed)
        let transformation = SetTransformation.join(path, alias: alias.text, steps: bound, isOuter: isOuter)
        guard let target = innerScope.type, changed.type == target else {
            return .init(transformation, type: type.adding([EdmProperty(name: alias.text, type: .untyped)]))
        }
        let navigation = EdmNavigationProperty(name: alias.text, target: target.name, isCollection: false)
        return .init(transformation, type: type.adding([], [navigation]))
    }

    /// The path to a collection of entities, and the scope of its members.
    private func joinPath(
        _ names: [NameSyntax], in scope: BindingScope
    ) throws(QueryError) -> (path: PropertyPath, scope: BindingScope) {
        let path = try propertyPath(names, in: scope)
        guard let structured = structuredType(path.type) else {
            let name = names.last ?? NameSyntax(text: "", offset: 0)
            throw error(.typeMismatch, "\(name.text) does not lead to instances.", at: name.offset)
        }
        var set = scope.set
        for case .navigation(_, let target, _) in path.steps { set = target }
        return (path, scope.nested(structured, set: set))
    }

    /// `Customer/Country`, `Model.Special/Colour`
    func propertyPath(_ names: [NameSyntax], in scope: BindingScope) throws(QueryError) -> PropertyPath {
        var inner = scope
        inner.leadsThroughCollections = true
        let segments = names.map { SegmentSyntax(name: $0, kind: $0.text.hasPrefix("@") ? .annotation : .name) }
        let offset = names.first?.offset ?? 0
        let syntax = PathSyntax(start: .relative, segments: segments, offset: offset)
        let bound = try self.path(syntax, in: inner)
        guard case .path(let path) = bound.expression else {
            throw error(.typeMismatch, "This is not a path of properties.", at: offset)
        }
        try checkValue(bound, at: offset)
        return path
    }
}

extension NestItem {
    /// The alias as a property.
    fileprivate var property: EdmProperty { EdmProperty(name: alias, type: .collection(.untyped)) }
}

extension EdmStructuredType {
    /// This type with more properties.
    func adding(_ more: [EdmProperty], _ navigations: [EdmNavigationProperty] = []) -> EdmStructuredType {
        made(properties + more, navigationProperties + navigations, keepsKey: true)
    }

    /// A type of the same name with these properties only.
    func replacing(
        _ properties: [EdmProperty], _ navigations: [EdmNavigationProperty] = [], keepsKey: Bool = false
    ) -> EdmStructuredType {
        made(properties, navigations, keepsKey: keepsKey)
    }

    private func made(
        _ properties: [EdmProperty], _ navigations: [EdmNavigationProperty], keepsKey: Bool
    ) -> EdmStructuredType {
        EdmStructuredType(
            declaration: EdmStructuredTypeDeclaration(
                kind: kind, name: name, hasStream: false, properties: properties,
                navigationProperties: navigations),
            keyOf: keepsKey ? self : nil)
    }
}

extension RankingTransformation {
    /// What the first parameter is.
    ///
    /// [OData-Aggregation, section 3.3.1]
    package var amount: String {
        switch self {
        case .topcount, .bottomcount: "a positive whole number"
        case .toppercent, .bottompercent: "a positive number not greater than 100"
        case .topsum, .bottomsum: "a number"
        }
    }

    /// Whether a value can be the first parameter.
    package func takes(_ value: EdmValue) -> Bool {
        guard let number = value.number else { return false }
        return switch self {
        case .topcount, .bottomcount: number.integerValue.map { $0 > 0 } ?? false
        case .toppercent, .bottompercent: number > .zero && number <= EdmDecimal(100)
        case .topsum, .bottomsum: true
        }
    }
}

extension EdmValue {
    /// A number that is finite.
    fileprivate var number: EdmDecimal? {
        switch self {
        case .integer(let value): EdmDecimal(value)
        case .decimal(let value): value
        case .double(let value): EdmDecimal(value)
        default: nil
        }
    }
}
