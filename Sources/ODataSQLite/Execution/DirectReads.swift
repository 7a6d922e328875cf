import Foundation
import GRDB
import SQLiteEncryption
import Synchronization

/// Short reads on the thread of their caller: a change of threads takes longer than many reads do.
///
/// A thread of the caller's executor is blocked meanwhile. So a read that takes longer is ended, to be repeated on a
/// thread of the database, and at least one thread of the executor stays free.
package final class DirectReads: Sendable {
    private static let longest = Duration.milliseconds(20)
    /// On an event loop, all connections of which wait meanwhile.
    private static let longestOnLoop = Duration.milliseconds(3)
    /// Direct reads of all databases.
    private static let running = Atomic(0)
    /// Those on event loops.
    private static let runningOnLoops = Atomic(0)

    /// The number of direct reads of all databases at a time.
    private let most: Int
    /// The number of reads on threads of the database.
    private let indirect = Atomic(0)

    /// - Parameter most: 0 for none.
    package init(most: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)) { self.most = most }

    /// What `body` returns; nil if it must be read by ``indirectly(_:)``.
    ///
    /// - Parameter limit: The time limit of the read, if it has one.
    package func result<Result>(
        of body: (Database) throws -> Result, in database: any DatabaseReader, within limit: Duration? = nil
    ) throws -> Result? {
        guard let pool = database as? DatabasePool, mayRead(pool) else { return nil }
        let isFree = Self.running.add(1, ordering: .relaxed).newValue <= most
        defer { Self.running.subtract(1, ordering: .relaxed) }
        guard isFree else { return nil }
        do {
            let limit = limit.map { min($0, Self.longest) } ?? Self.longest
            return try pool.readNow { db in try WorkClock.run(limit, on: db) { try body(db) } }
        } catch is TimeIsOver { return nil }
    }

    /// What `body` returns, on a thread that runs nothing but short work, such as an event loop.
    ///
    /// - Parameter limit: The time limit of the read, if it has one.
    /// - Returns: Nil if the read would wait, or `body` returns nil.
    /// - Throws: ``TimeIsOver``, and what `body` throws.
    func immediateResult<Result>(
        in pool: DatabasePool, within limit: Duration? = nil, of body: (Database) throws -> Result?
    ) throws -> Result? {
        let others = Self.runningOnLoops.add(1, ordering: .relaxed).oldValue
        defer { Self.runningOnLoops.subtract(1, ordering: .relaxed) }
        let all = others + Self.running.load(ordering: .relaxed) + indirect.load(ordering: .relaxed)
        guard mayRead(pool), all < pool.configuration.maximumReaderCount - 1 else { return nil }
        let limit = limit.map { min($0, Self.longestOnLoop) } ?? Self.longestOnLoop
        return try pool.readNow { db in try WorkClock.run(limit, on: db) { try body(db) } }
    }

    /// Whether a read need not wait: neither for a connection, nor for the lock of another program, which only a file
    /// without a write-ahead log can have.
    private func mayRead(_ pool: DatabasePool) -> Bool {
        !pool.configuration.readonly
            && indirect.load(ordering: .relaxed) < pool.configuration.maximumReaderCount - 1
    }

    /// A read on a thread of the database.
    package func indirectly<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        indirect.add(1, ordering: .relaxed)
        defer { indirect.subtract(1, ordering: .relaxed) }
        return try await body()
    }
}
