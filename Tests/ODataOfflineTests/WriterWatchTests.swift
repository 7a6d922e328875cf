import GRDB
import Synchronization
import Testing

@testable import ODataOffline

@Suite("The watch for another process's commits")
struct WriterWatchTests {
    @Test("An error is told once and does not end it; a closed database does", .timeLimit(.minutes(1)))
    func errors() async throws {
        let (signals, signal) = AsyncStream<Void>.makeStream()
        let calls = Mutex(0)
        let watch = ExternalCommitObserver(signal: signal) {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            switch call {
            case 1: return 7
            case 2, 3: throw DatabaseError(resultCode: .SQLITE_BUSY)
            case 4: return 7
            default:
                signal.finish()
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
            }
        }
        var count = 0
        for await _ in signals { count += 1 }
        // The first version, the error, and that it can be read again.
        #expect(count == 3)
        withExtendedLifetime(watch) {}
    }
}
