import Foundation
import GRDB
import ODataStores

/// The records of a journal, inside one of its transactions.
struct AttachmentRecords {
    let db: Database

    /// In the order they became known in.
    func all(of entity: String) throws -> [AttachmentRecord] {
        try Row.fetchAll(
            db, sql: #"SELECT "id", "body" FROM "$attachment" WHERE "entity" = ? ORDER BY "id""#, arguments: [entity]
        ).map(record)
    }

    /// - Throws: ``ODataError`` `notFound` if there is none of the entity with this id.
    func record(_ id: Int64, of entity: String) throws -> AttachmentRecord {
        let row = try Row.fetchOne(
            db, sql: #"SELECT "id", "body" FROM "$attachment" WHERE "id" = ? AND "entity" = ?"#,
            arguments: [id, entity])
        guard let row else { throw ODataError(.notFound, "\(entity) has no attachment \(id).") }
        return try record(row)
    }

    /// The entities with attachments.
    func entities() throws -> [String] {
        try String.fetchAll(db, sql: #"SELECT DISTINCT "entity" FROM "$attachment" ORDER BY "entity""#)
    }

    /// Whether an attachment of any entity has edits.
    func haveEdits() throws -> Bool {
        try entities().contains { try all(of: $0).contains { $0.attachment.hasLocalEdits } }
    }

    @discardableResult
    func insert(_ record: AttachmentRecord) throws -> AttachmentRecord {
        try db.execute(
            sql: """
                INSERT INTO "$attachment" ("entity", "remote", "digest", "download", "body") VALUES (?, ?, ?, ?, ?)
                """, arguments: try values(of: record))
        var record = record
        record.id = db.lastInsertedRowID
        return record
    }

    func update(_ record: AttachmentRecord) throws {
        try db.execute(
            sql: """
                UPDATE "$attachment" SET "entity" = ?, "remote" = ?, "digest" = ?, "download" = ?, "body" = ?
                WHERE "id" = ?
                """, arguments: try values(of: record) + [record.id])
    }

    func remove(_ id: Int64) throws {
        try db.execute(sql: #"DELETE FROM "$attachment" WHERE "id" = ?"#, arguments: [id])
    }

    /// Does with a record what its edit state asks for.
    func settle(_ record: AttachmentRecord, _ action: AttachmentEdit.Action) throws {
        var record = record
        switch action {
        case .remove: return try remove(record.id)
        case .restore: record.restore()
        case .keep: break
        }
        try update(record)
    }

    /// The attachments of an entity go with it to its new name.
    func rename(_ entity: String, to name: String) throws {
        let there = Set(try all(of: name).compactMap { $0.remote?.id })
        for var record in try all(of: entity) {
            if let id = record.remote?.id, there.contains(id) {
                guard record.attachment.hasLocalEdits else {
                    try remove(record.id)
                    continue
                }
                try removeListed(id, of: name)
            }
            record.entity = name
            try update(record)
        }
    }

    /// Another record of what the service calls `remote`, if it has edits.
    func edited(_ remote: String, of entity: String, except id: Int64) throws -> AttachmentRecord? {
        try all(of: entity).first { $0.id != id && $0.remote?.id == remote && $0.attachment.hasLocalEdits }
    }

    /// Removes what was fetched, and no edit.
    func clear(_ entity: String) throws {
        for var record in try all(of: entity) {
            guard record.attachment.hasLocalEdits else {
                try remove(record.id)
                continue
            }
            record.download = nil
            try update(record)
        }
    }

    /// What a list has brought as an attachment of its own and is that of another record.
    func removeListed(_ remote: String, of entity: String, except id: Int64 = 0) throws {
        try db.execute(
            sql: #"DELETE FROM "$attachment" WHERE "entity" = ? AND "remote" = ? AND "id" <> ?"#,
            arguments: [entity, remote, id])
    }

    private func values(of record: AttachmentRecord) throws -> StatementArguments {
        let body = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        return [record.entity, record.remote?.id, record.digest, record.download?.digest, body]
    }

    private func record(_ row: Row) throws -> AttachmentRecord {
        let body: String = row["body"]
        do {
            var record = try JSONDecoder().decode(AttachmentRecord.self, from: Data(body.utf8))
            record.id = row["id"]
            return record
        } catch {
            throw ODataError(.unusableStore, "An attachment cannot be read from its journal: \(error)", cause: error)
        }
    }
}
