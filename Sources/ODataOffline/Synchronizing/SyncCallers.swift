import ODataStores

/// The callers that wait for the result of a scheduler's runs.
struct SyncCallers {
    private enum State {
        /// Has not begun to wait.
        case announced
        case cancelled
        case waiting(CheckedContinuation<SyncReport, any Error>)
    }

    private var last = 0
    /// Of the run that is going on.
    private var current: [Int: State] = [:]
    /// Of the next one.
    private var next: [Int: State] = [:]

    mutating func add() -> Int {
        last += 1
        next[last] = .announced
        return last
    }

    /// - Returns: False if the caller was cancelled before.
    mutating func wait(_ caller: Int, _ continuation: CheckedContinuation<SyncReport, any Error>) -> Bool {
        guard case .announced? = next[caller] else {
            next[caller] = nil
            continuation.resume(throwing: Self.cancelled)
            return false
        }
        next[caller] = .waiting(continuation)
        return true
    }

    mutating func cancel(_ caller: Int) {
        switch current.removeValue(forKey: caller) ?? next.removeValue(forKey: caller) {
        case .waiting(let continuation)?: continuation.resume(throwing: Self.cancelled)
        case .announced?: next[caller] = .cancelled
        case .cancelled?, nil: break
        }
    }

    /// A run begins, whose result the waiting callers get.
    mutating func begin() { (current, next) = (next, [:]) }

    mutating func end(with outcome: Result<SyncReport, ODataError>) {
        let callers = current
        current = [:]
        for case .waiting(let continuation) in callers.values {
            continuation.resume(with: outcome.mapError { $0 as any Error })
        }
    }

    mutating func fail(with error: ODataError) {
        end(with: .failure(error))
        begin()
        end(with: .failure(error))
    }

    private static var cancelled: ODataError {
        ODataError(.cancelled, "The caller was cancelled; the synchronization continues.")
    }
}
