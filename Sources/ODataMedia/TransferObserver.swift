import ODataStores
import Synchronization

/// What one observer of transfers has not taken yet: of each transfer the last that is known.
final class TransferObserver: Sendable {
    private struct Pending {
        var order: ArraySlice<TransferSnapshot.ID> = []
        var snapshots: [TransferSnapshot.ID: TransferSnapshot] = [:]
        /// Those that were taken last when they were not over: their end is kept too.
        var taken: Set<TransferSnapshot.ID> = []
    }

    private let pending = Mutex(Pending())
    private let changes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ snapshot: TransferSnapshot) {
        pending.withLock { pending in
            if pending.snapshots.updateValue(snapshot, forKey: snapshot.id) == nil { pending.order.append(snapshot.id) }
        }
        signal.yield()
    }

    /// These are removed: their pending values are dropped, so that an observer who takes nothing keeps no more than is
    /// known.
    func forget(_ ids: Set<TransferSnapshot.ID>) {
        pending.withLock { pending in
            for id in ids where pending.taken.remove(id) == nil { pending.snapshots[id] = nil }
            pending.order.removeAll { pending.snapshots[$0] == nil }
        }
    }

    func finish() { signal.finish() }

    /// Waits for a change; nil when there will be none.
    func next() async -> TransferSnapshot? {
        while true {
            if let snapshot = take() { return snapshot }
            var isOver = true
            for await _ in changes {
                isOver = false
                break
            }
            if isOver { return take() }
        }
    }

    private func take() -> TransferSnapshot? {
        pending.withLock { pending in
            guard let id = pending.order.popFirst(), let snapshot = pending.snapshots.removeValue(forKey: id) else {
                return nil
            }
            if snapshot.state.isOver { pending.taken.remove(id) } else { pending.taken.insert(id) }
            return snapshot
        }
    }
}
