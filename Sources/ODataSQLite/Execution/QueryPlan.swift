import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// A query with its statement, ready to run.
struct QueryPlan: Sendable {
    /// How many rows are read at most; nil for all.
    let limit: Int?
    private(set) var statement: RowStatement
    let decoder: RowDecoder
    private(set) var expands: [ExpandPlan]
    var budget: ExpandBudget
    var revision: RowRevision?
    /// Of all plans of the same template.
    let pace = ReadPace()

    /// - Parameter isOneRow: whether the plan reads the one row whose id is given when it is run.
    /// - Parameter clock: That of the access in which the plan is made; nil outside of one.
    init(
        _ query: BoundQuery, shape: RowShape, extent: ReadExtent = ReadExtent(), limit: Int? = nil,
        isOneRow: Bool = false, translator: QueryTranslator, budget: ExpandBudget = .app, revision: RowRevision? = nil,
        clock: WorkClock? = nil
    ) throws {
        self.limit = limit
        self.budget = budget
        self.revision = revision
        // One row more than requested shows whether there is another page.
        statement = try translator.rows(
            of: query, shape: shape, limit: limit.map { $0 < .max ? $0 + 1 : $0 }, token: extent.token,
            keepsOrder: limit != nil, isOneRow: isOneRow)
        decoder = RowDecoder(shape: shape, statement: statement, mapping: translator.mapping)
        expands = try ExpandPlan.plans(
            query.options, of: statement, shape: shape, translator: translator, clock: clock)
    }

    /// The token for the rows after a full page whose last row has the order values `values`.
    func token(after values: [SQLBinding]) -> PageToken? {
        limit.flatMap { statement.token(after: values, count: $0) }
    }
}

extension QueryPlan: StatementPlan {
    mutating func updateStatements(_ body: (inout SQLStatement) throws -> Void) rethrows {
        try body(&statement.sql)
        for index in expands.indices { try expands[index].updateStatements(body) }
    }
}

/// The templates of the queries of a store.
final class QueryTemplates: Sendable {
    let rows = TemplateCache<QueryPlan>()
    let locations = TemplateCache<QueryPlan>()
    let counts = TemplateCache<SQLStatement>()
    let values = TemplateCache<ValueStatement>()
}
