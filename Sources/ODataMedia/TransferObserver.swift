import ODataStores
import Synchronization

/// What one observer of transfers has not taken yet: of each transfer the last that is known.
final class TransferObserver: Sendable {
    private struct Pending {
        var order: ArraySlice<TransferSnapshot.ID> = []
        var snapshots: [TransferSnapshot.ID: TransferSnapshot] = [:]
    }

    private let pending = Mutex(Pending())
    private let bell: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation

    init() {
        (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ snapshot: TransferSnapshot) {
        pending.withLock { pending in
            if pending.snapshots.updateValue(snapshot, forKey: snapshot.id) == nil { pending.order.append(snapshot.id) }
        }
        ringer.yield()
    }

    func finish() { ringer.finish() }

    /// Waits for a change; nil when there will be none.
    func next() async -> TransferSnapshot? {
        while true {
            if let snapshot = take() { return snapshot }
            var isOver = true
            for await _ in bell {
                isOver = false
                break
            }
            if isOver { return take() }
        }
    }

    private func take() -> TransferSnapshot? {
        pending.withLock { pending in
            pending.order.popFirst().flatMap { pending.snapshots.removeValue(forKey: $0) }
        }
    }
}
