import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// Takes queued requests back, with what they have changed here.
struct Undo {
    let context: ChangeContext
    private var db: Database { context.db }
    private var schema: LocalSchema { context.schema }

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
        return plan
    }

    /// - Parameter records: All that ``UndoPlanner`` has found.
    func undo(_ records: [QueueRecord]) throws {
        for record in records.reversed() { try drop(record) }
        let created = Set(records.filter(\.operation.isCreation).map(\.row))
        var seen: Set<Int64> = []
        for record in records where seen.insert(record.row).inserted {
            // An action without an entity has changed nothing here.
            guard record.row != 0 else { continue }
            let table = try schema.table(named: record.set)
            guard let row = try? context.row(record.row, in: table) else { continue }
            if created.contains(record.row) {
                try LinkUndo(db: db, schema: schema).takeBackAll(of: row)
                try RowRemoval(db: db, schema: schema).remove(row)
            } else {
                try restore(row)
            }
        }
    }

    /// Takes a request and its links out; the row is as it was.
    func drop(_ record: QueueRecord) throws {
        try LinkUndo(db: db, schema: schema).takeBack(record, context)
        try context.queue.remove(record.id)
    }

    /// The row becomes what the service said last, with the changes that still wait on top. These stay based on the
    /// version that they were made to, so that a newer one is not overwritten unseen.
    private func restore(_ row: EntityRow) throws {
        let waiting = try context.queue.records(changing: row.id)
        if waiting.isEmpty, row.state.contains(.removedThere) {
            return try RowRemoval(db: db, schema: schema).remove(row)
        }
        let versions = VersionCopy(db: db, row: row)
        if waiting.isEmpty { try versions.theirsToBase() }
        if !row.state.contains(.madeHere) { try versions.baseToLive() }
        try ChangeReplay(context: context, row: row).run(waiting)
        try RowStates(context: context, row: row).settle(waiting)
    }
}

/// Makes links what they were before requests that are taken back.
struct LinkUndo {
    let db: Database
    let schema: LocalSchema

    func takeBack(_ record: QueueRecord, _ context: ChangeContext) throws {
        switch record.operation {
        case .addReference, .removeReference:
            guard let parent = record.parent, let target = record.target, let name = record.property,
                case .link(let link, let isReversed)? = schema.relation(of: parent.set, name)
            else { return }
            let (source, end) = isReversed ? (target.row, parent.row) : (parent.row, target.row)
            guard record.operation == .removeReference else { return try takeBack(link, source: source, target: end) }
            try showAgain(link, source: source, target: end)
        case .update, .replace: try takeBackBindings(of: record, context)
        default: break
        }
    }

    private func takeBackBindings(of record: QueueRecord, _ context: ChangeContext) throws {
        let payload = try RequestLine(db: db, offline: context.offline).payload(of: record)
        for binding in payload.bindings {
            guard case .link(let link, let isReversed)? = schema.relation(of: record.set, binding.navigation) else {
                continue
            }
            for reference in binding.references {
                guard let other = try context.rowIfAny(at: context.path(of: reference))?.id else { continue }
                let (source, target) = isReversed ? (other, record.row) : (record.row, other)
                try takeBack(link, source: source, target: target)
            }
        }
    }

    /// Before a row that was made here goes: links that its own had replaced show again.
    func takeBackAll(of row: EntityRow) throws {
        for link in schema.links(of: row.table.set.name) where try db.tableExists(link.name) {
            let made = try Row.fetchAll(
                db,
                sql: """
                    SELECT "source", "target" FROM \(quoted(link.name)) WHERE "$state" = \(LocalState.pending.rawValue)
                    AND ("source" = ?1 OR "target" = ?1)
                    """, arguments: [row.id])
            for ends in made { try takeBack(link, source: ends["source"], target: ends["target"]) }
        }
    }

    /// A link that was made here goes unless the service has it; one that was hidden shows again.
    private func takeBack(_ link: LinkTable, source: Int64, target: Int64) throws {
        let name = quoted(link.name)
        try db.execute(
            sql: "DELETE FROM \(name) WHERE \"source\" = ? AND \"target\" = ? AND \(try unheld())",
            arguments: [source, target])
        try db.execute(
            sql: "UPDATE \(name) SET \"$state\" = 0 WHERE \"source\" = ? AND \"target\" = ?",
            arguments: [source, target])
        if link.isSourceUnique { try show(link, "source", source) }
        if link.isTargetUnique { try show(link, "target", target) }
    }

    /// A link that was taken away here; one that was made here before waits again.
    private func showAgain(_ link: LinkTable, source: Int64, target: Int64) throws {
        try db.execute(
            sql: """
                UPDATE \(quoted(link.name))
                SET "$state" = CASE WHEN \(try unheld()) THEN \(LocalState.pending.rawValue) ELSE 0 END
                WHERE "source" = ? AND "target" = ?
                """, arguments: [source, target])
    }

    private func unheld() throws -> String {
        let words = try StoreValues(db: db).holderWords
        return (0..<words).map { "\(quoted(HolderSlot.column($0))) = 0" }.joined(separator: " AND ")
    }

    /// The link whose place another one had taken, unless yet another one or a request that waits keeps it away.
    private func show(_ link: LinkTable, _ end: String, _ row: Int64) throws {
        try db.execute(
            sql: """
                UPDATE \(quoted(link.name)) AS l SET "$state" = 0
                WHERE \(quoted(end)) = ? AND "$state" = \(LocalState.deletedHere.rawValue)
                AND NOT EXISTS (SELECT 1 FROM \(quoted(link.name)) AS o
                WHERE o.\(quoted(end)) = l.\(quoted(end)) AND o."$state" = \(LocalState.pending.rawValue))
                AND NOT EXISTS (SELECT 1 FROM "$queue" AS q WHERE q."operation" = 'removeReference'
                AND q."parentRow" IN (l."source", l."target") AND q."targetRow" IN (l."source", l."target"))
                """, arguments: [row])
    }
}
