import ODataStores
import Testing

@testable import ODataOffline

@Suite("When a scheduler runs")
struct SyncPlanTests {
    private static func plan(
        _ network: NetworkCondition? = .connected, _ configure: (inout SyncScheduler.Policy) -> Void = { _ in }
    ) -> SyncPlan {
        var policy = SyncScheduler.Policy()
        policy.interval = nil
        configure(&policy)
        return SyncPlan(policy: policy, network: network)
    }

    private static func error(_ code: ODataError.Code, retryAfter: Int? = nil) -> ODataError {
        var error = ODataError(code, "failed")
        error.retryAfter = retryAfter
        return error
    }

    @Test("Nothing is due without a reason")
    func nothing() { #expect(Self.plan().next(at: .zero) == nil) }

    @Test("Changes wait for further ones, but not for ever")
    func changes() {
        var plan = Self.plan()
        plan.changed(at: .seconds(10))
        #expect(plan.next(at: .seconds(10))?.time == .seconds(12))
        for second in 11...100 { plan.changed(at: .seconds(second)) }
        let next = plan.next(at: .seconds(100))
        #expect(next?.time == .seconds(40) && next?.work == .all && next?.isOfApp == true)
        plan.begin()
        #expect(plan.next(at: .seconds(100)) == nil)
    }

    @Test("A change during a run is due after it, and after the shortest pause")
    func changeDuringRun() {
        var plan = Self.plan()
        plan.changed(at: .zero)
        plan.begin()
        plan.changed(at: .seconds(1))
        #expect(plan.next(at: .seconds(9)) == nil)
        plan.succeeded(.all, requiring: nil, isUnsettled: false, at: .seconds(9), jitter: 0)
        #expect(plan.next(at: .seconds(9))?.time == .seconds(14))
    }

    @Test("The interval begins with the end of a run, and is shortened at random")
    func interval() {
        var plan = Self.plan { $0.interval = .seconds(100) }
        plan.begin()
        plan.succeeded(.all, requiring: nil, isUnsettled: false, at: .seconds(5), jitter: 1)
        #expect(plan.next(at: .seconds(5))?.time == .seconds(95))
        plan.begin()
        plan.succeeded(.upload, requiring: nil, isUnsettled: false, at: .seconds(50), jitter: 0)
        #expect(plan.next(at: .seconds(50))?.time == .seconds(95))
    }

    @Test("Delays after failures double up to a limit, and half of each is random", arguments: [0.0, 0.5, 1.0])
    func backOff(jitter: Double) {
        var plan = Self.plan { $0.longestRetry = .seconds(60) }
        for expected in [5, 10, 20, 40, 60, 60, 60] {
            plan.begin()
            plan.failed(Self.error(.unreachable), at: .zero, jitter: jitter)
            let delay = max(.seconds(5), .seconds(expected) * (1 - jitter / 2))
            #expect(plan.next(at: .zero)?.time == delay)
        }
        plan.begin()
        plan.succeeded(.all, requiring: nil, isUnsettled: false, at: .zero, jitter: 0)
        #expect(plan.next(at: .zero) == nil && plan.failures == 0)
    }

    @Test("Very many failures do not overflow")
    func manyFailures() {
        var plan = Self.plan { ($0.firstRetry, $0.longestRetry) = (.seconds(1_000_000), .seconds(3600)) }
        for _ in 1...200 {
            plan.begin()
            plan.failed(Self.error(.unreachable), at: .zero, jitter: 0)
        }
        #expect(plan.next(at: .zero)?.time == .seconds(3600))
    }

    @Test("What the service asks for counts, for changes and for a network that returns too")
    func retryAfter() {
        var plan = Self.plan()
        plan.begin()
        plan.failed(Self.error(.unreachable, retryAfter: 120), at: .seconds(10), jitter: 0)
        plan.changed(at: .seconds(20))
        plan.setNetwork(.disconnected, at: .seconds(30))
        #expect(plan.next(at: .seconds(30)) == nil)
        plan.setNetwork(.connected, at: .seconds(40))
        #expect(plan.next(at: .seconds(40))?.time == .seconds(130))
        plan.begin()
        plan.failed(Self.error(.unreachable, retryAfter: .max), at: .seconds(130), jitter: 0)
        #expect(plan.next(at: .zero)?.time == .seconds(130 + 24 * 3600))
        plan.begin()
        plan.failed(Self.error(.unreachable, retryAfter: -5), at: .seconds(90_000), jitter: 0)
        #expect(plan.failures == 3)
    }

    @Test("A change does not come before the retry of a service that fails, and what it needs is part of it")
    func changeAfterFailure() {
        var plan = Self.plan { $0.workAfterChanges = .upload }
        for _ in 1...4 {
            plan.begin()
            plan.failed(Self.error(.internalError), at: .zero, jitter: 0)
        }
        plan.changed(at: .seconds(1))
        let next = plan.next(at: .seconds(1))
        #expect(next?.time == .seconds(40) && next?.work == .all)
    }

    @Test("A network that returns is tried at once after a long delay, and less often while it fails")
    func networkReturns() {
        var plan = Self.plan()
        for _ in 1...10 {
            plan.begin()
            plan.failed(Self.error(.unreachable), at: .zero, jitter: 0)
        }
        plan.setNetwork(.disconnected, at: .seconds(1))
        plan.setNetwork(.connected, at: .seconds(2))
        #expect(plan.next(at: .seconds(2))?.time == .seconds(60))
        plan.setNetwork(.disconnected, at: .seconds(200))
        plan.setNetwork(.connected, at: .seconds(300))
        #expect(plan.next(at: .seconds(300))?.time == .seconds(302))
    }

    @Test("Before the network is known, and without it, only what the app requests is done")
    func unknownNetwork() {
        for network in [nil, NetworkCondition.disconnected] {
            var plan = Self.plan(network) { $0.interval = .seconds(10) }
            plan.changed(at: .zero)
            plan.restore(StoredSyncPlan(), at: .zero, date: 0)
            #expect(plan.next(at: .seconds(100)) == nil)
            plan.demand()
            #expect(plan.next(at: .seconds(100))?.time == .seconds(100))
        }
        var plan = Self.plan(nil)
        plan.setNetwork(.connected, at: .zero)
        #expect(plan.next(at: .zero) == nil)
    }

    @Test("An expensive network limits the work, and a cheap one brings the rest")
    func expensive() {
        var plan = Self.plan(.expensive) { $0.workAfterChanges = [.upload, .streams] }
        plan.changed(at: .zero)
        #expect(plan.next(at: .zero)?.work == .upload)
        plan.begin()
        plan.succeeded(.upload, requiring: nil, isUnsettled: false, at: .seconds(3), jitter: 0)
        plan.setNetwork(.connected, at: .seconds(100))
        #expect(plan.next(at: .seconds(100)) == .init(time: .seconds(102), work: .all))
        var never = Self.plan(.expensive) { $0.workOnExpensiveNetwork = [] }
        never.changed(at: .zero)
        #expect(never.next(at: .zero) == nil)
    }

    @Test(
        "Errors that only the app can solve stop what needs it",
        arguments: [
            (ODataError.Code.unauthorized, "signIn", 0), (.forbidden, "permission", 7),
            (.metadataChanged, "rebuild", 1),
            (.unusableStore, "store", 0), (.wrongKey, "store", 0), (.badRequest, "queries", 7),
            (.notFound, "queries", 7), (.notImplemented, "queries", 7),
        ])
    func requirements(code: ODataError.Code, name: String, work: Int) {
        var plan = Self.plan { $0.interval = .seconds(100) }
        plan.begin()
        plan.failed(Self.error(code), at: .zero, jitter: 0)
        #expect(plan.requirement?.name == name)
        plan.changed(at: .zero)
        plan.setNetwork(.disconnected, at: .zero)
        plan.setNetwork(.connected, at: .zero)
        let next = plan.next(at: .zero)?.work
        #expect((next?.rawValue ?? 0) & 3 == work & 3)
        plan.resume()
        #expect(plan.requirement == nil && plan.next(at: .zero)?.work == .all)
    }

    @Test("Refused requests wait for the app; downloads and new changes do not")
    func refusal() {
        var plan = Self.plan { $0.interval = .seconds(100) }
        plan.begin()
        plan.succeeded(.all, requiring: .refusal, isUnsettled: false, at: .zero, jitter: 0)
        #expect(plan.next(at: .zero) == .init(time: .seconds(100), work: [.download, .streams]))
        plan.changed(at: .seconds(10))
        #expect(plan.next(at: .seconds(10)) == .init(time: .seconds(12), work: .all, isOfApp: true))
        plan.settledQueue()
        #expect(plan.requirement == nil)
    }

    @Test("What is due is kept, and dates that a wrong clock has made are brought near")
    func relaunch() {
        var plan = Self.plan { $0.interval = .seconds(100) }
        plan.begin()
        #expect(plan.stored(at: .seconds(1), date: 1001).isRunning)
        plan.failed(Self.error(.unreachable, retryAfter: 30), at: .seconds(1), jitter: 0)
        let stored = plan.stored(at: .seconds(1), date: 1001)
        #expect(stored == StoredSyncPlan(failures: 1, notBefore: 1031, retry: 1031))
        var next = Self.plan { $0.interval = .seconds(100) }
        next.restore(stored, at: .zero, date: 1011)
        #expect(next.next(at: .zero)?.time == .seconds(20))
        for date in [-1e15, 0, 1e15] {
            var wrong = Self.plan { $0.interval = .seconds(100) }
            wrong.restore(stored, at: .zero, date: date)
            #expect(wrong.next(at: .zero).map { $0.time <= .seconds(24 * 3600) } == true)
        }
        var cut = Self.plan()
        cut.restore(StoredSyncPlan(isRunning: true), at: .seconds(3), date: 0)
        #expect(cut.next(at: .seconds(3))?.time == .seconds(3))
    }
}
