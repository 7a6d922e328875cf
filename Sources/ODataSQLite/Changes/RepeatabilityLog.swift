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
    let model: EdmModel

    /// What a request is kept by: its id, and the user who has sent it. That of an upload can be known to its user only.
    /// Nil for one that is not repeatable.
    static func key(_ request: ChangeRequest) -> String? {
        guard let requestID = request.repeatability?.requestID else { return nil }
        guard let user = request.scope.user, !requestID.hasPrefix(IncomingUpload.requestIDPrefix) else {
            return requestID
        }
        return "\(user) \(requestID)"
    }

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
    ///   request is older than results are kept, so that it is unknown whether it was executed.
    func result(of change: PreparedChange, in db: Database) throws -> ChangeResult? {
        guard let entry = try entry(of: change, in: db) else { return nil }
        var result = ChangeResult(
            Self.outcome(entry.outcome), entityID: entry.path, etag: entry.etag, isRepeatable: true)
        result.path = try entry.path.map { try parser.path($0) }
        return result
    }

    func record(_ result: ChangeResult, of change: PreparedChange, in db: Database) throws {
        let entry = Entry(outcome: Self.name(result.outcome), path: result.path?.url, etag: result.etag)
        try record(entry, of: change, in: db)
    }

    /// Takes up calls that are new, and tells those that were carried out before.
    ///
    /// - Returns: What each gave, now or then, and the places of the changes that have been made already.
    func take(_ calls: [PreparedCall], in db: Database) throws -> (results: [OperationResult], made: Set<Int>) {
        var made: Set<Int> = []
        let results = try calls.map { call -> OperationResult in
            if let earlier = try result(ofCall: call.change, in: db) {
                made.formUnion(call.changes)
                return earlier
            }
            try record(entry(of: call.result, call.change), of: call.change, in: db)
            return call.result
        }
        return (results, made)
    }

    /// What an earlier execution of a call gave: a query or a value; nothing where it was neither, or does not fit the
    /// file any more.
    func result(ofCall call: PreparedChange, in db: Database) throws -> OperationResult? {
        guard let entry = try entry(of: call, in: db) else { return nil }
        guard let text = entry.path else { return .nothing }
        switch entry.outcome {
        case "query": return (try? parser.link(text)).map(OperationResult.query) ?? OperationResult.nothing
        case "value":
            guard let type = call.request.target.lastCall?.operation.result?.type else { return .nothing }
            let value = EdmValue(jsonText: Array(text.utf8)[...], type: type, model: model)
            return value.map(OperationResult.value) ?? OperationResult.nothing
        default: return .nothing
        }
    }

    /// Of a call the URL of the query that it gave is in the place of the path, or the value as JSON. Entities that
    /// the action made up are not kept.
    private func entry(of result: OperationResult, _ call: PreparedChange) -> Entry {
        switch result {
        case .query(let query): return Entry(outcome: "query", path: query.url)
        case .value(let value):
            let type = call.request.target.lastCall?.operation.result?.type
            let json = type.map { value.jsonText(type: $0, model: model) } ?? value.jsonText
            return Entry(outcome: "value", path: String(decoding: json, as: UTF8.self))
        case .nothing, .members, .entities: return Entry(outcome: Self.name(.called))
        }
    }

    private struct Entry {
        var outcome: String
        var path: String?
        var etag: String?
    }

    private func entry(of change: PreparedChange, in db: Database) throws -> Entry? {
        guard let repeatability = change.request.repeatability, let key = change.repetitionKey else { return nil }
        let row = try Row.fetchOne(
            db, sql: "SELECT first_sent, fingerprint, outcome, path, etag FROM \(Bookkeeping.requests) WHERE id = ?",
            arguments: [key])
        guard let row else {
            // An upload may take longer: as long as it waits its result does not expire, so there was none.
            if let sent = EdmDateTimeOffset(httpDate: repeatability.firstSent),
                sent.secondsSinceEpoch < now - lifetime,
                try !UploadTable.isWaiting(requestID: repeatability.requestID, in: db)
            {
                throw ODataError(
                    .preconditionFailed, "The request was first sent at \(repeatability.firstSent): too long ago.")
            }
            return nil
        }
        guard row[0] == repeatability.firstSent, row[1] == change.fingerprint else {
            throw ODataError(
                .badRequest, "The Repeatability-Request-ID \(repeatability.requestID) was used for another request.")
        }
        return Entry(outcome: row[2], path: row[3], etag: row[4])
    }

    private func record(_ entry: Entry, of change: PreparedChange, in db: Database) throws {
        guard let repeatability = change.request.repeatability, let key = change.repetitionKey else { return }
        try Self.expire(before: now, in: db)
        try db.execute(
            sql: "INSERT INTO \(Bookkeeping.requests) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                key, repeatability.firstSent, change.fingerprint, entry.outcome, entry.path,
                entry.etag, now + lifetime,
            ])
    }

    /// Whether a request with this ``key(_:)`` was carried out.
    static func hasResult(of key: String, in db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM \(Bookkeeping.requests) WHERE id = ?)"
        return try Bool.fetchOne(db, sql: sql, arguments: [key]) ?? false
    }

    /// Takes away results that have been kept long enough. That of an upload is not expired as long as it waits: its end
    /// may be asked for again.
    static func expire(before now: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM \(Bookkeeping.requests)
                WHERE kept_until < ? AND id NOT IN (\(UploadTable.waitingRequestIDs))
                """,
            arguments: [now])
    }

    private static func name(_ outcome: ChangeResult.Outcome) -> String {
        switch outcome {
        case .created: "created"
        case .updated: "updated"
        case .called: "called"
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
