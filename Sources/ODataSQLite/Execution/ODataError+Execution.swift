import GRDB
import ODataQuery
import ODataSQL
import ODataStores
import SQLiteEncryption

extension ODataError {
    /// Runs `work` and converts its errors to ``ODataError``.
    ///
    /// - Parameter limit: How long the work may take, for the message.
    static func wrapping<Result>(_ limit: Duration? = nil, _ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch {
            if error is TimeIsOver, let limit { throw ODataError.timeLimit(limit) }
            throw ODataError(reading: error)
        }
    }

    /// An error of the translation or execution of a query.
    package init(reading error: any Error) {
        switch error {
        case let error as ODataError: self = error
        case let error as QueryError:
            let code: Code = error.code == .notImplemented ? .notImplemented : .badRequest
            self.init(code, error.description, cause: error)
        case let error as DatabaseError: self.init(database: error)
        case is CancellationError: self.init(.cancelled, "The read was cancelled.", cause: error)
        default: self.init(.internalError, "The read failed: \(error)", cause: error)
        }
    }

    /// How SQLite's messages about its limits on statements start: `too many FROM clause terms, max: 200`, `at most 64
    /// tables in a join`.
    private static let limits = [
        "too many ", "at most ", "parser stack overflow", "Expression tree is too large", "fts5: parser stack overflow",
        "fts5 expression tree is too large", "fts5: too many ", "variable number must be between",
        "LIKE or GLOB pattern too complex", "hex literal too big",
    ]

    private init(database error: DatabaseError) {
        let message = error.message ?? "no message"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(error)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self.init(.cancelled, "The read was interrupted.", cause: error)
        case _ where error.isDiskFull: self.init(.storage, "The disk is full.", cause: error)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY:
            self.init(.storage, "The database cannot be used: \(message).", cause: error)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.unusableStore, "The database is damaged: \(message).", cause: error)
        case .SQLITE_ERROR where message.hasPrefix(SQLiteFunctions.argumentFault):
            let reason = message.dropFirst(SQLiteFunctions.argumentFault.count).drop { $0 == " " }
            self.init(.badRequest, "The query cannot be evaluated: \(reason)", cause: error)
        case .SQLITE_ERROR where message.hasPrefix(SQLiteFunctions.unsupported):
            let what = message.dropFirst(SQLiteFunctions.unsupported.count + 1)
            self.init(.notImplemented, "The store cannot evaluate this: \(what)", cause: error)
        case .SQLITE_ERROR where message == "integer overflow":
            self.init(.badRequest, "A sum leaves the range of Edm.Int64.", cause: error)
        case .SQLITE_TOOBIG: self.init(.badRequest, "The query is too much for the database: \(message).", cause: error)
        case .SQLITE_NOMEM:
            self.init(.badRequest, "The query needs more memory than one statement may have.", cause: error)
        case .SQLITE_ERROR where Self.limits.contains { message.hasPrefix($0) }:
            self.init(.badRequest, "The query is too complex for the database: \(message).", cause: error)
        default: self.init(.internalError, "The database failed: \(message).", cause: error)
        }
    }
}
