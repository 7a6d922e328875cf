import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Applies the service's response to the store and removes the request from the queue in one transaction.
struct ResponseApplication {
    let context: StoreTransaction
    let record: QueueRecord
    private var db: Database { context.db }
    private var schema: LocalSchema { context.schema }

    /// - Returns: Other requests that may depend on others now.
    @discardableResult
    func apply(_ result: ChangeResult) throws -> [Int64] {
        try RequestQueue(db: db).remove(record.id)
        // A request may outlive the set that it belongs to.
        guard record.row != 0, let table = schema.tables[record.set] else { return [] }
        guard let state = try RowLookup(db: db, table: table).state(of: record.row) else { return [] }
        let row = EntityRow(table: table, id: record.row, state: state)
        switch record.operation {
        case .delete: try RowRemoval(db: db, schema: schema).remove(row)
        case .create, .createMedia: return try applyCreation(result, row)
        case .addReference, .removeReference, .update, .replace, .replaceStream, .deleteStream, .call:
            try LinkReplay(context: context).settle(record)
            try accept(result, row)
        }
        return []
    }

    /// The entity gets the key that the service has given.
    private func applyCreation(_ result: ChangeResult, _ row: EntityRow) throws -> [Int64] {
        guard let key = key(of: result, row) else {
            try keepUntold(row)
            return []
        }
        let moved = try IdentityRepair(context: context).repair(row, key: key)
        try LinkReplay(context: context).settle(record)
        try Self.claim(row, in: db)
        try RowLookup(db: db, table: row.table).setState([], removing: [.madeHere, .temporaryKey], of: row.id)
        try accept(result, row)
        return moved
    }

    /// Without its key the entity cannot be named: it is shown until a download brings it under its key. What waits to
    /// change it cannot be sent.
    private func keepUntold(_ row: EntityRow) throws {
        guard try RequestQueue(db: db).records(changing: row.id).isEmpty else {
            return try RowRemoval(db: db, schema: schema).remove(row)
        }
        try LinkReplay(context: context).settle(record)
        try Self.claim(row, in: db)
        try RowLookup(db: db, table: row.table).setState([], removing: [.madeHere, .pending, .inError], of: row.id)
    }

    private func key(of result: ChangeResult, _ row: EntityRow) -> EntityKey? {
        if let key = result.entity?.key { return key }
        if case .key(let key)? = result.path?.segments.last { return key }
        if let key = result.entityID.flatMap({ context.offline.key(inID: $0, of: row.table.set) }) { return key }
        guard (try? !row.state.contains(.temporaryKey) || context.hasKnownKey(row)) == true else { return nil }
        return try? RowLookup(db: db, table: row.table).key(of: row.id)
    }

    /// The row gets the service's values, with the waiting changes applied to them.
    private func accept(_ result: ChangeResult, _ row: EntityRow) throws {
        try LooseRows(db: db, schema: schema).note(.change, of: row)
        try set(try isOfOther(result, row) ? ChangeResult(result.outcome) : result, row)
        try settleStream(result, row)
        let waiting = try RequestQueue(db: db).records(changing: row.id)
        if waiting.isEmpty {
            try RowRemoval(db: db, schema: schema).dropShadow(of: row)
            try RowLookup(db: db, table: row.table)
                .setState([], removing: [.pending, .inError, .removedThere], of: row.id)
            return try QueryRelease(db: db, schema: schema).removeOrphan(row)
        }
        let lookup = RowLookup(db: db, table: row.table)
        if !waiting.contains(where: { $0.state == .failed }) { try lookup.setState([], removing: .inError, of: row.id) }
        try VersionCopy(db: db, row: row).liveToBase(context, after: record, waiting: waiting)
        try ChangeReplay(context: context, row: row).run(waiting)
    }

    /// Whether the service returned another entity than the one that was changed: then the response reports only
    /// that the request was executed.
    private func isOfOther(_ result: ChangeResult, _ row: EntityRow) throws -> Bool {
        guard let key = result.entity?.key else { return false }
        return try RowLookup(db: db, table: row.table).id(of: key) != row.id
    }

    private func set(_ result: ChangeResult, _ row: EntityRow) throws {
        var values = try result.entity.map(row.table.values) ?? []
        let isOfStream = record.operation == .replaceStream || record.operation == .deleteStream
        // An ETag that is not known any more must not be sent: it could only fail.
        let etag = result.entity?.etag ?? (isOfStream ? nil : result.etag)
        values.append((HiddenColumn.etag.name, etag?.databaseValue ?? .null))
        // What the service has computed is not here: the ETag must not make the next comparison pass the row over.
        if result.entity == nil { values.append((HiddenColumn.download.name, LocalTable.unverified.databaseValue)) }
        try context.set(values, of: row)
    }

    /// The content that was sent is the service's now, unless it was changed again.
    private func settleStream(_ result: ChangeResult, _ row: EntityRow) throws {
        let sent: String?? =
            switch record.operation {
            case .createMedia: .some(nil)
            case .replaceStream, .deleteStream: .some(record.property)
            default: nil
            }
        let waiting = try RequestQueue(db: db).records(changing: row.id)
        for stream in row.table.streams {
            if sent == stream.property { try forgetTag(of: stream, row) }
            let isWaiting = waiting.contains {
                ($0.operation == .replaceStream || $0.operation == .deleteStream) && $0.property == stream.property
            }
            guard !isWaiting else { continue }
            if sent == stream.property {
                try context.set([(stream.changed, 0.databaseValue)], of: row)
                if result.entity == nil, let etag = result.etag, record.operation != .createMedia {
                    try context.set([(stream.etag, etag.databaseValue)], of: row)
                }
            } else if sent == nil,
                try String.fetchOne(
                    db, sql: "SELECT \(quoted(stream.etag)) FROM \(row.table.sqlName) WHERE \(.id) = ?",
                    arguments: [row.id]) != nil
            {
                continue
            }
            // What is in the store belongs to the version that the service has now, unless the response names another
            // one: then another client has written the stream since, and the next download fetches that.
            let told = sent == stream.property ? result.etag.map(EntityTagList.opaque) : nil
            let version = "coalesce(\(quoted(stream.etag)), \(.etag), '')"
            let known = [quoted(stream.etag), "\(.etag)"].map { "replace(coalesce(\($0), ''), 'W/\"', '\"')" }
            // What was lost before its upload was confirmed comes from the service.
            let isLost = sent == stream.property ? stream.isAway : "FALSE"
            try db.execute(
                sql: """
                    UPDATE \(row.table.sqlName) SET \(quoted(stream.fetched)) =
                    CASE WHEN \(isLost) THEN NULL
                    WHEN ?2 IS NULL OR \(version) = '' OR ?2 IN (\(known.joined(separator: ", ")))
                    THEN \(version) ELSE ?2 END
                    WHERE \(.id) = ?1 AND \(quoted(stream.changed)) = 0
                    AND (\(quoted(stream.digest)) IS NOT NULL OR \(sent == stream.property))
                    """, arguments: [row.id, told])
        }
    }

    /// It was that of the content before.
    private func forgetTag(of stream: LocalStream, _ row: EntityRow) throws {
        try db.execute(
            sql: #"DELETE FROM \#(.streamTag) WHERE "row" = ? AND "stream" = ?"#,
            arguments: [row.id, stream.property ?? ""])
    }

    /// Until their next downloads report, all queries on the set count the new entity as theirs. What a download has
    /// brought meanwhile it may not name again.
    static func claim(_ row: EntityRow, in db: Database) throws {
        let slots = try Int.fetchAll(
            db, sql: #"SELECT "slot" FROM \#(.node) WHERE "set" = ?"#, arguments: [row.table.set.name])
        for slot in slots.map(HolderSlot.init) {
            try db.execute(
                sql: """
                    UPDATE \(row.table.sqlName) SET \(quoted(slot.column)) = \(quoted(slot.column)) | \(slot.bit)
                    WHERE \(.id) = ? AND \(quoted(slot.column)) & \(slot.bit) = 0
                    """, arguments: [row.id])
            guard db.changesCount > 0 else { continue }
            try db.execute(sql: "INSERT OR IGNORE INTO \(.claim) VALUES (?, ?)", arguments: [slot.number, row.id])
        }
    }
}
