import Synchronization

/// What commits have changed of what a live query reads.
enum CommittedChanges: Sendable {
    case nothing
    /// Rows of the query's table that were inserted or updated, by their ids; their keys are as they were.
    case rows(Set<Int64>)
    /// Anything.
    case anything

    /// More rows than these are not looked at one by one.
    private static let rowLimit = 64

    func union(_ other: CommittedChanges) -> CommittedChanges {
        switch (self, other) {
        case (.nothing, let changes), (let changes, .nothing): return changes
        case (.rows(let own), .rows(let others)):
            let all = own.union(others)
            return all.count > Self.rowLimit ? .anything : .rows(all)
        default: return .anything
        }
    }

    var isEmpty: Bool { if case .nothing = self { true } else { false } }
    var isAnything: Bool { if case .anything = self { true } else { false } }
}

/// Collects what commits change, for one live query.
final class CommittedChangeLog: Sendable {
    private struct State {
        /// Of the transaction that is not committed yet.
        var open = CommittedChanges.nothing
        var committed = CommittedChanges.nothing
    }

    private let state = Mutex(State())

    /// - Returns: Whether more of the same transaction makes no difference.
    func add(_ changes: CommittedChanges) -> Bool {
        state.withLock { state in
            state.open = state.open.union(changes)
            return state.open.isAnything
        }
    }

    /// - Returns: Whether the transaction has changed something.
    func commit() -> Bool {
        state.withLock { state in
            defer { state.open = .nothing }
            state.committed = state.committed.union(state.open)
            return !state.open.isEmpty
        }
    }

    func rollBack() { state.withLock { $0.open = .nothing } }

    /// Commits were not observed.
    func addUnobserved() { state.withLock { $0.committed = .anything } }

    /// What was committed since it was taken last.
    func take() -> CommittedChanges {
        state.withLock { state in
            defer { state.committed = .nothing }
            return state.committed
        }
    }
}
