import ByteStreams
import GRDB
import MediaFiles
import ODataQuery
import ODataStores
import SQLiteEncryption

extension ODataError {
    /// The error for a file at `path` that cannot be opened.
    static func opening(_ path: String, _ error: any Error) -> ODataError {
        if let error = error as? ODataError { return error }
        guard let error = error as? DatabaseError else {
            return ODataError(.unusableStore, "\(path) cannot be opened: \(error)", cause: error)
        }
        switch error.resultCode {
        case _ where error.isDiskFull:
            return ODataError(.storage, "\(path) cannot be opened: the disk is full.", cause: error)
        case .SQLITE_NOTADB: return ODataError(.unusableStore, "\(path) is not an SQLite database.", cause: error)
        case .SQLITE_CORRUPT: return ODataError(.unusableStore, "\(path) is damaged.", cause: error)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return ODataError(
                .unusableStore, "\(path) cannot be opened, or not for writing: \(error.message ?? "no permission").",
                cause: error)
        default:
            return ODataError(.unusableStore, "\(path) cannot be opened: \(error.message ?? "\(error)").", cause: error)
        }
    }

    /// The error of a request for an error of the database.
    static func storage(_ error: any Error) -> ODataError {
        switch error {
        case let error as ODataError: return error
        case let error as QueryError:
            return ODataError(
                error.code == .notImplemented ? .notImplemented : .badRequest, error.description, cause: error)
        case let error as ByteStreamError:
            return ODataError(
                error.code == .tooLong ? .tooLarge : .badRequest, "The stream did not arrive: \(error.message)",
                cause: error)
        case let error as MediaFileError: return media(error)
        case is CancellationError: return ODataError(.cancelled, "The request was cancelled.", cause: error)
        case let error as DatabaseError: return database(error)
        default: return ODataError(.internalError, "The request failed: \(error)", cause: error)
        }
    }

    /// Another connection has held the write lock for longer than the timeout.
    static func busy(_ error: DatabaseError) -> ODataError {
        var busy = ODataError(.busy, "Another program holds the file; try again.", cause: error)
        busy.retryAfter = 1
        return busy
    }

    /// The path in the error must not reach clients.
    private static func media(_ error: MediaFileError) -> ODataError {
        switch error.code {
        case .wrongLength: ODataError(.badRequest, "The stream did not arrive: \(error.message)", cause: error)
        case .diskFull: ODataError(.storage, "The disk is full.", cause: error)
        case .notFound:
            ODataError(.internalError, "The file of the stream is not in the media folder any more.", cause: error)
        default: ODataError(.storage, "The media folder cannot be read or written.", cause: error)
        }
    }

    private static func database(_ error: DatabaseError) -> ODataError {
        let text = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return busy(error)
        case _ where error.isDiskFull: return ODataError(.storage, "The disk is full.", cause: error)
        case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_CANTOPEN:
            return ODataError(.storage, "The file cannot be read or written: \(text).", cause: error)
        case .SQLITE_READONLY: return ODataError(.methodNotAllowed, "The file is read-only.", cause: error)
        case .SQLITE_TOOBIG:
            return ODataError(.tooLarge, "SQLite holds at most 1,000,000,000 bytes in a row.", cause: error)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: return ODataError(.cancelled, "The request was cancelled.", cause: error)
        default: return ODataError(.internalError, "The database reports: \(text).", cause: error)
        }
    }
}
