import Foundation
import GRDB
import ODataStores

/// The waiting requests, in order.
struct RequestQueue {
    let db: Database

    func all() throws -> [QueueRecord] { try records(where: "TRUE") }

    func record(_ id: Int64) throws -> QueueRecord? { try records(where: #""id" = ?"#, [id]).first }

    /// A request with an id of the app.
    ///
    /// - Throws: ``ODataError`` `notFound` if it does not exist.
    func known(_ id: Int64) throws -> QueueRecord {
        guard let record = try self.record(id) else {
            let other = try ErrorArchive.request(ofEntry: id, in: db).map {
                " The error \(id) is of the request \($0)."
            }
            let fate = try wasGiven(id) ? ": it was executed or undone meanwhile." : "."
            throw ODataError(.notFound, "There is no request \(id) in the queue\(fate)\(other ?? "")")
        }
        return record
    }

    /// Whether a request has had this number, which none gets again.
    private func wasGiven(_ id: Int64) throws -> Bool {
        let highest = try Int64.fetchOne(db, sql: #"SELECT "seq" FROM "sqlite_sequence" WHERE "name" = '$queue'"#)
        return id > 0 && id <= highest ?? 0
    }

    func contains(_ id: Int64) throws -> Bool {
        try Int64.fetchOne(db, sql: #"SELECT "id" FROM \#(.queue) WHERE "id" = ?"#, arguments: [id]) != nil
    }

    /// The requests that change the row, in order.
    func records(changing row: Int64) throws -> [QueueRecord] { try records(where: #""row" = ?"#, [row]) }

    /// The requests that change the row or refer to it.
    func records(naming row: Int64) throws -> [QueueRecord] {
        try records(
            where: #""row" = ?1 OR "id" IN (SELECT "entry" FROM \#(.reference) WHERE "row" = ?1)"#, [row])
    }

    /// The requests of a change set, in order.
    func records(ofChangeSet id: Int64) throws -> [QueueRecord] { try records(where: #""changeSet" = ?"#, [id]) }

    /// The requests of which an SQL condition is true, in order.
    func records(where condition: String, _ arguments: StatementArguments = []) throws -> [QueueRecord] {
        let statement = try db.cachedStatement(
            sql: #"SELECT \#(QueueRecord.columns) FROM \#(.queue) WHERE \#(condition) ORDER BY "id""#)
        return try Array(Row.fetchCursor(statement, arguments: arguments).map(QueueRecord.init))
    }

    /// The request with all that succeeds or fails together with it, as far as they are in the queue.
    func unit(of record: QueueRecord) throws -> [QueueRecord] {
        try record.changeSet.map(records(ofChangeSet:)) ?? [self.record(record.id)].compactMap(\.self)
    }

    /// The rows that a request refers to beside its own.
    func references(of entry: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(sql: #"SELECT "row" FROM \#(.reference) WHERE "entry" = ?"#), arguments: [entry])
    }

    /// Appends a request; returns its id.
    ///
    /// - Parameter isFirst: Whether no request of the queue changes its row.
    func append(_ record: QueueRecord, references: Set<Int64>, isFirst: Bool = false) throws -> Int64 {
        try db.executeCached(
            sql: """
                INSERT INTO \(.queue) ("operation", "set", "row", "property", "body", "digest", "contentType", "slug",
                "parentSet", "parentRow", "targetSet", "targetRow", "target", "headers", "requestID", "firstSent",
                "method", "url", "created", "changeSet", "tag", "category", "combines", "entity", "dependsOn")
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                record.operation.rawValue, record.set, record.row, record.property,
                record.body.map { String(decoding: $0, as: UTF8.self) }, record.digest,
                record.contentType, record.slug, record.parent?.set, record.parent?.row, record.target?.set,
                record.target?.row, record.targetURL, try Self.json(record.headers), record.repeatability.requestID,
                record.repeatability.firstSent, record.method, record.url, record.created, record.changeSet,
                record.tag, record.category, record.combines, record.entity,
                "\(try RequestTies(db: db).ids(of: record, references: references, isFirst: isFirst))",
            ])
        let id = db.lastInsertedRowID
        try addReferences(references.subtracting([record.row]), of: id)
        return id
    }

    private func addReferences(_ rows: Set<Int64>, of id: Int64) throws {
        for row in rows {
            try db.executeCached(sql: "INSERT OR IGNORE INTO \(.reference) VALUES (?, ?)", arguments: [id, row])
        }
    }

    /// The rows that a request refers to beside its own, in the place of those it did, and with them the requests
    /// that come before it.
    func setReferences(_ rows: Set<Int64>, of record: QueueRecord) throws {
        let rows = rows.subtracting([record.row])
        try db.executeCached(sql: #"DELETE FROM \#(.reference) WHERE "entry" = ?"#, arguments: [record.id])
        try addReferences(rows, of: record.id)
        try RequestTies(db: db).renew(record, references: rows)
    }

    private static func json(_ headers: [HeaderField]) throws -> String? {
        guard !headers.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(headers), as: UTF8.self)
    }

    func setContent(_ digest: String, type: String, of id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "digest" = ?, "contentType" = ? WHERE "id" = ?"#,
            arguments: [digest, type, id])
    }

    func setHeaders(_ headers: [HeaderField], of id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "headers" = ? WHERE "id" = ?"#, arguments: [try Self.json(headers), id])
    }

    func setLine(_ line: (method: String, url: String), entity: String?, of id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "method" = ?, "url" = ?, "entity" = ? WHERE "id" = ?"#,
            arguments: [line.method, line.url, entity, id])
    }

    func setState(_ state: QueueEntry.State, of id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "state" = ? WHERE "id" = ?"#, arguments: [state.rawValue, id])
    }

    /// It is known that an unconfirmed request was not executed: it waits, or has failed if it cannot be sent as it is.
    func setNotExecuted(_ id: Int64) throws {
        try db.execute(
            sql: """
                UPDATE \(.queue) SET "state" =
                CASE WHEN "id" IN (SELECT "entry" FROM \(.error)) THEN 'failed' ELSE 'waiting' END WHERE "id" = ?
                """, arguments: [id])
    }

    func setBody(_ body: Data, of id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "body" = ? WHERE "id" = ?"#,
            arguments: [String(decoding: body, as: UTF8.self), id])
    }

    /// The request becomes another one for the same entity, with another body, addressed to the entity's set.
    func rewrite(_ record: QueueRecord, as operation: QueueRecord.Operation) throws {
        try db.executeCached(
            sql: """
                UPDATE \(.queue) SET "operation" = ?, "body" = ?, "parentSet" = NULL, "parentRow" = NULL,
                "property" = NULL WHERE "id" = ?
                """, arguments: [operation.rawValue, record.body, record.id])
    }

    /// Records that the request may have reached the service.
    func markSending(_ record: QueueRecord) throws {
        try db.executeCached(
            sql: """
                UPDATE \(.queue) SET "state" = 'sending', "attempts" = ?, "sent" = ?, "requestID" = ?, "firstSent" = ?,
                "mechanism" = ?, "known" = ? WHERE "id" = ?
                """,
            arguments: [
                record.attempts, record.sent, record.repeatability.requestID, record.repeatability.firstSent,
                record.mechanism?.rawValue, record.known.map { "\([$0.row] + $0.queries.sorted())" }, record.id,
            ])
    }

    /// What was being sent when the last process or upload ended may have been executed, unless it is a stream in
    /// pieces that the service does not have all of.
    func recover() throws {
        try db.executeCached(
            sql: """
                UPDATE \(.queue) SET "state" =
                CASE WHEN "id" IN (\(StreamUploadTable.notExecuted)) THEN 'waiting' ELSE 'unconfirmed' END
                WHERE "state" = 'sending'
                """)
    }

    /// The service does not recognise the request any more: it may have been executed, and is not sent again as itself.
    func setForgotten(_ id: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.queue) SET "state" = 'unconfirmed', "mechanism" = 'none' WHERE "id" = ?"#, arguments: [id]
        )
    }

    /// Lets requests that were held wait again where nothing they depend on is in the way any more.
    func releaseHeld() throws {
        var blocked = try Int64.fetchAll(
            db.cachedStatement(sql: #"SELECT "id" FROM \#(.queue) WHERE "state" IN ('failed', 'unconfirmed')"#))
        let held = try Row.fetchAll(
            db.cachedStatement(
                sql: #"SELECT "id", "changeSet", "dependsOn" FROM \#(.queue) WHERE "state" = 'held' ORDER BY "id""#))
        // A change set is held as one.
        let units = Dictionary(grouping: held) { row -> [Int64] in
            let changeSet: Int64? = row["changeSet"]
            return [changeSet ?? 0, changeSet == nil ? row["id"] : 0]
        }
        var dependents: [Int64: [[Int64]]] = [:]
        for (key, unit) in units {
            for need in Set(unit.flatMap({ QueueRecord.ids($0["dependsOn"] ?? "") })) {
                dependents[need, default: []].append(key)
            }
        }
        var free = units.mapValues { $0.map { $0["id"] as Int64 } }
        // What a request depends on may come after it.
        while let id = blocked.popLast() {
            for key in dependents[id] ?? [] { blocked += free.removeValue(forKey: key) ?? [] }
        }
        for id in free.values.joined() { try setState(.waiting, of: id) }
    }

    /// Removes a request. Its dependents then depend on its dependencies.
    func remove(_ id: Int64) throws {
        try RequestTies(db: db).replace(id)
        try db.executeCached(sql: #"DELETE FROM \#(.reference) WHERE "entry" = ?"#, arguments: [id])
        try db.executeCached(sql: #"DELETE FROM \#(.error) WHERE "entry" = ?"#, arguments: [id])
        try StreamUploadTable(db: db).remove(id)
        try db.executeCached(sql: #"DELETE FROM \#(.queue) WHERE "id" = ?"#, arguments: [id])
    }
}
