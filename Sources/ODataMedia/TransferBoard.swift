import ODataStores
import Synchronization

/// The transfers of a store: which may run, how far they are, what the app wants of them.
///
/// A run puts its transfers on the board, starts those that the board gives it, and tells what becomes of them. What
/// the app decided about a transfer holds in later runs too, as long as the board is there.
package final class TransferBoard: Sendable {
    package typealias ID = TransferSnapshot.ID

    /// A transfer that may start.
    package struct Turn: Sendable {
        package var id: ID
        /// Ends when the transfer has to stop.
        package var stop: AsyncStream<Void>
    }

    private struct State {
        var schedule: TransferSchedule
        var snapshots: [ID: TransferSnapshot] = [:]
        /// In the order they came on the board.
        var order: [ID] = []
        /// What the app has set.
        var priorities: [ID: Int] = [:]
        /// Of the running ones.
        var stops: [ID: AsyncStream<Void>.Continuation] = [:]
        /// Cancelled by the app before they could start, and not told to the run yet.
        var cancelled: [ID] = []
        /// Wakes the run.
        var bell: AsyncStream<Void>.Continuation?
        var observers: [Observer] = []
        var isOver = false

        mutating func change(_ id: ID, _ body: (inout TransferSnapshot) -> Void) {
            guard var snapshot = snapshots[id] else { return }
            body(&snapshot)
            show(snapshot)
        }

        mutating func show(_ snapshot: TransferSnapshot) {
            snapshots[snapshot.id] = snapshot
            guard !observers.isEmpty else { return }
            observers.removeAll { $0.observer == nil }
            for observer in observers { observer.observer?.put(snapshot) }
        }
    }

    private struct Observer {
        weak var observer: TransferObserver?
    }

    private let state: Mutex<State>
    /// Whether only one runs at a time. It keeps its place while it waits, so that nothing but the schedule decides on the
    /// order.
    let isSerial: Bool

    package init(limit: Int, hostLimit: Int? = nil) {
        isSerial = limit <= 1
        state = Mutex(State(schedule: TransferSchedule(limit: limit, hostLimit: hostLimit)))
    }

    deinit { finish() }
}

// MARK: - The app

extension TransferBoard {
    package var snapshots: [TransferSnapshot] {
        state.withLock { state in state.order.compactMap { state.snapshots[$0] } }
    }

    /// All transfers as they are, then each change; changes of a transfer that come faster than they are taken are seen
    /// together.
    package var changes: AsyncStream<TransferSnapshot> {
        let observer = TransferObserver()
        state.withLock { state in
            for id in state.order { if let snapshot = state.snapshots[id] { observer.put(snapshot) } }
            if state.isOver { observer.finish() } else { state.observers.append(Observer(observer: observer)) }
        }
        return AsyncStream(unfolding: { await observer.next() })
    }

    /// - Returns: False if it is over, paused already or not known.
    package func pause(_ id: ID) -> Bool {
        change(id, in: [.waiting, .running]) { state, snapshot in
            snapshot.state = .paused
            if state.schedule.pause(id) { state.stops.removeValue(forKey: id)?.finish() }
        }
    }

    /// - Returns: False if it was not paused.
    package func resume(_ id: ID) -> Bool {
        change(id, in: [.paused]) { state, snapshot in
            snapshot.state = .waiting
            state.schedule.resume(id)
        }
    }

    /// - Returns: False if it is over or not known.
    package func cancel(_ id: ID) -> Bool {
        change(id, in: [.waiting, .running, .paused]) { state, snapshot in
            snapshot.state = .cancelled
            if state.schedule.isRunning(id) {
                state.stops.removeValue(forKey: id)?.finish()
            } else if state.schedule.contains(id) {
                state.schedule.remove(id)
                state.cancelled.append(id)
            }
        }
    }

    /// - Returns: False if it is over or not known.
    package func setPriority(_ priority: Int, of id: ID) -> Bool {
        change(id, in: [.waiting, .running, .paused]) { state, snapshot in
            snapshot.priority = priority
            state.priorities[id] = priority
            state.schedule.setPriority(priority, of: id)
        }
    }

    /// There will be no changes any more.
    package func finish() {
        state.withLock { state in
            state.isOver = true
            for observer in state.observers { observer.observer?.finish() }
            state.observers = []
        }
    }

    private func change(
        _ id: ID, in states: Set<TransferSnapshot.State>, _ body: (inout State, inout TransferSnapshot) -> Void
    ) -> Bool {
        state.withLock { state in
            guard var snapshot = state.snapshots[id], states.contains(snapshot.state) else { return false }
            body(&state, &snapshot)
            state.show(snapshot)
            state.bell?.yield()
            return true
        }
    }
}

// MARK: - The run

extension TransferBoard {
    /// Puts downloads on the board; those of earlier runs that are over leave it.
    ///
    /// - Returns: Gives something whenever others may start or were cancelled.
    func begin(_ requests: [StreamDownloadRequest]) -> AsyncStream<Void> {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let wanted = Set(requests.map(\.id))
        state.withLock { state in
            state.bell = bell
            state.cancelled = []
            state.schedule.beginTime()
            state.snapshots = state.snapshots.filter { id, snapshot in
                let isLeftOver = snapshot.direction == .download && snapshot.state != .paused && !wanted.contains(id)
                return !snapshot.state.isOver && !isLeftOver
            }
            state.order = state.order.filter { state.snapshots[$0] != nil }
            for request in requests where !state.schedule.contains(request.id) {
                let id = request.id
                let priority = state.priorities[id] ?? request.priority
                var snapshot =
                    state.snapshots[id]
                    ?? TransferSnapshot(id: id, direction: .download, path: request.name, priority: priority)
                if state.snapshots[id] == nil { state.order.append(id) }
                snapshot.priority = priority
                state.schedule.add(
                    id, host: request.host, priority: priority, isPaused: snapshot.state == .paused)
                state.show(snapshot)
            }
        }
        return rings
    }

    /// The run is over, whatever has become of these.
    func end(_ requests: [StreamDownloadRequest]) {
        state.withLock { state in
            state.bell = nil
            for request in requests {
                state.schedule.remove(request.id)
                state.stops[request.id] = nil
                guard var snapshot = state.snapshots[request.id], snapshot.state == .running else { continue }
                snapshot.state = .waiting
                state.show(snapshot)
            }
        }
    }

    /// Whether one runs or waits, or is to be told of.
    var isBusy: Bool { state.withLock { $0.schedule.isBusy || !$0.cancelled.isEmpty } }

    /// Those that may start at this time.
    func start(at time: Duration) -> [Turn] {
        state.withLock { state in
            state.schedule.start(at: time).map { id in
                let (stop, stopper) = AsyncStream.makeStream(of: Void.self)
                state.stops[id] = stopper
                state.change(id) { $0.state = .running }
                return Turn(id: id, stop: stop)
            }
        }
    }

    /// Those that were cancelled before they could start.
    func takeCancelled() -> [ID] {
        state.withLock { state in
            defer { state.cancelled = [] }
            return state.cancelled
        }
    }

    /// A running one has so many bytes.
    func note(_ id: ID, acknowledged: Int64, total: Int64?) {
        state.withLock { state in
            state.change(id) { snapshot in
                snapshot.acknowledged = max(snapshot.acknowledged, acknowledged)
                snapshot.total = total ?? snapshot.total
            }
        }
    }

    /// A running one is over.
    func ended(_ id: ID, _ outcome: Result<Int64, ODataError>) {
        state.withLock { state in
            state.schedule.remove(id)
            state.stops[id] = nil
            state.change(id) { snapshot in
                switch outcome {
                case .success(let length):
                    snapshot.state = .finished
                    snapshot.total = length
                    snapshot.acknowledged = max(snapshot.acknowledged, length)
                case .failure(let error):
                    snapshot.state = snapshot.state == .cancelled ? .cancelled : .failed
                    snapshot.error = error
                }
            }
        }
    }

    /// A running one is none of this run.
    func notAdmitted(_ id: ID) {
        state.withLock { state in
            state.schedule.remove(id)
            state.stops[id] = nil
            state.change(id) { if $0.state == .running { $0.state = .waiting } }
        }
    }

    /// A running one has stopped: it was told to, or has to wait until `time`.
    ///
    /// - Returns: Whether it goes on some time; false if it was cancelled.
    func stopped(_ id: ID, until time: Duration? = nil, holdsHost: Bool = false) -> Bool {
        state.withLock { state in
            state.stops[id] = nil
            guard state.snapshots[id]?.state != .cancelled else {
                state.schedule.remove(id)
                return false
            }
            state.schedule.stopped(id, until: time, holdsHost: holdsHost)
            state.change(id) { if $0.state == .running { $0.state = .waiting } }
            return true
        }
    }
}
