import Foundation
import GRDB
import ODataStores

/// The uploads of a database in several requests, one in each row; their bytes are in files.
enum UploadTable {
    private static let name = Bookkeeping.uploads
    private static let columns = "token, owner, request, length, received, \(response), expires"
    /// The column of the response, by its name in existing databases.
    private static let response = "\"answer\""
    private static let unfinished = "\(response) IS NULL"
    static let gone = ODataError(.gone, "There is no such upload any more.")

    static func create(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name) (
                  token TEXT NOT NULL PRIMARY KEY, owner TEXT, request BLOB NOT NULL, length INTEGER,
                  received INTEGER NOT NULL, \(response) BLOB, expires INTEGER NOT NULL);
                """)
    }

    static func insert(_ upload: IncomingUpload, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO \(name) (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                upload.token, upload.owner, Data(upload.request), upload.length, upload.offset,
                upload.response.map { Data($0) }, upload.expires,
            ])
    }

    static func find(_ token: String, now: Int64, in db: Database) throws -> IncomingUpload? {
        let row = try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM \(name) WHERE token = ? AND expires > ?", arguments: [token, now])
        guard let row else { return nil }
        let (request, response): (Data, Data?) = (row["request"], row["answer"])
        var upload = IncomingUpload(
            token: row["token"], owner: row["owner"], request: Array(request), length: row["length"],
            expires: row["expires"])
        upload.offset = row["received"]
        upload.response = response.map { Array($0) }
        return upload
    }

    /// Writes the changes of an unfinished upload.
    ///
    /// - Throws: ``ODataError`` `gone` if there is no such upload any more.
    static func update(_ upload: IncomingUpload, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE \(name) SET length = ?, received = ?, \(response) = ?, expires = ?
                WHERE token = ? AND \(unfinished)
                """,
            arguments: [
                upload.length, upload.offset, upload.response.map { Data($0) }, upload.expires, upload.token,
            ])
        guard db.changesCount > 0 else { throw gone }
    }

    /// Records that more bytes of an upload exist than its row states.
    ///
    /// - Returns: False if it has changed since it was found.
    static func grow(_ upload: IncomingUpload, from offset: Int64, in db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE \(name) SET received = ? WHERE token = ? AND \(unfinished) AND received = ?",
            arguments: [upload.offset, upload.token, offset])
        return db.changesCount > 0
    }

    /// Removes an upload with lost bytes.
    ///
    /// - Returns: False if it has changed since it was found.
    static func delete(lost upload: IncomingUpload, in db: Database) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM \(name) WHERE token = ? AND \(unfinished) AND received = ?",
            arguments: [upload.token, upload.offset])
        return db.changesCount > 0
    }

    static func delete(_ token: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM \(name) WHERE token = ?", arguments: [token])
    }

    /// SQL for the request ids of unfinished uploads.
    static let waitingRequestIDs =
        "SELECT '\(IncomingUpload.requestIDPrefix)' || token FROM \(name) WHERE \(unfinished)"

    /// Whether a request id is that of an unfinished upload.
    static func isWaiting(requestID id: String, in db: Database) throws -> Bool {
        guard id.hasPrefix(IncomingUpload.requestIDPrefix) else { return false }
        let token = String(id.dropFirst(IncomingUpload.requestIDPrefix.count))
        let sql = "SELECT EXISTS (SELECT 1 FROM \(name) WHERE token = ? AND \(unfinished))"
        return try Bool.fetchOne(db, sql: sql, arguments: [token]) ?? false
    }

    /// Removes expired uploads; returns their tokens.
    static func expire(now: Int64, in db: Database) throws -> [String] {
        let tokens = try String.fetchAll(db, sql: "SELECT token FROM \(name) WHERE expires <= ?", arguments: [now])
        for token in tokens { try delete(token, in: db) }
        return tokens
    }

    /// The uploads with bytes; a finished one only has its response.
    static func tokensOfFiles(in db: Database) throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT token FROM \(name) WHERE \(unfinished)")
    }

    /// The uploads of one owner that are not finished.
    static func count(owner: String?, in db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM \(name) WHERE \(unfinished) AND owner IS ?", arguments: [owner]) ?? 0
    }

    /// The total number of bytes of unfinished uploads.
    static func reservedSize(in db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT sum(max(received, coalesce(length, 0))) FROM \(name) WHERE \(unfinished)") ?? 0
    }
}
