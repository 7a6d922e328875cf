import Foundation
import GRDB
import ODataMedia
import ODataStores

/// The uploads of streams in pieces, as kept in `"$transfer"`: one for a request, in the place of the one before.
struct StreamUploadTable {
    /// `session` is JSON, `digest` the content that is uploaded, `acknowledged` how many of its `total` bytes the
    /// service has.
    static let definition = """
        CREATE TABLE IF NOT EXISTS \(.transfer) (
            "entry" INTEGER PRIMARY KEY, "method" TEXT NOT NULL, "session" TEXT, "digest" TEXT NOT NULL,
            "acknowledged" INTEGER NOT NULL, "total" INTEGER NOT NULL, "state" TEXT NOT NULL)
        """

    struct Record: Sendable {
        var method: String
        var session: UploadSession?
        var digest: String
        var acknowledged: Int64
        /// All bytes.
        var total: Int64
        var state: StreamUploadMachine.State
    }

    let db: Database

    func record(of entry: Int64) throws -> Record? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: #"SELECT * FROM \#(.transfer) WHERE "entry" = ?"#), arguments: [entry])
        guard let row else { return nil }
        let session = (row["session"] as String?).flatMap { text in
            try? JSONDecoder().decode(UploadSession.self, from: Data(text.utf8))
        }
        return Record(
            method: row["method"], session: session, digest: row["digest"], acknowledged: row["acknowledged"],
            total: row["total"], state: StreamUploadMachine.State(rawValue: row["state"]) ?? .unconfirmed)
    }

    /// Keeps where an upload is, unless its request was undone meanwhile.
    func keep(_ upload: StreamUploadMachine, method: String, digest: String, of entry: Int64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let session = try upload.session.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        try db.executeCached(
            sql: """
                INSERT OR REPLACE INTO \(.transfer)
                ("entry", "method", "session", "digest", "acknowledged", "total", "state")
                SELECT "id", ?, ?, ?, ?, ?, ? FROM \(.queue) WHERE "id" = ?
                """,
            arguments: [
                method, session, digest, upload.acknowledged, upload.total, upload.state.rawValue, entry,
            ])
    }

    /// How much of the stream of a request the service does not have yet, as far as is known.
    func bytesLeft(of record: QueueRecord, length: Int64) throws -> Int64 {
        guard let known = try self.record(of: record.id), known.session != nil, known.digest == record.digest else {
            return length
        }
        return max(0, length - known.acknowledged)
    }

    /// The service cannot be asked about the upload any more, and may have carried the request out. It is not begun anew
    /// before the service was looked at.
    func forgetSession(of entry: Int64) throws {
        try db.executeCached(
            sql: #"UPDATE \#(.transfer) SET "session" = NULL, "state" = 'unconfirmed' WHERE "entry" = ?"#,
            arguments: [entry])
    }

    func remove(_ entry: Int64) throws {
        try db.executeCached(sql: #"DELETE FROM \#(.transfer) WHERE "entry" = ?"#, arguments: [entry])
    }

    /// Whether the request, which the service has not executed, was announced to the service: it already has its
    /// identity.
    func isOpen(_ entry: Int64) throws -> Bool {
        try record(of: entry)?.session != nil
    }

    /// The requests that the service may have carried out, which it can be asked.
    func doubtful() throws -> Set<Int64> {
        try Int64.fetchSet(
            db,
            sql: """
                SELECT "entry" FROM \(.transfer) WHERE "session" IS NOT NULL AND "state" IN ('committing', 'unconfirmed')
                """)
    }

    /// SQL for the requests that were not carried out, though they were being sent: the service does not have all bytes.
    static let notExecuted = #"SELECT "entry" FROM \#(.transfer) WHERE "state" IN ('beginning', 'appending', 'paused')"#
}
