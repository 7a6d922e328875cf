import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

/// Copies versions of a row between the live table and its shadow.
struct VersionCopy {
    let db: Database
    let row: EntityRow

    private var values: [String] {
        ["$etag"] + row.table.hiddenColumns + row.table.columns.filter { !$0.isKey }.map(\.name)
    }

    /// What came from the service, and which has no content of streams, over what the first change found.
    func theirsToBase() throws {
        try copy(values + row.table.streams.flatMap(\.control), from: row.table.theirsName, to: row.table.baseName)
        try dropTheirs()
    }

    func dropTheirs() throws {
        guard try db.tableExists(row.table.theirsName) else { return }
        try db.execute(sql: "DELETE FROM \(quoted(row.table.theirsName)) WHERE \"$id\" = ?", arguments: [row.id])
    }

    /// The service has executed `record`: the row is its version, but for content of streams that waits to be sent.
    /// What a download had brought before is older.
    func liveToBase(_ context: StoreTransaction, after record: QueueRecord, waiting: [QueueRecord]) throws {
        let streams = row.table.streams.filter { stream in
            waiting.contains { $0.operation.isOfStream && $0.property == stream.property }
        }
        let known = try streams.map { try base($0) }
        try context.keepBase(of: row)
        for (stream, known) in zip(streams, known) {
            let isSent = record.operation == .createMedia || record.operation.isOfStream
            if isSent, record.property == stream.property {
                let sent = stream.content(record.digest, type: record.contentType)
                try context.set(sent + [(stream.changed, 0.databaseValue)], of: row, in: row.table.baseName)
            } else if let known {
                try context.set(known, of: row, in: row.table.baseName)
            }
        }
        try dropTheirs()
    }

    /// The content of a stream that the first change found.
    private func base(_ stream: LocalStream) throws -> [(column: String, value: DatabaseValue)]? {
        guard try db.tableExists(row.table.baseName) else { return nil }
        let columns = [stream.type, stream.digest, stream.fetched, stream.changed, stream.evicted]
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(row.table.baseName))
                WHERE "$id" = ?
                """, arguments: [row.id])
        return found.map { found in columns.map { ($0, found[$0]) } }
    }

    func baseToLive() throws {
        try copy(values + row.table.streams.flatMap(\.all), from: row.table.baseName, to: row.table.name)
    }

    private func copy(_ columns: [String], from source: String, to target: String) throws {
        guard try db.tableExists(source), try db.tableExists(target) else { return }
        let assignments = columns.map { "\(quoted($0)) = v.\(quoted($0))" }.joined(separator: ", ")
        try db.execute(
            sql: """
                UPDATE \(quoted(target)) SET \(assignments) FROM \(quoted(source)) AS v
                WHERE \(quoted(target))."$id" = v."$id" AND v."$id" = ?
                """, arguments: [row.id])
    }
}

/// The bits of a row that follow from the requests that wait for it.
struct RowStates {
    let context: StoreTransaction
    let row: EntityRow

    func settle(_ waiting: [QueueRecord]) throws {
        var removed: LocalState = []
        if !waiting.contains(where: { $0.state == .failed }) { removed.insert(.inError) }
        if !waiting.contains(where: { $0.operation == .delete }) { removed.insert(.deletedHere) }
        if waiting.isEmpty { removed.formUnion([.pending, .removedThere]) }
        try RowLookup(db: context.db, table: row.table).setState([], removing: removed, of: row.id)
        guard waiting.isEmpty else { return }
        try RowRemoval(db: context.db, schema: context.schema).dropShadow(of: row)
        let release = QueryRelease(db: context.db, schema: context.schema)
        try release.removeOrphan(row)
        // What was made and sent in a set that no query brings stays for now.
        if try row.state.contains(.removedThere) || release.isBrought(row.table.set.name) {
            try release.removeUnheld(of: row.table.set.name)
        }
    }
}
