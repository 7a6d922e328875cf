import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Modifies rows before they are returned.
package typealias RowRevision = @Sendable (inout RowBlock, RowShape, Database) throws -> Void

/// Executes reads on an SQLite database.
///
/// Connections must have had ``SQLiteFunctions/install(on:)``.
package struct QueryExecutor: Sendable {
    package let model: EdmModel
    package let mapping: any SQLMapping
    /// The greatest depth of `$levels`.
    package var maxLevels = ExpandLevels.limit
    /// What the rows of one block may expand to.
    var budget = ExpandBudget.app
    /// Modifies the rows that were read, in the transaction that reads them.
    package var revision: RowRevision?
    private let templates = QueryTemplates()
    let scheduler = ReadScheduler()

    package init(model: EdmModel, mapping: any SQLMapping) {
        self.model = model
        self.mapping = mapping
    }

    /// One translator per statement: it holds the time for `now()`.
    var translator: QueryTranslator { translator(isSample: false) }

    /// - Parameter isSample: Whether the time is one that no other translator has.
    private func translator(isSample: Bool) -> QueryTranslator {
        guard !isSample else {
            return QueryTranslator(model: model, mapping: mapping, now: EdmDateTimeOffset(secondsSinceEpoch: -1))
        }
        let interval = Date().timeIntervalSince1970
        let microseconds = Int64((interval * 1_000_000).rounded(.down))
        let now = EdmDateTimeOffset(
            secondsSinceEpoch: microseconds / 1_000_000, picosecond: microseconds % 1_000_000 * 1_000_000)
        return QueryTranslator(model: model, mapping: mapping, now: now)
    }

    /// Executes a read: entities (streamed in blocks), property values, counts, `$ref`.
    ///
    /// All rows, also those of `$all`, are of one state of the database, except with a `DatabaseQueue`: see
    /// ``RowRuns``.
    /// - Parameter pageSize: the size of server-driven pages; nil for whole results.
    /// - Throws: ``ODataError``, as reading the rows does.
    package func read(
        _ request: ReadRequest, in database: any DatabaseReader, pageSize: Int?
    ) async throws -> ReadResult {
        try await ODataError.wrapping {
            let path = request.query.path
            guard !path.segments.contains(.each) else {
                throw ODataError(.methodNotAllowed, "/$each is for changes: read the collection before it.")
            }
            switch path.target {
            case .stream(let property):
                throw ODataError(.badRequest, "\(property.name) is a stream: read it as a stream.")
            case .property:
                return try await scheduler.read(database, for: request.scope) { try value(of: request, in: $0) }
            case .value where path.endsInIndex:
                return try await scheduler.read(database, for: request.scope) { try value(of: request, in: $0) }
            case .value, .nothing: throw ODataError(.notImplemented, "The store cannot read \(path.url).")
            case .entity:
                if path.suffix == .count { throw ODataError(.badRequest, "/$count needs a collection.") }
                return try await scheduler.read(database, for: request.scope) { try entity(for: request, in: $0) }
            case .collection where path.suffix == .count:
                return try await scheduler.read(database, for: request.scope) { db in
                    if path.isAll { return ReadResult(.count(try countOfAll(request.query, in: db))) }
                    let count = try count(of: request.query, in: db)
                    if count == 0 { try checkSource(of: path, in: db) }
                    return ReadResult(.count(count))
                }
            case .collection:
                let pageRows = Self.pageRows(for: request, pageSize: pageSize)
                guard !path.isAll else { return try await all(for: request, in: database, pageRows: pageRows) }
                return try await entities(for: request, in: database, pageRows: pageRows)
            }
        }
    }

    /// The number of rows of a page; nil for whole results.
    static func pageRows(for request: ReadRequest, pageSize: Int?) -> Int? {
        let wish = request.maxPageSize.map { max($0, 1) }
        return [pageSize, wish].compactMap { $0 }.min()
    }

    /// All rows of a small result at once.
    package func block(for query: BoundQuery, in db: Database) throws -> (RowShape, RowBlock) {
        let plan = try self.plan(for: query, in: db)
        return (plan.decoder.shape, try block(for: query, plan, in: db))
    }

    /// The row of `set` with the id `row`, with the properties and navigation properties of `options`.
    func block(
        of set: EdmEntitySet, row: Int64, options: QueryOptions, in db: Database
    ) throws -> (RowShape, RowBlock) {
        let query = BoundQuery(path: ResourcePath(set), options: options)
        let plan = try self.plan(for: query, isOneRow: true, in: db)
        return (plan.decoder.shape, try block(for: query, plan, row: row, in: db))
    }

    func block(
        for query: BoundQuery, _ plan: QueryPlan, row: Int64? = nil, in db: Database
    ) throws -> RowBlock {
        let cursor = try EntityCursor(plan, row: row, in: db, staysOpen: false)
        defer { cursor.close() }
        var block = try cursor.block(in: db, isWhole: true) ?? RowBlock()
        guard cursor.isAtEnd else { throw EntityCursor.tooLarge }
        if query.options.count, query.path.target == .collection {
            block.count = try count(of: query, in: db)
        }
        return block
    }

    /// The plan for the first rows of `query` out of a template; nil where there is none yet.
    func keptPlan(for query: BoundQuery, limit: Int?) -> QueryPlan? {
        guard var plan = templates.rows.kept(for: query, variant: limit ?? -1) else { return nil }
        plan.budget = budget
        plan.revision = revision
        return plan
    }

    /// The plan for the first rows of `query`, out of a template where there is one.
    ///
    /// - Parameters:
    ///   - limit: The number of rows; nil for all.
    ///   - isOneRow: Whether the plan reads the one row whose id is given when it is run.
    func plan(
        for query: BoundQuery, limit: Int? = nil, isOneRow: Bool = false, in db: Database
    ) throws -> QueryPlan {
        let clock = WorkClock.running(on: db)
        var plan = try templates.rows.plan(for: query, variant: isOneRow ? -2 : limit ?? -1) { query, isSample in
            let query = try query.unrolled(model: model, limit: maxLevels)
            return try QueryPlan(
                query, shape: try shape(ofUnrolled: query), limit: limit, isOneRow: isOneRow,
                translator: translator(isSample: isSample), clock: clock)
        }
        plan.budget = budget
        plan.revision = revision
        return plan
    }

    /// The plan that finds the one entity that a path leads to.
    func location(of path: ResourcePath, type: EdmStructuredType) throws -> QueryPlan {
        try templates.locations.plan(for: BoundQuery(path: path)) { query, isSample in
            let shape = RowShape(
                model: model, entitySet: query.path.entitySet, type: type, properties: type.keyProperties,
                types: [type] + model.derivedTypes(of: type))
            return try QueryPlan(query, shape: shape, translator: translator(isSample: isSample))
        }
    }

    /// The number of entities of the path and the filter.
    func count(of query: BoundQuery, in db: Database) throws -> Int64 {
        try countStatement(of: query).integer(in: db) ?? 0
    }

    func countStatement(of query: BoundQuery) throws -> SQLStatement {
        var counted = BoundQuery(path: query.path)
        counted.options.apply = query.options.apply
        counted.options.compute = query.options.compute
        counted.options.search = query.options.search
        counted.options.filter = query.options.filter
        return try templates.counts.plan(for: counted) { query, isSample in
            try translator(isSample: isSample).count(of: query)
        }
    }

    /// The statement for the value of a property.
    func valueStatement(of query: BoundQuery) throws -> ValueStatement {
        try templates.values.plan(for: query) { query, isSample in
            try translator(isSample: isSample).value(of: query)
        }
    }

    /// The shape of the rows of `query`; for `/$ref` only the key.
    func shape(of query: BoundQuery) throws -> RowShape {
        try shape(ofUnrolled: try query.unrolled(model: model, limit: maxLevels))
    }

    func shape(ofUnrolled query: BoundQuery) throws -> RowShape {
        guard query.path.suffix == .ref, query.path.entityType(in: model) != nil else {
            return try RowShape.shape(ofUnrolled: query, model: model)
        }
        guard let type = query.path.entityType(in: model) else {
            throw ODataError.notEntities()
        }
        return RowShape(
            model: model, entitySet: query.path.entitySet, type: type, properties: type.keyProperties, hiddenFrom: 0,
            types: [type] + model.derivedTypes(of: type))
    }

    /// - Throws: ``ODataError`` of code `notFound` if the entity that a collection belongs to does not exist.
    func checkSource(of path: ResourcePath, in db: Database) throws {
        guard let source = path.source else { return }
        guard try locate(source, in: db) != nil else { throw Self.notFound(source) }
    }

    static func notFound(_ path: ResourcePath) -> ODataError {
        ODataError(.notFound, "There is no \(path.url).")
    }
}

extension ResourcePath {
    fileprivate var isAll: Bool { root == .all }

    /// Whether the path leads to a member of a collection of values: `/Tags/0`.
    fileprivate var endsInIndex: Bool {
        if case .index = resource.segments.last { true } else { false }
    }

    /// The path up to the entity whose navigation property or property this leads to; nil where the path has no
    /// navigation property.
    var source: ResourcePath? {
        let position = segments.lastIndex { segment in
            if case .navigation = segment { true } else { false }
        }
        return position.map { ResourcePath(root: root, segments: Array(segments[..<$0])) }
    }
}
