import Foundation
import Synchronization

/// Waits for SIGTERM or SIGINT instead of dying of them.
///
/// A signal counts from the moment the value is made: a source of Dispatch takes hold some time after it is resumed, and
/// what comes before that is lost. There is one value at a time.
struct TerminationSignals {
    private static let numbers = [SIGTERM, SIGINT]

    /// What the handler writes to.
    private static let writeEnd = Atomic<Int32>(-1)

    private let readEnd: Int32

    /// - Throws: `POSIXError` if the process has too many open files.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for number in Self.numbers {
            signal(number) { _ in
                let before = errno
                TerminationSignals.notify()
                errno = before
            }
        }
    }

    private static func notify() {
        var byte: UInt8 = 0
        _ = write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
    }

    /// Returns when one has come, or the task is cancelled. The next one ends the process.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [readEnd] in
                    var byte: UInt8 = 0
                    while read(readEnd, &byte, 1) < 0, errno == EINTR {}
                    for number in Self.numbers { signal(number, SIG_DFL) }
                    continuation.resume()
                }
            }
        } onCancel: {
            Self.notify()
        }
    }
}
