import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// Takes queued requests back, with what they have changed here.
struct Undo {
    let context: StoreTransaction
    private var db: Database { context.db }
    private var schema: LocalSchema { context.schema }

    /// The events tell of it if anything was taken back.
    ///
    /// - Parameter force: Takes requests back too that the service may have executed.
    /// - Throws: ``ODataError`` `conflict` that names the first of those.
    func undo(_ scope: UndoScope, force: Bool) throws -> UndoPlan {
        let planner = UndoPlanner(context: context)
        let records = try planner.records(of: scope)
        let plan = try planner.plan(for: records)
        if !force, let open = plan.unconfirmed.first {
            throw ODataError(
                .conflict,
                """
                The request \(open.id) (\(open.method) \(open.url)) may have been executed: upload first, then change \
                it back, or force the undo.
                """)
        }
        try undo(records)
        if let first = plan.requests.first {
            let rest = plan.requests.count == 1 ? "" : " and \(plan.requests.count - 1) more"
            try EventLog(db: db).add(
                .undo, message: "\(first.method) \(first.url)\(rest) taken back.", at: context.time.column)
        }
        return plan
    }

    /// - Parameter records: All that ``UndoPlanner`` has found.
    func undo(_ records: [QueueRecord]) throws {
        let links = LinkReplay(context: context)
        let tables = try links.tables(of: records)
        for record in records.reversed() { try context.queue.remove(record.id) }
        let created = Set(records.filter(\.operation.isCreation).map(\.row))
        var seen: Set<Int64> = []
        for record in records where seen.insert(record.row).inserted {
            // An action without an entity has changed nothing here.
            guard record.row != 0 else { continue }
            // A request may outlive the set that it belongs to.
            guard let table = schema.tables[record.set], let row = try? context.row(record.row, in: table) else {
                continue
            }
            if created.contains(record.row) {
                try RowRemoval(db: db, schema: schema).remove(row)
            } else {
                try restore(row)
            }
        }
        try links.run(tables)
        try context.queue.releaseHeld()
    }

    /// The row becomes what the service said last, with the changes that still wait on top. These stay based on the
    /// version that they were made to, so that a newer one is not overwritten unseen.
    private func restore(_ row: EntityRow) throws {
        let waiting = try context.queue.records(changing: row.id)
        if waiting.isEmpty, row.state.contains(.removedThere) {
            return try RowRemoval(db: db, schema: schema).remove(row)
        }
        let versions = VersionCopy(db: db, row: row)
        if waiting.isEmpty {
            try LooseRows(db: db, schema: schema).note(.change, of: row)
            try versions.theirsToBase()
        }
        if !row.state.contains(.madeHere) { try versions.baseToLive() }
        try ChangeReplay(context: context, row: row).run(waiting)
        try RowStates(context: context, row: row).settle(waiting)
    }
}
