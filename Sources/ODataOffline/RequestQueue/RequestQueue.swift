import Foundation
import GRDB
import ODataStores

/// The requests that wait to be sent, in order.
struct RequestQueue {
    let db: Database

    func all() throws -> [QueueRecord] {
        try Row.fetchAll(db, sql: #"SELECT * FROM "$queue" ORDER BY "id""#).map(QueueRecord.init)
    }

    func record(_ id: Int64) throws -> QueueRecord? {
        try Row.fetchOne(db, sql: #"SELECT * FROM "$queue" WHERE "id" = ?"#, arguments: [id]).map(QueueRecord.init)
    }

    /// The next request after `id`.
    func next(after id: Int64) throws -> QueueRecord? {
        try Row.fetchOne(
            db, sql: #"SELECT * FROM "$queue" WHERE "id" > ? ORDER BY "id" LIMIT 1"#, arguments: [id]
        ).map(QueueRecord.init)
    }

    /// The requests that change the row, in order.
    func records(changing row: Int64) throws -> [QueueRecord] {
        try Row.fetchAll(db, sql: #"SELECT * FROM "$queue" WHERE "row" = ? ORDER BY "id""#, arguments: [row])
            .map(QueueRecord.init)
    }

    /// The requests that change the row or refer to it.
    func records(naming row: Int64) throws -> [QueueRecord] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM "$queue" WHERE "row" = ?1
                OR "id" IN (SELECT "entry" FROM "$reference" WHERE "row" = ?1) ORDER BY "id"
                """, arguments: [row]
        ).map(QueueRecord.init)
    }

    /// The rows that a request refers to beside its own.
    func references(of entry: Int64) throws -> [Int64] {
        try Int64.fetchAll(db, sql: #"SELECT "row" FROM "$reference" WHERE "entry" = ?"#, arguments: [entry])
    }

    /// Puts a request at the end; says its id.
    func append(_ record: QueueRecord, references: Set<Int64>) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO "$queue" ("operation", "set", "row", "property", "body", "digest", "contentType", "slug",
                "parentSet", "parentRow", "targetSet", "targetRow", "target", "headers", "requestID", "firstSent",
                "method", "url", "created", "changeSet", "tag", "category", "combines")
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                record.operation.rawValue, record.set, record.row, record.property, record.body, record.digest,
                record.contentType, record.slug, record.parent?.set, record.parent?.row, record.target?.set,
                record.target?.row, record.targetURL, try Self.json(record.headers), record.repeatability.requestID,
                record.repeatability.firstSent, record.method, record.url, record.created, record.changeSet,
                record.tag, record.category, record.combines,
            ])
        let id = db.lastInsertedRowID
        try addReferences(references.subtracting([record.row]), of: id)
        return id
    }

    private func addReferences(_ rows: Set<Int64>, of id: Int64) throws {
        for row in rows {
            try db.execute(sql: #"INSERT OR IGNORE INTO "$reference" VALUES (?, ?)"#, arguments: [id, row])
        }
    }

    /// The rows that a request refers to beside its own, in the place of those it did.
    func setReferences(_ rows: Set<Int64>, of id: Int64) throws {
        try db.execute(sql: #"DELETE FROM "$reference" WHERE "entry" = ?"#, arguments: [id])
        try addReferences(rows, of: id)
    }

    private static func json(_ headers: [HeaderField]) throws -> String? {
        headers.isEmpty ? nil : String(decoding: try JSONEncoder().encode(headers), as: UTF8.self)
    }

    func setContent(_ digest: String, type: String, of id: Int64) throws {
        try db.execute(
            sql: #"UPDATE "$queue" SET "digest" = ?, "contentType" = ? WHERE "id" = ?"#, arguments: [digest, type, id])
    }

    func setHeaders(_ headers: [HeaderField], of id: Int64) throws {
        try db.execute(
            sql: #"UPDATE "$queue" SET "headers" = ? WHERE "id" = ?"#, arguments: [try Self.json(headers), id])
    }

    func setLine(_ line: (method: String, url: String), of id: Int64) throws {
        try db.execute(
            sql: #"UPDATE "$queue" SET "method" = ?, "url" = ? WHERE "id" = ?"#, arguments: [line.method, line.url, id])
    }

    func setState(_ state: QueueEntry.State, of id: Int64) throws {
        try db.execute(sql: #"UPDATE "$queue" SET "state" = ? WHERE "id" = ?"#, arguments: [state.rawValue, id])
    }

    func setBody(_ body: Data, of id: Int64) throws {
        try db.execute(sql: #"UPDATE "$queue" SET "body" = ? WHERE "id" = ?"#, arguments: [body, id])
    }

    /// The request becomes another one for the same entity, with another body, addressed to the entity's set.
    func rewrite(_ record: QueueRecord, as operation: QueueRecord.Operation) throws {
        try db.execute(
            sql: """
                UPDATE "$queue" SET "operation" = ?, "body" = ?, "parentSet" = NULL, "parentRow" = NULL,
                "property" = NULL WHERE "id" = ?
                """, arguments: [operation.rawValue, record.body, record.id])
    }

    /// From now on the request may have reached the service.
    func markSent(_ id: Int64) throws {
        try db.execute(
            sql: #"UPDATE "$queue" SET "state" = 'unconfirmed', "attempts" = "attempts" + 1 WHERE "id" = ?"#,
            arguments: [id])
    }

    /// A request that was answered and not executed is a new one when it is sent again.
    func renew(_ id: Int64, as repeatability: Repeatability) throws {
        try db.execute(
            sql: #"UPDATE "$queue" SET "requestID" = ?, "firstSent" = ? WHERE "id" = ?"#,
            arguments: [repeatability.requestID, repeatability.firstSent, id])
    }

    func remove(_ id: Int64) throws {
        try db.execute(sql: #"DELETE FROM "$reference" WHERE "entry" = ?"#, arguments: [id])
        try db.execute(sql: #"DELETE FROM "$error" WHERE "entry" = ?"#, arguments: [id])
        try db.execute(sql: #"DELETE FROM "$queue" WHERE "id" = ?"#, arguments: [id])
    }
}
