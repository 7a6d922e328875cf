import ByteStreams
import Synchronization
import Testing

@Suite("Callers that wait for what others do")
struct WaitingCallerTests {
    private struct Failure: Error {}

    @Test("get the result")
    func result() async throws {
        let (caller, failing) = (WaitingCaller<Int>(), WaitingCaller<Int>())
        #expect(try await caller.value { Task { caller.end(with: .success(7)) } } == 7)
        await #expect(throws: Failure.self) { try await failing.value { failing.end(with: .failure(Failure())) } }
    }

    @Test("leave at once when they are cancelled; a result that comes later is passed over")
    func leaving() async throws {
        let caller = WaitingCaller<Int>()
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task { try await caller.value { start.finish() } }
        for await _ in started {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!caller.disableCancellation())
        caller.end(with: .success(7))
    }

    @Test("do not begin when they are cancelled before")
    func before() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await WaitingCaller<Int>().value { Issue.record("The work began.") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("stay to the end where the work asks them to")
    func staying() async throws {
        let caller = WaitingCaller<Int>()
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task { try await caller.value { start.finish() } }
        for await _ in started {}
        #expect(caller.disableCancellation())
        task.cancel()
        caller.end(with: .success(7))
        #expect(try await task.value == 7)
    }

    @Test("of a task leave it running for the others")
    func task() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let work = Task<Int, any Error> {
            for await _ in gate {}
            try Task.checkCancellation()
            return 7
        }
        let (leaving, staying) = (
            Task { try await work.valueUnlessCancelled() }, Task { try await work.valueUnlessCancelled() }
        )
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        open.finish()
        #expect(try await staying.value == 7)
    }
}
