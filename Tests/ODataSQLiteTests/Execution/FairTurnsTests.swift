import Testing

@testable import ODataSQLite

@Suite("Turns that callers wait for")
struct FairTurnsTests {
    private struct Failure: Error {}

    @Test("A caller that is cancelled while it waits leaves at once, and its turn goes to the next")
    func cancelled() async throws {
        let turns = FairQueue(count: 1)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await turns.taking {
                begin.finish()
                for await _ in gate {}
                return 1
            }
        }
        for await _ in begun {}
        let second = Task { try await turns.taking { 2 } }
        let third = Task { try await turns.taking { 3 } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        open.finish()
        #expect(try await first.value == 1)
        #expect(try await third.value == 3)
    }

    @Test("One that is cancelled before it comes takes no turn; what fails gives its turn back")
    func givenBack() async throws {
        let turns = FairQueue(count: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await turns.taking { Issue.record("It was given a turn.") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: Failure.self) { try await turns.taking { throw Failure() } }
        #expect(try await turns.taking { 4 } == 4)
    }

    @Test("A free turn is given after the deadline too, one that is taken is not waited for")
    func late() async throws {
        let turns = FairQueue(count: 1)
        let deadline = ContinuousClock.now - .seconds(1)
        #expect(try await turns.begin("a", until: deadline))
        #expect(try await !turns.begin("b", until: deadline))
        turns.end("a")
        #expect(try await turns.begin("b", until: deadline))
        turns.end("b")
    }
}
