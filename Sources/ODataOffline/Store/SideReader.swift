import GRDB
import Synchronization

/// A connection for short reads that hold their thread. The reading connections of the pool belong to results that are
/// read in steps, and the writing one to a transaction that may take long: neither keeps such a read waiting.
final class SideReader: Sendable {
    private struct State {
        var connection: DatabaseQueue?
        var isClosed = false
    }

    private let path: String
    private let state = Mutex(State())

    /// Opens nothing yet.
    init(path: String) { self.path = path }

    /// - Returns: Nil once it is closed.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result? {
        let connection = try state.withLock { state -> DatabaseQueue? in
            guard state.connection == nil, !state.isClosed else { return state.connection }
            var configuration = StoreDatabase.configuration
            configuration.readonly = true
            state.connection = try DatabaseQueue(path: path, configuration: configuration)
            return state.connection
        }
        return try connection?.read(body)
    }

    func close() {
        let connection = state.withLock { state in
            state.isClosed = true
            return state.connection.take()
        }
        // One that is in use is closed after its read.
        try? connection?.close()
    }
}
