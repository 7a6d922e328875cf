import Testing

@testable import ODataService

@Suite("Requests to one upload at the same time")
struct UploadSessionsTests {
    @Test("One that is cancelled while it waits for its turn leaves at once; the one before goes on")
    func cancelled() async throws {
        let sessions = UploadSessions()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await sessions.run("a", receiving: { 1 }) { received in
                begin.finish()
                for await _ in gate {}
                try Task.checkCancellation()
                return received
            }
        }
        for await _ in begun {}
        let second = Task { try await sessions.run("a", receiving: { 2 }) { $0 } }
        let third = Task { try await sessions.run("a", receiving: { 3 }) { $0 } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        open.finish()
        #expect(try await first.value == 1)
        #expect(try await third.value == 3)
    }
}
