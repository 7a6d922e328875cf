import Foundation
import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

extension StoreTransaction {
    /// Makes the change visible to readers and puts its requests into the queue.
    ///
    /// - Parameter made: The entities that earlier changes of the set are about, by content id.
    /// - Throws: ``ODataError``; the transaction must then be rolled back.
    func apply(_ change: LocalChange, made: [String: EntityRow]) throws -> LocalOutcome {
        var change = change
        let target = change.request.target.resource
        change.request.target = target
        if case .call(let arguments) = change.request.operation {
            let row = try call(arguments, at: target, change.request)
            return LocalOutcome(outcome: .called, row: row, path: try row.map(path))
        }
        if case .delete = change.request.operation, let error = offline.errorID(at: target) {
            _ = try ErrorRepair(context: self).undo(error, force: false)
            return LocalOutcome(outcome: .deleted, path: target)
        }
        try checkChangeable(target)
        let plan = try ChangePlanner(self, made: made).plan(change.request, properties: change.properties)
        let deleted: ResourcePath? = if case .delete(let row)? = plan.steps.last { try path(of: row) } else { nil }
        var executor = QueuedChangeExecutor(change, in: self)
        try executor.carryOut(plan)
        guard let row = try plan.subject.map({ try located($0, executor) }) else {
            return LocalOutcome(outcome: plan.outcome, path: deleted ?? target)
        }
        var outcome = LocalOutcome(outcome: plan.outcome, row: row, path: try path(of: row))
        if change.request.returnPreference != .minimal {
            outcome.entity = try offline.executor.entity(of: row.table.set, row: row.id, in: db)
                .map { try TemporaryKeys(db: db, schema: schema).hiding($0, of: row) }
            outcome.etag = plan.outcome == .created ? nil : outcome.entity?.etag
        } else if plan.outcome != .created {
            outcome.etag = try etag(of: row)
        }
        return outcome
    }

    /// The row of the entity that a change is about. Its marks matter to later changes of a set only.
    private func located(_ subject: QueuedChangeExecutor.Plan.Target, _ executor: QueuedChangeExecutor) throws
        -> EntityRow
    {
        guard changeSet == nil, let row = subject.row else { return try executor.located(subject) }
        return row
    }
}
