import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// The results of repeatable requests, each written in the transaction of its change.
///
/// [Repeatable Requests 1.0]
struct RepeatabilityLog: Sendable {
    /// Seconds for which a result is kept.
    let lifetime: Int64
    /// Seconds after 1970.
    let now: Int64
    let parser: QueryParser

    static func createTable(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(Bookkeeping.requests) (
                  id TEXT NOT NULL PRIMARY KEY, first_sent TEXT NOT NULL, fingerprint TEXT NOT NULL,
                  outcome TEXT NOT NULL, path TEXT, etag TEXT, kept_until INTEGER NOT NULL);
                CREATE INDEX IF NOT EXISTS \(Bookkeeping.requests)_kept ON \(Bookkeeping.requests) (kept_until);
                """)
    }

    /// The result of an earlier execution; nil if there was none.
    ///
    /// - Throws: ``ODataError`` `badRequest` if the id was used for another request, `preconditionFailed` if the
    ///   request is older than results are kept, so that it cannot be told whether it was executed.
    func result(of change: PreparedChange, in db: Database) throws -> ChangeResult? {
        guard let repeatability = change.request.repeatability else { return nil }
        let row = try Row.fetchOne(
            db, sql: "SELECT first_sent, fingerprint, outcome, path, etag FROM \(Bookkeeping.requests) WHERE id = ?",
            arguments: [repeatability.requestID])
        guard let row else {
            if let sent = HTTPDate.seconds(repeatability.firstSent), sent < now - lifetime {
                throw ODataError(
                    .preconditionFailed, "The request was first sent at \(repeatability.firstSent): too long ago.")
            }
            return nil
        }
        guard row[0] == repeatability.firstSent, row[1] == change.fingerprint else {
            throw ODataError(
                .badRequest, "The Repeatability-Request-ID \(repeatability.requestID) was used for another request.")
        }
        let path: String? = row[3]
        var result = ChangeResult(Self.outcome(row[2]), entityID: path, etag: row[4], isRepeatable: true)
        result.path = try path.map { try parser.path($0) }
        return result
    }

    func record(_ result: ChangeResult, of change: PreparedChange, in db: Database) throws {
        guard let repeatability = change.request.repeatability else { return }
        try Self.expire(before: now, in: db)
        try db.execute(
            sql: "INSERT INTO \(Bookkeeping.requests) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                repeatability.requestID, repeatability.firstSent, change.fingerprint, Self.name(result.outcome),
                result.path?.url, result.etag, now + lifetime,
            ])
    }

    /// Takes away results that have been kept long enough.
    static func expire(before now: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM \(Bookkeeping.requests) WHERE kept_until < ?", arguments: [now])
    }

    private static func name(_ outcome: ChangeResult.Outcome) -> String {
        switch outcome {
        case .created: "created"
        case .updated, .called: "updated"
        case .deleted: "deleted"
        }
    }

    private static func outcome(_ name: String) -> ChangeResult.Outcome {
        switch name {
        case "created": .created
        case "deleted": .deleted
        default: .updated
        }
    }
}

/// The dates of HTTP headers.
///
/// [RFC 9110, section 5.6.7]
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds after 1970; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), let date = EdmDate(year: year, month: month + 1, day: day),
            let time = EdmTimeOfDay(parts[4])
        else { return nil }
        return EdmDateTimeOffset(date: date, time: time).secondsSinceEpoch
    }
}
