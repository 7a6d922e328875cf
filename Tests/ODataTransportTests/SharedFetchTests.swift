import ODataTransport
import Testing

@Suite("Fetches that callers share, and deadlines")
struct SharedFetchTests {
    /// Ends when a test says so.
    private struct Gate: Sendable {
        let stream: AsyncStream<Void>
        let opener: AsyncStream<Void>.Continuation

        init() { (stream, opener) = AsyncStream.makeStream() }

        func wait() async { for await _ in stream {} }
        func open() { opener.finish() }
    }

    private struct TooLate: Error {}

    @Test("A caller that is cancelled leaves at once; the fetch goes on for the others", arguments: [true, false])
    func cancelled(isFirst: Bool) async throws {
        let (shared, gate, begun) = (SharedFetch<Int>(), Gate(), Gate())
        func caller() -> Task<Int, any Error> {
            Task {
                try await shared.value {
                    begun.open()
                    await gate.wait()
                    return 7
                }
            }
        }
        let first = caller()
        await begun.wait()
        let second = caller()
        let (leaving, staying) = isFirst ? (first, second) : (second, first)
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        gate.open()
        #expect(try await staying.value == 7)
    }

    @Test("The last caller that leaves ends the fetch; the next one begins another")
    func last() async throws {
        let (shared, begun, over) = (SharedFetch<Int>(), Gate(), Gate())
        let task = Task {
            try await shared.value {
                defer { over.open() }
                begun.open()
                await Gate().wait()
                try Task.checkCancellation()
                return 1
            }
        }
        await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await shared.value { 2 } == 2)
        await over.wait()
    }

    @Test("What passes its cancellation over holds up neither a deadline nor a caller that is cancelled")
    func stubborn() async throws {
        let gate = Gate()
        let wait: @Sendable (Gate) async -> String = { begun in
            begun.open()
            await Task.detached { await gate.wait() }.value
            return "token"
        }
        await #expect(throws: TooLate.self) {
            try await withDeadline(.milliseconds(1), orThrow: TooLate()) { await wait(Gate()) }
        }
        let callers: [@Sendable (Gate) async throws -> String] = [
            { begun in try await withDeadline(.seconds(600), orThrow: TooLate()) { await wait(begun) } },
            { begun in try await SharedFetch().value { await wait(begun) } },
            { begun in try await TokenRefresh { _ in await wait(begun) }.token() },
            { begun in try await TokenRefresh { _ in await wait(begun) }.token(replacing: "old") },
        ]
        for caller in callers {
            let begun = Gate()
            let task = Task { try await caller(begun) }
            await begun.wait()
            task.cancel()
            await #expect {
                _ = try await task.value
            } throws: {
                $0 is CancellationError || ($0 as? TransportError)?.code == .cancelled
            }
        }
        gate.open()
    }

    @Test("One that is cancelled before it asks begins nothing")
    func cancelledBefore() async {
        let shared = SharedFetch<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shared.value {
                Issue.record("It was begun.")
                return 1
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("What one fetch has failed with is not kept for the next")
    func again() async throws {
        let shared = SharedFetch<Int>()
        await #expect(throws: TooLate.self) { try await shared.value { throw TooLate() } }
        #expect(try await shared.value { 8 } == 8)
    }

    @Test("What takes longer than its limit is given up, what does not is not")
    func deadline() async throws {
        await #expect(throws: TooLate.self) {
            try await withDeadline(.milliseconds(1), orThrow: TooLate()) {
                await Gate().wait()
                try Task.checkCancellation()
            }
        }
        #expect(try await withDeadline(.seconds(60), orThrow: TooLate()) { 9 } == 9)
        await #expect(throws: CancellationError.self) {
            try await withDeadline(.seconds(60), orThrow: TooLate()) { throw CancellationError() }
        }
    }
}
