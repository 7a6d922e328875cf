import Dispatch
import GRDB
import ODataStores
import Synchronization
import Testing

@testable import ODataSQLite

@Suite("Turns of long reads", .timeLimit(.minutes(1)))
struct ReadSchedulerTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    @Test("A read whose time is over before it gets a turn exceeds the limit, if a turn is free")
    func late() async throws {
        let file = try SampleFile("CREATE TABLE t (i)")
        defer { withExtendedLifetime(file) {} }
        let pool = try DatabasePool(path: file.path)
        let error = await #expect(throws: ODataError.self) {
            try await ReadScheduler().read(pool, for: WorkScope(timeLimit: .zero)) {
                try Int.fetchOne($0, sql: Self.endless)
            }
        }
        #expect(error?.message.contains("longer than the limit of 0 s") == true, "\(String(describing: error))")
    }

    @Test("A read that is cancelled ends at once, with and without a limit", arguments: [nil, Duration.seconds(600)])
    func cancelled(_ limit: Duration?) async throws {
        let file = try SampleFile("CREATE TABLE t (i)")
        defer { withExtendedLifetime(file) {} }
        let pool = try DatabasePool(path: file.path)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await ReadScheduler().read(pool, for: WorkScope(timeLimit: limit)) { db in
                begin.finish()
                return try Int.fetchOne(db, sql: Self.endless)
            }
        }
        for await _ in begun {}
        task.cancel()
        let error = await #expect(throws: (any Error).self) { try await task.value }
        #expect(error.map { ODataError(reading: $0).code } == .cancelled)
    }

    @Test("A read that waits for a turn leaves when it is cancelled, or refuses when its time is over")
    func waiting() async throws {
        let file = try SampleFile("CREATE TABLE t (i)")
        defer { withExtendedLifetime(file) {} }
        let pool = try DatabasePool(path: file.path)
        let (scheduler, gate) = (ReadScheduler(direct: DirectReads(most: 0)), DispatchSemaphore(value: 0))
        let (turns, turn) = AsyncStream<Void>.makeStream()
        func long(_ scope: WorkScope, _ inTurn: @escaping @Sendable () -> Void) -> Task<Int, any Error> {
            let calls = Mutex(0)
            return Task {
                try await scheduler.read(pool, for: scope) { _ in
                    let call = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    guard call > 1 else { throw TimeIsOver() }
                    inTurn()
                    return call
                }
            }
        }
        var running: [Task<Int, any Error>] = []
        for _ in 0..<4 {
            running.append(
                long(WorkScope(timeLimit: .seconds(600))) {
                    turn.yield()
                    gate.wait()
                })
        }
        var arrived = turns.makeAsyncIterator()
        for _ in running { await arrived.next() }
        let leaving = long(WorkScope(timeLimit: .seconds(600))) { Issue.record("It was given a turn.") }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        let refused = long(WorkScope(timeLimit: .milliseconds(20))) { Issue.record("It was given a turn.") }
        let error = await #expect(throws: ODataError.self) { try await refused.value }
        #expect(error?.code == .busy && error?.retryAfter == 5)
        for _ in running { gate.signal() }
        for task in running { #expect(try await task.value == 2) }
    }
}
