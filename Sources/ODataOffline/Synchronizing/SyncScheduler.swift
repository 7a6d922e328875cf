import Foundation
import ODataStores

/// Synchronizes a store by itself: after changes, when the network returns, from time to time, and when the app asks.
///
///     let scheduler = SyncScheduler(store: store, network: SystemNetworkMonitor())
///     try await scheduler.start()
///     for await state in store.syncStates { show(state) }
///
/// One run at a time sends the queue and brings the defining queries up to date (``OfflineStore/sync(_:progress:)``).
/// After a failure the next attempt waits, longer each time, and as long as the service asks for with `Retry-After`. What
/// only the app or the user can do is ``SyncState/requirement``; the scheduler stops what needs it. What is to be sent is
/// in the queue, and when the next attempt is due is kept in the store, so that a scheduler of the next run of the app
/// continues.
///
/// A store has one scheduler at a time. It runs until ``stop()``, and also ends when the store is closed.
public actor SyncScheduler {
    let store: OfflineStore
    private let network: (any NetworkMonitor)?
    private let time: SchedulerTime
    private let random: @Sendable () -> UInt64
    private var plan: SyncPlan
    private var queue = QueueSummary()
    private var isStarted = false
    private var followers: [Task<Void, Never>] = []
    private var run: Task<Void, Never>?
    /// Wakes the scheduler at a time.
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    /// Those that wait for the result of the run, and of the next one.
    private var callers = SyncCallers()

    /// - Parameters:
    ///   - store: An open store with a service.
    ///   - policy: When it synchronizes, and what.
    ///   - network: Reports the network; nil for one that is always there.
    ///   - clock: Waits for the next attempt.
    ///   - random: Random bits for the delays; those of ``OfflineStore/Configuration/random`` if nil.
    public init(
        store: OfflineStore, policy: Policy = Policy(), network: (any NetworkMonitor)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), random: (@Sendable () -> UInt64)? = nil
    ) {
        self.store = store
        self.network = network
        self.random = random ?? store.configuration.random
        time = SchedulerTime(clock)
        plan = SyncPlan(policy: policy, network: network == nil ? .connected : nil)
    }

    deinit {
        for follower in followers { follower.cancel() }
        alarm?.task.cancel()
        store.syncBoard.release(ObjectIdentifier(self))
    }

    // MARK: The app's calls

    /// Starts, and continues what an earlier run of the app has left: changes that were not sent, a run that was cut, a
    /// delay after failures. Has no effect if it runs already.
    ///
    /// - Throws: ``ODataError`` `conflict` while another scheduler of the store runs, `methodNotAllowed` if the store was
    ///   opened for reading only, `cancelled` if it is closed.
    public func start() async throws {
        guard !isStarted else { return }
        try store.checkOpen()
        try store.database.checkWritable(for: "Synchronization is")
        guard store.syncBoard.claim(for: self) else {
            throw ODataError(.conflict, "Another scheduler synchronizes the store already: stop it first.")
        }
        isStarted = true
        // Before the queue is read, so that no change is missed.
        let changes = store.queueWatch.signals()
        do {
            let (stored, queue) = try await store.database.reading { db in
                (try StoreValues(db: db).syncPlan, try QueueSummary(db: db))
            }
            guard isStarted else { return }
            self.queue = queue
            plan.restore(stored ?? StoredSyncPlan(), at: time.elapsed(), date: date)
            if queue.waiting + queue.unconfirmed > 0 { plan.changed(at: time.elapsed()) }
        } catch {
            isStarted = false
            store.syncBoard.release(ObjectIdentifier(self))
            throw error
        }
        follow(changes)
        reconsider()
    }

    /// Ends the run that is going on, if there is one, and starts no other. The next ``start()`` continues.
    public func stop() async {
        guard isStarted else { return }
        isStarted = false
        for follower in followers { follower.cancel() }
        followers = []
        setAlarm(nil)
        run?.cancel()
        await run?.value
        run = nil
        callers.fail(with: Self.stopped)
        store.syncBoard.release(ObjectIdentifier(self))
        store.syncBoard.update { $0.nextAttempt = nil }
    }

    /// Synchronizes now, whatever the scheduler waits for. If a run is going on, another one follows it, so that changes
    /// which the app has made before are sent.
    ///
    /// A caller that is cancelled does not end the run.
    ///
    /// - Returns: What was sent and received.
    /// - Throws: ``ODataError`` of the run: see ``OfflineStore/sync(_:progress:)``; `cancelled` if the scheduler does not
    ///   run, or stops.
    @discardableResult
    public func sync() async throws -> SyncReport {
        guard isStarted else { throw Self.stopped }
        let id = callers.add()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard callers.wait(id, continuation) else { return }
                plan.demand()
                reconsider()
            }
        } onCancel: {
            Task { await self.leave(id) }
        }
    }

    /// The app has done what ``SyncState/requirement`` says, such as signing in: synchronizes now.
    public func resume() {
        guard isStarted else { return }
        plan.resume()
        store.syncBoard.update { $0.requirement = nil }
        reconsider()
    }

    /// Ends the run that is going on; the next one continues it. For the end of the time that the system gives an app in
    /// the background.
    func interrupt() { run?.cancel() }

    private func leave(_ caller: Int) { callers.cancel(caller) }

    private static var stopped: ODataError { ODataError(.cancelled, "The scheduler does not run: start it first.") }

    // MARK: What happens outside

    private func follow(_ changes: AsyncStream<Void>) {
        followers.append(
            Task { [weak self] in
                for await _ in changes { await self?.queueChanged() }
                await self?.storeClosed()
            })
        guard let network else { return }
        followers.append(
            Task { [weak self] in
                for await condition in network.conditions { await self?.networkChanged(condition) }
            })
    }

    private func queueChanged() async {
        // What a run changes itself is looked at when it ends.
        guard isStarted, run == nil, let queue = try? await store.database.reading({ try QueueSummary(db: $0) }),
            run == nil, queue != self.queue
        else { return }
        self.queue = queue
        if queue.failed == 0 {
            plan.settledQueue()
            store.syncBoard.update { [plan] in $0.requirement = plan.requirement }
        }
        if queue.waiting > 0 { plan.changed(at: time.elapsed()) }
        reconsider()
    }

    private func networkChanged(_ condition: NetworkCondition) {
        guard isStarted else { return }
        plan.setNetwork(condition, at: time.elapsed())
        store.syncBoard.update { $0.isConnected = condition.isConnected }
        reconsider()
    }

    private func storeClosed() async {
        if (try? store.checkOpen()) == nil { await stop() }
    }

    // MARK: Attempts

    /// Starts the next run if it is due, else waits for it.
    private func reconsider() {
        guard isStarted, run == nil else { return }
        let now = time.elapsed()
        guard let attempt = plan.next(at: now) else { return setAlarm(nil) }
        guard attempt.time <= now else { return setAlarm(attempt.time) }
        setAlarm(nil)
        plan.begin()
        callers.begin()
        run = Task { await self.synchronize(attempt.work) }
    }

    private func setAlarm(_ end: Duration?) {
        guard alarm?.time != end else { return }
        alarm?.task.cancel()
        alarm = nil
        let date = end.map { store.configuration.now().addingTimeInterval(($0 - time.elapsed()) / .seconds(1)) }
        store.syncBoard.update { $0.nextAttempt = date }
        guard let end else { return }
        let task = Task { [weak self, time] in
            do { try await time.sleep(end) } catch { return }
            await self?.alarmRang(at: end)
        }
        alarm = (end, task)
    }

    private func alarmRang(at end: Duration) {
        guard alarm?.time == end else { return }
        setAlarm(nil)
        reconsider()
    }

    private func synchronize(_ work: SyncWork) async {
        await save()
        let outcome: Result<SyncReport, ODataError>
        do { outcome = .success(try await store.sync(work)) } catch { outcome = .failure(ODataError(any: error)) }
        await settle(outcome, work)
        await save()
        run = nil
        callers.end(with: outcome)
        reconsider()
        // Made since the queue was read.
        await queueChanged()
    }

    private func settle(_ outcome: Result<SyncReport, ODataError>, _ work: SyncWork) async {
        let before = queue
        // A store that is being closed ends its scheduler.
        let reading = Task { [store] in
            let queue = try await store.database.readingToEnd { try QueueSummary(db: $0) }
            let conflicts = queue.failed > 0 ? try await store.conflicts() : []
            return (queue, !conflicts.isEmpty)
        }
        let (after, hasConflicts) = (try? await reading.value) ?? (queue, false)
        queue = after
        let (now, jitter) = (time.elapsed(), Double(random() >> 11) / Double(1 << 53))
        switch outcome {
        case .success(let report):
            let isRefused = report.upload.map { !$0.failed.isEmpty } ?? (after.failed > 0)
            let requirement: SyncRequirement? = isRefused ? hasConflicts ? .conflict : .refusal : nil
            plan.succeeded(
                work, requiring: requirement, isUnsettled: report.isUnsettled, at: now, jitter: jitter)
        case .failure where store.remote == nil: plan.failed(ODataError(.unusableStore, ""), at: now, jitter: jitter)
        case .failure(let error) where error.code == .cancelled: plan.cancelled(at: now)
        case .failure(let error): plan.failed(error, at: now, jitter: jitter)
        }
        if let retry = plan.retry { store.observation.noteRetry(after: retry - now, failure: outcome.failure) }
        // Made while the run was going on.
        if after.waiting > 0, after.last > before.last { plan.changed(at: now) }
        store.syncBoard.update { [plan] in $0.requirement = plan.requirement }
    }

    /// Seconds since 1970.
    private var date: Double { store.configuration.now().timeIntervalSince1970 }

    /// Without it the next run of the app begins at once.
    private func save() async {
        let stored = plan.stored(at: time.elapsed(), date: date)
        try? await store.database.writing { try StoreValues(db: $0).setSyncPlan(stored) }
    }
}

/// The time since a scheduler was made.
private struct SchedulerTime {
    let elapsed: @Sendable () -> Duration
    /// Waits until so much time has passed.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}

extension SyncReport {
    /// Whether the next run may bring what this one has not.
    fileprivate var isUnsettled: Bool {
        upload.map { !$0.unconfirmed.isEmpty || !$0.notSent.isEmpty } ?? false
            || download.map { !$0.failedStreams.isEmpty } ?? false
    }
}

extension StoreValues {
    fileprivate static let syncPlanName = "syncPlan"

    /// Nil before the first run.
    fileprivate var syncPlan: StoredSyncPlan? {
        get throws {
            try text(Self.syncPlanName).flatMap { try? JSONDecoder().decode(StoredSyncPlan.self, from: Data($0.utf8)) }
        }
    }

    fileprivate func setSyncPlan(_ plan: StoredSyncPlan) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try set(Self.syncPlanName, String(decoding: try encoder.encode(plan), as: UTF8.self))
    }
}
