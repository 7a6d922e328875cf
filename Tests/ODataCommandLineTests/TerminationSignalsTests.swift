import Foundation
import Testing

@testable import ODataCommandLine

@Suite("Signals that end a command")
struct TerminationSignalsTests {
    @Test("A caller that is cancelled does not wait for a signal")
    func cancelled() async {
        await #expect(processExitsWith: .success) {
            let signals = try TerminationSignals()
            let task = Task { await signals.wait() }
            task.cancel()
            await task.value
        }
    }

    @Test("After a cancelled wait a signal ends the process")
    func cancelledThenEnded() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let signals = try TerminationSignals()
            let task = Task { await signals.wait() }
            task.cancel()
            await task.value
            kill(getpid(), SIGTERM)
        }
    }

    @Test("A signal that arrives before the wait ends it, the next one ends the process")
    func early() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let signals = try TerminationSignals()
            kill(getpid(), SIGTERM)
            await signals.wait()
            kill(getpid(), SIGINT)
        }
    }
}
