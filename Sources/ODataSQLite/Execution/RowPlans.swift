import ODataQuery
import Synchronization

/// The plans that read one row of a set by its id, which are the same for all rows: what every change reads back.
///
/// Only those without options are kept: they are as many as sets, and nothing in them depends on the time.
final class RowPlans: Sendable {
    private let plans = Mutex<[String: QueryPlan]>([:])

    /// The plan for `query`, of an entity set, which `make` makes if it is not known.
    func plan(for query: BoundQuery, _ make: () throws -> QueryPlan) throws -> QueryPlan {
        guard query.options == QueryOptions(), let set = query.path.rootSet?.name else { return try make() }
        if let known = plans.withLock({ $0[set] }) { return known }
        let plan = try make()
        plans.withLock { $0[set] = plan }
        return plan
    }
}
