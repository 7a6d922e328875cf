import ODataModel
import ODataQuery

/// Calls the unbound functions in the expressions of a query, and replaces them by their results: the base store
/// does not know them.
///
/// A function whose arguments are the same for all instances is called once. Else it is called once for each
/// combination of arguments that the instances have, and the expression becomes a `case` over them.
/// [OData-Protocol, section 11.5.4.1]
struct FunctionEvaluation {
    /// How many combinations of arguments there may be in one expression.
    private static let limit = 250

    private struct Call {
        var call: OperationCall
        /// Whether the call is where the query's own instances are evaluated.
        var isOfInstance: Bool
    }

    let resolver: OperationResolver
    /// What has been found out already; of calls whose arguments belong to an instance, for the query's own instances.
    private var constants: [OperationCall: QueryExpression] = [:]
    private var ofInstances: [OperationCall: QueryExpression] = [:]

    init(_ resolver: OperationResolver) { self.resolver = resolver }

    /// - Throws: ``ODataError`` `notImplemented` that names a function which cannot be called where it is.
    mutating func evaluated(_ query: BoundQuery) async throws -> BoundQuery {
        guard hasWork(QuerySets(query)) else { return query }
        var query = query
        query.path = try await evaluated(query.path)
        var rest = query.options
        rest.compute = []
        rest.filter = nil
        rest.orderBy = []
        try await prepare { find in _ = rest.mappingExpressions(find) }
        rest = rest.mappingExpressions { replaced($0, isOfInstance: false) }
        // What is computed first can stand in what is computed later, and in the conditions.
        var plain = BoundQuery(path: query.path, options: rest)
        for var item in query.options.compute {
            item.expression = try await evaluated(item.expression, of: plain)
            plain.options.compute.append(item)
        }
        if let filter = query.options.filter { rest.filter = try await evaluated(filter, of: plain) }
        for var item in query.options.orderBy {
            item.expression = try await evaluated(item.expression, of: plain)
            rest.orderBy.append(item)
        }
        rest.compute = plain.options.compute
        return BoundQuery(path: query.path, options: rest)
    }

    /// The path with what the functions in its conditions and arguments give.
    mutating func evaluated(_ path: ResourcePath) async throws -> ResourcePath {
        guard hasWork(QuerySets(path)) else { return path }
        try await prepare { find in _ = path.mappingExpressions(find) }
        return path.mappingExpressions { replaced($0, isOfInstance: false) }
    }

    private func hasWork(_ sets: QuerySets) -> Bool {
        sets.operations.contains { name in resolver.model.operations(named: name).contains(where: isOwn) }
    }

    /// Whether the function is ours, and can stand alone.
    private func isOwn(_ operation: EdmOperationDeclaration) -> Bool {
        guard !operation.isBound, case .function? = resolver.operations.handler(of: operation) else { return false }
        return true
    }

    // MARK: Expressions

    private mutating func evaluated(_ expression: QueryExpression, of query: BoundQuery) async throws -> QueryExpression
    {
        for call in calls(in: expression, isOfInstance: true) { try await evaluate(call, of: query) }
        return replaced(expression, isOfInstance: true)
    }

    /// Evaluates the parts of the expressions that `visit` enumerates: none is about the query's own instances.
    private mutating func prepare(_ visit: ((QueryExpression) -> QueryExpression) -> Void) async throws {
        var found: [Call] = []
        visit { expression in
            found += calls(in: expression, isOfInstance: false)
            return expression
        }
        for call in found { try await evaluate(call, of: nil) }
    }

    /// Calls in arguments come before those that they are arguments of.
    private func calls(in expression: QueryExpression, isOfInstance: Bool) -> [Call] {
        var found: [Call] = []
        _ = expression.mappingParts { part, isOwn in
            found += calls(in: part, isOfInstance: isOfInstance && isOwn)
            return part
        }
        if case .operation(let call, nil) = expression, isOwn(call.operation) {
            found.append(Call(call: call, isOfInstance: isOfInstance))
        }
        return found
    }

    private func replaced(_ expression: QueryExpression, isOfInstance: Bool) -> QueryExpression {
        if case .operation(let call, nil) = expression {
            if let value = constants[call] { return value }
            if isOfInstance, let value = ofInstances[call] { return value }
        }
        return expression.mappingParts { part, isOwn in replaced(part, isOfInstance: isOfInstance && isOwn) }
    }

    // MARK: Calls

    private mutating func evaluate(_ found: Call, of query: BoundQuery?) async throws {
        let call = found.call
        guard constants[call] == nil, !found.isOfInstance || ofInstances[call] == nil else { return }
        let arguments = call.arguments.map { argument in
            OperationCall.Argument(
                name: argument.name, value: replaced(argument.value, isOfInstance: found.isOfInstance))
        }
        let variables = arguments.reduce(into: Set<PropertyPath.Variable>()) { $0.formUnion($1.value.variables) }
        if variables.isEmpty {
            let values = try await OperationArguments(
                operation: call.operation, model: resolver.model, store: resolver.store
            ).values(of: arguments)
            constants[call] = try await result(of: call, values)
            return
        }
        guard found.isOfInstance, variables == [.it], let query, query.options.apply == nil, !query.path.hasOperation
        else {
            throw ODataError(
                .notImplemented,
                "The function \(call.operation.name) cannot be evaluated here with arguments that are not constant.")
        }
        ofInstances[call] = try await choice(of: call, arguments, for: query)
    }

    /// What the function gives for each combination of arguments: null where one is null that must not be.
    private func choice(
        of call: OperationCall, _ arguments: [OperationCall.Argument], for query: BoundQuery
    ) async throws -> QueryExpression {
        let checked = ArgumentCheck(operation: call.operation, model: resolver.model)
        var branches: [QueryExpression.Branch] = []
        for values in try await combinations(arguments, of: call.operation, for: query) {
            var named = EdmComplexValue()
            for (argument, value) in zip(arguments, values) { named[argument.name] = value }
            let isMissing = call.operation.arguments.contains { !$0.isNullable && named[$0.name]?.isNull == true }
            guard !isMissing else { continue }
            let value = try await result(of: call, try checked.checked(named))
            if case .literal(.null, _) = value { continue }
            branches.append(.init(condition: QueryExpression.all(arguments.map(\.value), equal: values), value: value))
        }
        guard !branches.isEmpty else { return .literal(.null, nil) }
        return .conditional(branches)
    }

    /// The different arguments that the instances give.
    private func combinations(
        _ arguments: [OperationCall.Argument], of operation: EdmOperationDeclaration, for query: BoundQuery
    ) async throws -> [[EdmValue]] {
        let names = arguments.indices.map { "argument\($0)" }
        var items = query.options.compute.map { "\($0.expression.text) as \($0.alias)" }
        for (argument, name) in zip(arguments, names) { items.append("\(argument.value.text) as \(name)") }
        let path = query.path.resource
        let columns = names.joined(separator: ",")
        let steps = items.map { "compute(\($0))" } + ["groupby((\(columns)))"]
        let options =
            path.target == .collection
            ? "$top=\(Self.limit + 1)&$apply=" + percentEncoded(steps.joined(separator: "/"))
            : "$select=\(columns)&$compute=" + percentEncoded(items.joined(separator: ","))
        let entities = try await resolver.store.entities(try bound("\(path.url)?\(options)"))
        guard entities.count <= Self.limit else {
            throw ODataError(
                .notImplemented,
                "The function \(operation.name) is evaluated for \(Self.limit) different arguments at most.")
        }
        return entities.map { entity in names.map { entity[$0] ?? .null } }
    }

    private func bound(_ url: String) throws -> BoundQuery {
        do { return try QueryParser(model: resolver.model).query(url) } catch {
            throw ODataError(.badRequest, error.description, cause: error)
        }
    }

    private func result(of call: OperationCall, _ arguments: EdmComplexValue) async throws -> QueryExpression {
        guard case .function(let handler)? = resolver.operations.handler(of: call.operation) else {
            return .literal(.null, nil)
        }
        let type = call.operation.result?.type
        switch try await handler(resolver.invocation(call.operation, arguments: arguments, binding: nil)) {
        case .nothing, .value(.null): return .literal(.null, nil)
        case .value(.collection(let values)): return .list(values.map { .literal($0, type?.member) })
        case .value(let value): return .literal(value, type)
        case .query(let query): if let path = query.asPath { return .root(path) }
        case .members(let keys, let set): if let path = resolver.members(keys, of: set).asPath { return .root(path) }
        case .entities: break
        }
        throw ODataError(.notImplemented, "What the function \(call.operation.name) gives cannot stand in expressions.")
    }
}

extension EdmTypeReference {
    fileprivate var member: EdmTypeReference? { if case .collection(let member) = self { member } else { nil } }
}

extension QueryExpression {
    /// `a eq 1 and b eq 2`
    fileprivate static func all(_ left: [QueryExpression], equal values: [EdmValue]) -> QueryExpression {
        let terms = zip(left, values).map { left, value in
            QueryExpression.binary(.eq, left, .literal(value, value.isNull ? nil : left.type))
        }
        let isAny = QueryExpression.literal(.boolean(true), .boolean)
        return terms.dropFirst().reduce(terms.first ?? isAny) { .binary(.and, $0, $1) }
    }
}
