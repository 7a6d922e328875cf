import ByteStreams
import GRDB
import Synchronization

/// The short changes that wait for the connection that writes.
///
/// Those that wait when the connection is free are carried out in one ``SharedTransaction``. None waits for others to
/// arrive.
final class WriteQueue: Sendable {
    /// The most changes that share a transaction.
    private static let limit = 64

    /// A transaction that has taken this long is committed before the next change.
    let duration: Duration
    private let changes = Mutex<[any WaitingChange]>([])

    init(duration: Duration) { self.duration = duration }

    /// The number of changes that wait.
    var count: Int { changes.withLock { $0.count } }

    /// - Returns: Whether no other change waits: the connection is to be asked for.
    func append(_ change: any WaitingChange) -> Bool {
        changes.withLock { changes in
            changes.append(change)
            return changes.count == 1
        }
    }

    /// - Returns: The changes that have waited longest, and whether others still wait.
    func next() -> (changes: [any WaitingChange], hasMore: Bool) {
        changes.withLock { changes in
            let group = Array(changes.prefix(Self.limit))
            changes.removeFirst(group.count)
            return (group, !changes.isEmpty)
        }
    }
}

/// A change, its caller, and its result until the transaction is committed.
final class SharedWrite<Result: Sendable>: WaitingChange {
    private let caller: WaitingCaller<Result>
    private let body: @Sendable (Database) throws -> Result
    private let result = Mutex<Result?>(nil)

    init(_ caller: WaitingCaller<Result>, _ body: @escaping @Sendable (Database) throws -> Result) {
        self.caller = caller
        self.body = body
    }

    func begin() -> Bool { caller.disableCancellation() }

    func apply(in db: Database) throws {
        let made = try body(db)
        result.withLock { $0 = made }
    }

    func end(_ failure: (any Error)?) {
        if let failure { return caller.end(with: .failure(failure)) }
        if let made = result.withLock({ $0 }) { caller.end(with: .success(made)) }
    }
}
