import ODataQuery
import Synchronization

/// The plans that read one row of a set by its id, as every change does; they are the same for all rows.
///
/// Only plans without options are kept: there is one for each set, and none depends on the time.
final class RowPlans: Sendable {
    private let plans = Mutex<[String: QueryPlan]>([:])

    /// The plan for `query`, of an entity set; `make` creates it if it is missing.
    func plan(for query: BoundQuery, _ make: () throws -> QueryPlan) throws -> QueryPlan {
        guard query.options == QueryOptions(), let set = query.path.rootSet?.name else { return try make() }
        if let known = plans.withLock({ $0[set] }) { return known }
        let plan = try make()
        plans.withLock { $0[set] = plan }
        return plan
    }
}
