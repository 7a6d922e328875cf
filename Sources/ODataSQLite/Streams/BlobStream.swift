import ByteStreams
import GRDB
import ODataStores
import Synchronization

/// A BLOB that is being read: a handle on a separate connection, whose snapshot lasts until the end of the stream.
final class BlobStream: Sendable {
    private static let pieceLength: Int64 = 256 * 1024
    private let state: Mutex<State>
    private let check: @Sendable () throws -> Void

    private struct State: ~Copyable {
        let connection: DatabaseQueue
        var blob: BlobHandle?
        var position: Int64
        let end: Int64
    }

    /// - Parameter check: Throws once another file has replaced the database's file.
    init(
        _ blob: consuming BlobHandle, connection: DatabaseQueue, range: StreamRange,
        check: @escaping @Sendable () throws -> Void
    ) {
        self.check = check
        state = Mutex(
            State(
                connection: connection, blob: consume blob, position: range.offset, end: range.offset + range.count))
    }

    deinit {
        state.withLock { $0.blob = nil }
    }

    var chunks: ByteChunks {
        ByteChunks { try self.next() }
    }

    /// - Throws: ``ODataError`` if the row was changed or deleted meanwhile, which is possible in a file without
    ///   write-ahead logging; bytes of another content are never returned.
    private func next() throws -> [UInt8]? {
        try check()
        return try state.withLock { state in
            let count = min(Self.pieceLength, state.end - state.position)
            guard count > 0 else {
                state.blob = nil
                return nil
            }
            do {
                guard let chunk = try state.blob?.read(Int(count), at: state.position) else { return nil }
                state.position += count
                return chunk
            } catch {
                state.blob = nil
                throw Self.failure(error)
            }
        }
    }

    private static func failure(_ error: any Error) -> ODataError {
        guard let error = error as? DatabaseError, error.resultCode == .SQLITE_ABORT else { return .storage(error) }
        return ODataError(.storage, "The stream was changed while it was being read; read it again.", cause: error)
    }
}
