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

    /// Undoes a request. The creation of an entity takes everything along that names it.
    func undo(_ record: QueueRecord) throws {
        guard record.state != .unconfirmed else {
            throw ODataError(
                .conflict, "The request \(record.id) may have been executed: upload first, then change it back.")
        }
        let table = try schema.table(named: record.set)
        let isCreation = record.operation == .create || record.operation == .createMedia
        if isCreation {
            for other in try context.queue.records(naming: record.row) where other.id > record.id {
                // An earlier step may have taken it along.
                if let other = try context.queue.record(other.id) { try undo(other) }
            }
        }
        try undoLinks(of: record)
        try context.queue.remove(record.id)
        guard let row = try? context.row(record.row, in: table) else { return }
        if isCreation { return try RowRemoval(db: db, schema: schema).remove(row) }
        try restore(row)
    }

    /// The row becomes what the service said last, with the changes that still wait on top.
    private func restore(_ row: EntityRow) throws {
        let waiting = try context.queue.records(changing: row.id)
        if !row.state.contains(.madeHere) { try copyBack(to: row) }
        for record in waiting where record.operation.hasPayload {
            let payload = try RequestLine(db: db, offline: context.offline).payload(of: record)
            try context.write(payload, to: row, replacing: record.operation == .replace)
        }
        var removed: LocalState = []
        if !waiting.contains(where: { $0.state == .failed }) { removed.insert(.inError) }
        if !waiting.contains(where: { $0.operation == .delete }) { removed.insert(.deletedHere) }
        if waiting.isEmpty { removed.formUnion([.pending, .removedThere]) }
        try RowLookup(db: db, table: row.table).setState([], removing: removed, of: row.id)
        if waiting.isEmpty {
            try RowRemoval(db: db, schema: schema).dropShadow(of: row)
            try QueryRelease(db: db, schema: schema).removeUnheld(of: row.table.set.name)
        }
    }

    /// The version that came last from the service: what came meanwhile, else what the first change found.
    private func copyBack(to row: EntityRow) throws {
        let columns = ["$etag"] + row.table.columns.filter { !$0.isKey }.map(\.name)
        try copy(columns + row.table.streams.flatMap(\.all), from: row.table.baseName, to: row)
        try copy(columns + row.table.streams.flatMap(\.control), from: row.table.theirsName, to: row)
    }

    private func copy(_ columns: [String], from table: String, to row: EntityRow) throws {
        guard try db.tableExists(table) else { return }
        let assignments = columns.map { "\(quoted($0)) = v.\(quoted($0))" }.joined(separator: ", ")
        try db.execute(
            sql: """
                UPDATE \(row.table.sqlName) SET \(assignments) FROM \(quoted(table)) AS v
                WHERE \(row.table.sqlName)."$id" = v."$id" AND v."$id" = ?
                """, arguments: [row.id])
    }

    private func undoLinks(of record: QueueRecord) throws {
        guard record.operation == .addReference || record.operation == .removeReference,
            let parent = record.parent, let target = record.target, let name = record.property,
            case .link(let link, let isReversed)? = schema.relation(of: parent.set, name)
        else { return }
        let (source, end) = isReversed ? (target.row, parent.row) : (parent.row, target.row)
        if record.operation == .addReference {
            try db.execute(
                sql: "DELETE FROM \(quoted(link.name)) WHERE \"source\" = ? AND \"target\" = ?",
                arguments: [source, end])
        } else {
            try db.execute(
                sql: "UPDATE \(quoted(link.name)) SET \"$state\" = 0 WHERE \"source\" = ? AND \"target\" = ?",
                arguments: [source, end])
        }
    }
}

extension OfflineStore {
    /// Takes a queued request back, failed or not sent yet, with what it has changed here and with its entry of the
    /// error archive. Undoing the creation of an entity undoes everything that names it.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request, `conflict` if it may have been executed or an
    ///   upload runs.
    public func undo(requestID: Int64) throws {
        try transferringNow("undoing") {
            let offline = try offlineModel()
            try database.writeDurably { db in
                guard let record = try RequestQueue(db: db).record(requestID) else {
                    throw ODataError(.notFound, "There is no request \(requestID) in the queue.")
                }
                try Undo(context: ChangeContext(db: db, offline: offline, configuration: configuration)).undo(record)
            }
        }
        try database.write(collectMedia)
    }

    /// Lets a request that failed because its entity has changed at the service (412) replace what is there: from now
    /// on it carries the ETag of the version that came with the last download.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request.
    public func overwrite(requestID: Int64) throws {
        try transferringNow("overwriting") {
            let offline = try offlineModel()
            try database.writeDurably { db in
                guard let record = try RequestQueue(db: db).record(requestID) else {
                    throw ODataError(.notFound, "There is no request \(requestID) in the queue.")
                }
                let table = try offline.schema.table(named: record.set)
                guard try db.tableExists(table.theirsName) else { return }
                try db.execute(
                    sql: """
                        UPDATE \(table.sqlName) SET "$etag" = v."$etag" FROM \(quoted(table.theirsName)) AS v
                        WHERE \(table.sqlName)."$id" = v."$id" AND v."$id" = ?
                        """, arguments: [record.row])
                try RequestQueue(db: db).setState(.waiting, of: record.id)
            }
        }
    }
}
