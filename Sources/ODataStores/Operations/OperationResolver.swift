import ODataModel
import ODataQuery

/// Calls the functions in a path and determines what the path then leads to in the base store.
struct OperationResolver: Sendable {
    /// What a path leads to once its functions are called.
    enum Resource {
        /// A resource of the base store.
        case query(BoundQuery)
        /// Something in memory, and the segments that follow.
        case value(EdmValue, EdmTypeReference, rest: ArraySlice<ResourcePath.Segment>)
        case entities([EdmEntity], OperationCall, rest: ArraySlice<ResourcePath.Segment>)
        case nothing
    }

    /// A path cut at its first operation.
    struct Cut {
        var binding: ResourcePath?
        var call: OperationCall
        var rest: ArraySlice<ResourcePath.Segment>

        init?(_ path: ResourcePath) {
            if case .operation(let call) = path.root {
                self.call = call
                rest = path.segments[...]
                return
            }
            for (index, segment) in path.segments.enumerated() {
                guard case .operation(let call) = segment else { continue }
                binding = ResourcePath(root: path.root, segments: Array(path.segments[..<index]))
                self.call = call
                rest = path.segments[(index + 1)...]
                return
            }
            return nil
        }
    }

    /// The store below, which may record calls.
    let base: any ODataStore
    /// The same for the request that is resolved.
    let store: any ODataStore
    let model: EdmModel
    let operations: OperationHandlers

    func read(_ request: ReadRequest) async throws -> ReadResult {
        switch try await resource(request.query.path, options: request.query.options) {
        case .query(let query):
            var read = request
            read.query = query
            return try await store.read(read)
        case .nothing: return ReadResult(.nothing)
        case .value(let value, let type, let rest):
            return try ValueResult(value, type).following(rest).result(request.query.options)
        case .entities(let entities, let call, let rest):
            return try EntityListResult(entities: entities, call: call, model: model)
                .result(request.query, rest: rest)
        }
    }

    /// The path in the base store that `path` leads to.
    func basePath(_ path: ResourcePath) async throws -> ResourcePath {
        guard case .query(let query) = try await resource(path, options: QueryOptions()), let path = query.asPath else {
            throw ODataError(.badRequest, "\(path.url) is not a resource that can be changed.")
        }
        return path
    }

    func resource(_ path: ResourcePath, options: QueryOptions) async throws -> Resource {
        var path = path
        while let cut = Cut(path) {
            let result = try await call(cut)
            let query: BoundQuery
            switch result {
            case .nothing: return .nothing
            case .value(let value):
                guard let type = cut.call.operation.result?.type else { return .nothing }
                return .value(value, type, rest: cut.rest)
            case .entities(let entities): return .entities(entities, cut.call, rest: cut.rest)
            case .query(let found): query = found
            case .members(let keys, let set): query = members(keys, of: set)
            }
            guard !cut.rest.isEmpty else {
                return .query(try await composed(query, with: options))
            }
            path = try await segmentable(query)
            path.segments += cut.rest
        }
        return .query(BoundQuery(path: path, options: options))
    }

    private func call(_ cut: Cut) async throws -> OperationResult {
        let operation = cut.call.operation
        guard cut.binding?.segments.last != .each else {
            throw ODataError(.notImplemented, "A function cannot be called on /$each member of a collection.")
        }
        guard case .function(let handler)? = operations.handler(of: operation) else {
            throw ODataError(.notImplemented, "The operation \(operation.name) is declared, but nothing executes it.")
        }
        let arguments = try await OperationArguments(operation: operation, model: model, store: store).values(
            of: cut.call.arguments)
        return try await handler(invocation(operation, arguments: arguments, binding: cut.binding))
    }

    func invocation(
        _ operation: EdmOperationDeclaration, arguments: EdmComplexValue, binding: ResourcePath?
    ) -> OperationInvocation {
        OperationInvocation(
            operation: operation, arguments: arguments, binding: binding, store: store, model: model)
    }

    func members(_ keys: [EntityKey], of set: EdmEntitySet) -> BoundQuery {
        var query = BoundQuery(path: ResourcePath(set))
        query.options.filter = set.filter(of: keys)
        query.options.orderBy = set.order(of: keys)
        return query
    }

    /// A path to each member of a collection as it is now.
    func members(of collection: ResourcePath) async throws -> [ResourcePath] {
        guard let set = collection.entitySet else {
            throw ODataError(.notImplemented, "The members of \(collection.url) have no entity set to be called by.")
        }
        return try await keys(of: BoundQuery(path: collection), in: set).map { ResourcePath(set).appending(.key($0)) }
    }

    private func keys(of query: BoundQuery, in set: EdmEntitySet) async throws -> [EntityKey] {
        var keysOnly = query
        keysOnly.options.select = set.type.keyHolders.map { .property([$0]) }
        keysOnly.options.expand = []
        keysOnly.options.streams = []
        return try await store.entities(keysOnly).compactMap(\.key)
    }

    func composed(_ query: BoundQuery, with options: QueryOptions) async throws -> BoundQuery {
        if let whole = query.composed(with: options) { return whole }
        guard let whole = try await fixed(query).composed(with: options) else {
            throw ODataError(.notImplemented, "These query options cannot be applied to the result of the operation.")
        }
        return whole
    }

    /// A path that reports the members of `query`.
    private func segmentable(_ query: BoundQuery) async throws -> ResourcePath {
        if let path = query.asPath { return path }
        guard let path = try await fixed(query).asPath else {
            throw ODataError(.notImplemented, "Nothing can follow the result of \(query.path.url).")
        }
        return path
    }

    /// The same members, identified by their keys.
    private func fixed(_ query: BoundQuery) async throws -> BoundQuery {
        guard let set = query.path.entitySet, query.options.apply == nil else {
            throw ODataError(
                .notImplemented, "The result of the operation has no entity set: nothing can follow or be applied.")
        }
        let keys = try await keys(of: query, in: set)
        var fixed = BoundQuery(path: ResourcePath(set))
        fixed.options.filter = set.filter(of: keys)
        fixed.options.orderBy = query.options.orderBy
        fixed.options.select = query.options.select
        fixed.options.expand = query.options.expand
        fixed.options.streams = query.options.streams
        return fixed
    }
}
