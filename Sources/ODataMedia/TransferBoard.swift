import ODataStores
import Synchronization

/// The transfers of a store: which may run, their progress, and what the app has paused, cancelled or reprioritised.
///
/// A download puts its transfers on the board, starts those that the board gives it, and reports what becomes of them.
/// An upload has an order of its own: it reads from the board what the app has requested for its streams
/// (``UploadControl``). What the app decided about a transfer holds in later runs too, as long as the board is there.
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
        /// In the order in which they were added.
        var order: [ID] = []
        /// Downloads of this run with which it has to do no more, or not now.
        var past: ArraySlice<ID> = []
        /// Whether the run of downloads has put some on the board.
        var isBegun = false
        /// Those that were over when the download or upload began; nil: all that are now.
        var overBefore: Set<ID>?
        /// What the app has set.
        var priorities: [ID: Int] = [:]
        /// Of the running ones.
        var stops: [ID: AsyncStream<Void>.Continuation] = [:]
        /// Downloads that were cancelled by the app before they could start, some perhaps before the run put them on the
        /// board, and are not reported to the run yet.
        var cancelled: [ID] = []
        /// What the app requests of the uploads.
        var control = UploadControl()
        /// Wakes the run.
        var signal: AsyncStream<Void>.Continuation?
        var observers: [Observer] = []
        var isOver = false

        mutating func change(_ id: ID, _ body: (inout TransferSnapshot) -> Void) {
            guard var snapshot = snapshots[id] else { return }
            body(&snapshot)
            show(snapshot)
        }

        mutating func show(_ snapshot: TransferSnapshot) {
            snapshots[snapshot.id] = snapshot
            if snapshot.direction == .upload { control.note(snapshot) }
            guard !observers.isEmpty else { return }
            observers.removeAll { $0.observer == nil }
            for observer in observers { observer.observer?.put(snapshot) }
        }

        /// A run has to do with it no more, or not now.
        mutating func stop(_ id: ID, _ body: (inout TransferSnapshot) -> Void) {
            stops[id] = nil
            change(id) { snapshot in
                snapshot.isWhole = false
                body(&snapshot)
            }
        }

        /// Puts a transfer on the board as its run knows it. What is known of it and what the app said holds.
        mutating func put(_ transfer: TransferSnapshot) {
            var transfer = transfer
            if let known = snapshots[transfer.id] {
                transfer.state = known.state
                if known.content == transfer.content {
                    transfer.acknowledged = max(known.acknowledged, transfer.acknowledged)
                    transfer.total = transfer.total ?? known.total
                }
            } else {
                order.append(transfer.id)
            }
            transfer.priority = priorities[transfer.id] ?? transfer.priority
            show(transfer)
        }

        /// Takes the transfers off the board that are over, and those of a direction that wait for nothing any more. What the
        /// app has cancelled since the download or upload began is cancelled in it.
        mutating func clear(_ direction: TransferSnapshot.Direction, keeping isKept: (TransferSnapshot) -> Bool) {
            let before = overBefore
            overBefore = nil
            let gone = snapshots.values.filter { transfer in
                guard transfer.direction == direction else { return transfer.state.isOver }
                let isNew = transfer.state == .cancelled && before?.contains(transfer.id) == false
                return transfer.state.isOver && !isNew || !isKept(transfer)
            }
            drop(gone.map(\.id))
            control = UploadControl(snapshots.values)
        }

        /// A download with which the run has to do no more.
        mutating func leave(_ id: ID, _ body: (inout TransferSnapshot) -> Void) {
            schedule.remove(id)
            stops[id] = nil
            past.append(id)
            change(id, body)
        }

        /// Takes the downloads off the board with which this run has to do no more, except the latest.
        mutating func forget(allBut count: Int) {
            drop(past.dropLast(count).filter { !schedule.contains($0) && snapshots[$0]?.state != .paused })
            past = past.suffix(count)
        }

        private mutating func drop(_ ids: [ID]) {
            guard !ids.isEmpty else { return }
            let ids = Set(ids)
            for id in ids { snapshots[id] = nil }
            order.removeAll(where: ids.contains)
            for observer in observers { observer.observer?.forget(ids) }
        }
    }

    private struct Observer {
        weak var observer: TransferObserver?
    }

    private let state: Mutex<State>
    /// Whether only one runs at a time. It keeps its place while it waits, so that nothing but the schedule decides on the
    /// order.
    let isSerial: Bool
    /// More are put on it when fewer wait.
    let batch: Int

    /// - Parameter batch: How many downloads wait on the board, about, and how many that are over stay there.
    package init(limit: Int, hostLimit: Int? = nil, batch: Int = 1_000) {
        self.batch = max(1, batch)
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

    /// - Returns: False if it is over, paused already or not known, or on its way in one piece.
    package func pause(_ id: ID) -> Bool {
        change(id, where: \.canPause) { state, snapshot in
            snapshot.state = .paused
            _ = state.schedule.pause(id)
            state.stops.removeValue(forKey: id)?.finish()
        }
    }

    /// - Returns: False if it was not paused.
    package func resume(_ id: ID) -> Bool {
        change(id, where: \.isPaused) { state, snapshot in
            snapshot.state = .waiting
            state.schedule.resume(id)
        }
    }

    /// - Returns: False if it is over or not known.
    package func cancel(_ id: ID) -> Bool {
        change(id, where: \.isOpen) { state, snapshot in
            snapshot.state = .cancelled
            if let stop = state.stops.removeValue(forKey: id) {
                stop.finish()
            } else if state.schedule.contains(id), !state.schedule.isRunning(id) {
                state.schedule.remove(id)
                state.cancelled.append(id)
            }
        }
    }

    /// - Returns: False if it is over or not known.
    package func setPriority(_ priority: Int, of id: ID) -> Bool {
        change(id, where: \.isOpen) { state, snapshot in
            snapshot.priority = priority
            state.priorities[id] = priority
            state.schedule.setPriority(priority, of: id)
        }
    }

    /// No more changes follow.
    package func finish() {
        state.withLock { state in
            state.isOver = true
            for observer in state.observers { observer.observer?.finish() }
            state.observers = []
        }
    }

    private func change(
        _ id: ID, where isMeant: (TransferSnapshot) -> Bool, _ body: (inout State, inout TransferSnapshot) -> Void
    ) -> Bool {
        state.withLock { state in
            guard var snapshot = state.snapshots[id], isMeant(snapshot) else { return false }
            body(&state, &snapshot)
            state.show(snapshot)
            state.signal?.yield()
            return true
        }
    }
}

extension TransferSnapshot {
    fileprivate var isPaused: Bool { state == .paused }
    fileprivate var isOpen: Bool { !state.isOver }
}

// MARK: - The run of downloads

extension TransferBoard {
    /// A download or an upload begins, which puts its transfers on the board later.
    package func expectRun() {
        state.withLock { state in
            state.overBefore = Set(state.snapshots.values.filter(\.state.isOver).map(\.id))
        }
    }

    /// A run begins. Downloads of earlier runs that are over leave the board.
    ///
    /// - Returns: Gives something whenever others may start or were cancelled.
    func begin() -> AsyncStream<Void> {
        let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.signal = signal
            state.cancelled = []
            state.past = []
            state.isBegun = false
            state.schedule.beginTime()
        }
        return changes
    }

    /// Puts downloads on the board. With the first of a run those of earlier runs leave it that are not among them;
    /// with all others, those that are over, except the latest.
    func add(_ requests: [StreamDownloadRequest]) {
        let wanted = Set(requests.map(\.id))
        state.withLock { state in
            if state.isBegun {
                state.forget(allBut: batch)
            } else {
                state.isBegun = true
                state.clear(.download) { $0.state == .paused || wanted.contains($0.id) }
            }
            for request in requests where !state.schedule.contains(request.id) {
                state.put(
                    TransferSnapshot(
                        id: request.id, direction: .download, path: request.name, host: request.host,
                        priority: request.priority))
                guard let snapshot = state.snapshots[request.id] else { continue }
                // The app has cancelled it since the run began.
                guard snapshot.state != .cancelled else {
                    state.cancelled.append(request.id)
                    continue
                }
                state.schedule.add(
                    request.id, host: request.host, priority: snapshot.priority,
                    isPaused: snapshot.state == .paused)
            }
        }
    }

    /// Whether more are to be put on the board.
    var hasRoom: Bool { state.withLock { $0.schedule.hasRoom && $0.schedule.waiting < batch } }

    /// The run is over, whatever has become of these.
    func end(_ ids: some Sequence<ID>) {
        state.withLock { state in
            state.signal = nil
            for id in ids {
                state.schedule.remove(id)
                state.stops[id] = nil
                guard var snapshot = state.snapshots[id], snapshot.state == .running else { continue }
                snapshot.state = .waiting
                state.show(snapshot)
            }
        }
    }

    /// Whether one runs or waits, or is to be reported.
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

    /// Those that were cancelled before they could start, and do not come all the same.
    func takeCancelled() -> [ID] {
        state.withLock { state in
            let cancelled = state.cancelled.filter { !state.schedule.contains($0) }
            state.cancelled = []
            state.past += cancelled
            return cancelled
        }
    }

    /// A running one has so many bytes.
    ///
    /// - Parameter host: The host of the link.
    package func note(_ id: ID, acknowledged: Int64, total: Int64?, host: String? = nil) {
        state.withLock { state in
            state.change(id) { snapshot in
                snapshot.acknowledged = max(snapshot.acknowledged, acknowledged)
                snapshot.total = total ?? snapshot.total
                snapshot.host = host ?? snapshot.host
            }
        }
    }

    /// A running one is over.
    func ended(_ id: ID, _ outcome: Result<Int64, ODataError>) {
        state.withLock { state in
            state.leave(id) { snapshot in
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

    /// A running one does not belong to this run.
    func notAdmitted(_ id: ID) {
        state.withLock { state in state.leave(id) { if $0.state == .running { $0.state = .waiting } } }
    }

    /// A running one has stopped: it was requested to, or has to wait until `time`.
    ///
    /// - Returns: Whether it will continue; false if it was cancelled.
    func stopped(_ id: ID, until time: Duration? = nil, holdsHost: Bool = false) -> Bool {
        state.withLock { state in
            state.stops[id] = nil
            guard state.snapshots[id]?.state != .cancelled else {
                state.leave(id) { _ in }
                return false
            }
            state.schedule.stopped(id, until: time, holdsHost: holdsHost)
            state.change(id) { if $0.state == .running { $0.state = .waiting } }
            return true
        }
    }
}

// MARK: - The run of uploads

extension TransferBoard {
    /// Puts the uploads of all streams that wait to be sent on the board; those of earlier runs that are over, or that
    /// do not belong to these, are removed.
    ///
    /// - Returns: Yields when the app pauses, cancels or reprioritises a transfer.
    package func beginUploads(_ uploads: [TransferSnapshot]) -> AsyncStream<Void> {
        let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let waiting = Set(uploads.map(\.id))
        state.withLock { state in
            state.signal = signal
            state.clear(.upload) { waiting.contains($0.id) }
            for upload in uploads { state.put(upload) }
        }
        return changes
    }

    /// The run is over, whatever has become of the uploads.
    package func endUploads() {
        state.withLock { state in
            state.signal = nil
            for snapshot in state.snapshots.values where snapshot.direction == .upload && snapshot.state == .running {
                state.stop(snapshot.id) { $0.state = .waiting }
            }
        }
    }

    /// What the app requests of the uploads now.
    package var uploadControl: UploadControl { state.withLock { $0.control } }

    /// An upload that is sent now.
    ///
    /// - Returns: Ends when it has to stop; nil if the app has paused or cancelled it.
    package func startUpload(_ upload: TransferSnapshot) -> AsyncStream<Void>? {
        state.withLock { state in
            let known = state.snapshots[upload.id]?.state
            guard known != .paused, known != .cancelled else { return nil }
            let (stop, stopper) = AsyncStream.makeStream(of: Void.self)
            state.put(upload)
            state.stops[upload.id] = stopper
            state.change(upload.id) { snapshot in
                snapshot.state = .running
                snapshot.sent = upload.acknowledged
            }
            return stop
        }
    }

    /// A running upload is sent in one piece from now on: it can no longer be paused.
    ///
    /// - Returns: False if the app has stopped it before.
    package func sendWhole(_ id: ID) -> Bool {
        state.withLock { state in
            guard state.snapshots[id]?.state == .running else { return false }
            state.change(id) { snapshot in
                snapshot.isWhole = true
                snapshot.sent = 0
            }
            return true
        }
    }

    /// A running upload has handed over its bytes up to here, or begins an attempt behind them.
    package func note(_ id: ID, sent: Int64) { state.withLock { state in state.change(id) { $0.sent = sent } } }

    /// An upload that was started, if the app has stopped it since.
    package func stoppedUpload(_ id: ID) -> TransferSnapshot? {
        state.withLock { state in state.snapshots[id].flatMap { $0.state == .running ? nil : $0 } }
    }

    /// What has become of an upload in this run.
    ///
    /// - Parameter end: `waiting` for one that will continue. What the app has requested of it holds then, and also
    ///   where it has `failed` at the same moment.
    package func endUpload(_ id: ID, as end: TransferSnapshot.State, _ error: ODataError? = nil) {
        state.withLock { state in
            state.stop(id) { snapshot in
                let isStopped = snapshot.state == .paused || snapshot.state == .cancelled
                guard end != .waiting || snapshot.state == .running, end != .failed || !isStopped else { return }
                snapshot.state = end
                snapshot.error = error
                if end == .finished { snapshot.acknowledged = snapshot.total ?? snapshot.acknowledged }
            }
        }
    }
}

/// What an app requests of uploads, for those with a request.
package struct UploadControl: Sendable, Hashable {
    package private(set) var paused: Set<TransferSnapshot.ID> = []
    package private(set) var cancelled: Set<TransferSnapshot.ID> = []
    /// Those that are not 0.
    package private(set) var priorities: [TransferSnapshot.ID: Int] = [:]

    fileprivate init() {}

    fileprivate init(_ snapshots: some Sequence<TransferSnapshot>) {
        for snapshot in snapshots where snapshot.direction == .upload { note(snapshot) }
    }

    fileprivate mutating func note(_ snapshot: TransferSnapshot) {
        let id = snapshot.id
        if snapshot.state == .paused { paused.insert(id) } else { paused.remove(id) }
        if snapshot.state == .cancelled { cancelled.insert(id) } else { cancelled.remove(id) }
        priorities[id] = snapshot.priority == 0 ? nil : snapshot.priority
    }
}
