import ODataStores

/// When a scheduler runs next, and what it does then: events go in, and the next attempt follows from them. Times are
/// durations since the scheduler was made.
///
///     changes ──(delay)──┐
///     network returns ───┼→ attempt → run ─┬→ succeeded → (interval) → attempt
///     interval ──────────┤                 ├→ failed → (retry, Retry-After) → attempt
///     the app's request ─┘                 └→ requirement: only what does not need the app
struct SyncPlan: Sendable {
    struct Attempt: Hashable, Sendable {
        var time: Duration
        var work: SyncWork
        /// Whether the app has requested it, or has changed something.
        var isOfApp = false
    }

    let policy: SyncScheduler.Policy
    /// Nil before it was reported: until then only what the app requests is done.
    private(set) var network: NetworkCondition?
    private(set) var requirement: SyncRequirement?
    /// The number of failed runs since the last that succeeded.
    private(set) var failures = 0
    private(set) var isRunning = false
    private(set) var isDemanded = false
    /// The first and the last change that no run has begun to send.
    private(set) var changes: (first: Duration, last: Duration)?
    /// Since when more is allowed than before, which no run has used yet.
    private(set) var networkReturn: Duration?
    private(set) var retry: Duration?
    private(set) var timer: Duration?
    /// Until then the service does not respond, as it has said.
    private(set) var notBefore = Duration.zero
    private var lastEnd: Duration?

    init(policy: SyncScheduler.Policy, network: NetworkCondition?) {
        self.policy = policy
        self.network = network
    }

    // MARK: The next attempt

    /// The next attempt; nil if there is nothing to wait for but events. Its time may be past.
    func next(at now: Duration) -> Attempt? {
        guard !isRunning else { return nil }
        if isDemanded { return Attempt(time: now, work: policy.work, isOfApp: true) }
        let allowed = allowed
        let possible = candidates.compactMap { candidate -> Attempt? in
            var attempt = candidate
            attempt.work.formIntersection(allowed)
            if let requirement { attempt.work.subtract(requirement.stoppedWork(afterChanges: attempt.isOfApp)) }
            return attempt.work.isDisjoint(with: [.upload, .download]) ? nil : attempt
        }
        guard var next = possible.min(by: { $0.time < $1.time }) else { return nil }
        next.time = max(next.time, notBefore)
        if let lastEnd { next.time = max(next.time, lastEnd + policy.shortestPause) }
        // What is due at the same time is done in the same run.
        for other in possible where other.time <= next.time {
            next.work.formUnion(other.work)
            next.isOfApp = next.isOfApp || other.isOfApp
        }
        return next
    }

    private var allowed: SyncWork {
        guard let network, network.isConnected else { return [] }
        return network.isExpensive ? policy.work.intersection(policy.workOnExpensiveNetwork) : policy.work
    }

    private var candidates: [Attempt] {
        var all: [Attempt] = []
        if let networkReturn {
            // Less often where each return was followed by a failure.
            let earliest = (lastEnd ?? .zero) + min(backOff, Self.longestReturnPause)
            let time = networkReturn + policy.delay
            all.append(Attempt(time: failures > 0 ? max(time, earliest) : time, work: .all))
        }
        if let changes {
            let time = min(changes.last + policy.delay, changes.first + policy.longestDelay)
            // Not before a service that fails is tried again.
            all.append(
                Attempt(time: max(time, retry ?? time), work: policy.workAfterChanges.union(retryWork), isOfApp: true))
        }
        if let retry { all.append(Attempt(time: retry, work: .all)) }
        if let timer { all.append(Attempt(time: max(timer, retry ?? timer), work: .all)) }
        return all
    }

    private static let longestReturnPause = Duration.seconds(60)

    private var retryWork: SyncWork { retry == nil ? [] : .all }

    // MARK: Events

    /// The app has changed something that is to be sent.
    mutating func changed(at now: Duration) {
        changes = (changes?.first ?? now, now)
    }

    mutating func setNetwork(_ condition: NetworkCondition, at now: Duration) {
        let (isFirst, before) = (network == nil, allowed)
        network = condition
        guard !isFirst, !allowed.isSubset(of: before) else { return }
        // A new network is a new chance.
        networkReturn = now
    }

    mutating func demand() { isDemanded = true }

    /// The app has done what was required.
    mutating func resume() {
        (requirement, failures, retry) = (nil, 0, nil)
        isDemanded = true
    }

    /// The queue has nothing that waits for the app any more.
    mutating func settledQueue() {
        if requirement == .conflict || requirement == .refusal { requirement = nil }
    }

    mutating func begin() {
        (isRunning, isDemanded) = (true, false)
        (changes, networkReturn, retry) = (nil, nil, nil)
    }

    /// A run has ended without an error.
    ///
    /// - Parameters:
    ///   - work: What it has done.
    ///   - requirement: What refused requests wait for.
    ///   - isUnsettled: Whether something is to be tried again: unconfirmed requests, streams that failed.
    ///   - jitter: From 0 to 1.
    mutating func succeeded(
        _ work: SyncWork, requiring requirement: SyncRequirement?, isUnsettled: Bool, at now: Duration, jitter: Double
    ) {
        end(at: now)
        self.requirement = requirement
        notBefore = .zero
        if work.contains(.download) || timer == nil { setTimer(at: now, jitter: jitter) }
        failures = isUnsettled ? failures + 1 : 0
        retry = isUnsettled ? now + backOff * (1 - jitter / 2) : nil
    }

    /// A run has ended with an error.
    mutating func failed(_ error: ODataError, at now: Duration, jitter: Double) {
        end(at: now)
        if let seconds = error.retryAfter {
            notBefore = max(notBefore, now + min(.seconds(max(0, seconds)), policy.longestRetryAfter))
        }
        requirement = SyncRequirement(of: error)
        guard let requirement else {
            failures += 1
            retry = max(now + backOff * (1 - jitter / 2), notBefore)
            return
        }
        // What others need not wait for goes on with the timer.
        if requirement.stops != .all { setTimer(at: now, jitter: jitter) }
    }

    /// The run was ended from outside; what it had to do is still to be done.
    mutating func cancelled(at now: Duration) {
        end(at: now)
        changed(at: now)
    }

    private mutating func end(at now: Duration) {
        isRunning = false
        lastEnd = now
    }

    private mutating func setTimer(at now: Duration, jitter: Double) {
        // Up to a tenth earlier.
        timer = policy.interval.map { now + max($0, policy.shortestPause) * (1 - jitter / 10) }
    }

    private var backOff: Duration {
        // 2^20 seconds are more than any limit.
        let factor = 1 << min(max(0, failures - 1), 20)
        return min(policy.firstRetry * factor, policy.longestRetry)
    }

    // MARK: Relaunch

    /// Continues where an earlier run of the app stopped. Times that are too far away, since the device's clock was set,
    /// are brought near.
    ///
    /// - Parameter date: Seconds since 1970, now.
    mutating func restore(_ stored: StoredSyncPlan, at now: Duration, date: Double) {
        func time(_ stored: Double?, atMost limit: Duration) -> Duration? {
            stored.map { now + min(max(.zero, .seconds($0 - date)), limit) }
        }
        failures = max(0, stored.failures)
        notBefore = time(stored.notBefore, atMost: policy.longestRetryAfter) ?? .zero
        if failures > 0 { retry = time(stored.retry, atMost: policy.longestRetry) ?? now }
        if stored.isRunning { retry = retry ?? now }
        guard let interval = policy.interval else { return }
        timer = time(stored.timer, atMost: interval) ?? now
    }

    /// - Parameter date: Seconds since 1970, now.
    func stored(at now: Duration, date: Double) -> StoredSyncPlan {
        func seconds(_ time: Duration?) -> Double? { time.map { date + ($0 - now) / .seconds(1) } }
        return StoredSyncPlan(
            failures: failures, isRunning: isRunning, notBefore: notBefore > now ? seconds(notBefore) : nil,
            retry: seconds(retry), timer: seconds(timer))
    }
}

/// What a store keeps of a ``SyncPlan``: times in seconds since 1970. What is to be sent is in the queue.
struct StoredSyncPlan: Codable, Hashable, Sendable {
    var failures = 0
    /// Whether a run had begun.
    var isRunning = false
    var notBefore: Double?
    var retry: Double?
    var timer: Double?
}

extension SyncRequirement {
    /// Nil for an error that may not occur the next time.
    init?(of error: ODataError) {
        switch error.code {
        case .unauthorized: self = .signIn
        case .forbidden: self = .permission
        case .metadataChanged: self = .rebuild
        case .unusableStore, .wrongKey, .keyNeeded: self = .store
        case .badRequest, .notFound, .gone, .notImplemented, .methodNotAllowed, .unsupportedMediaType, .tooLarge:
            self = .queries
        default: return nil
        }
    }

    /// - Parameter afterChanges: Whether the app has changed something since, so that the queue has something else to
    ///   send.
    func stoppedWork(afterChanges: Bool) -> SyncWork { afterChanges && stops == .upload ? [] : stops }
}
