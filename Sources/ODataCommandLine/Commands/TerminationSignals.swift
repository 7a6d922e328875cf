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

    /// - Parameter takesIgnored: Whether a signal counts too that the process was started to ignore, as a shell without job
    ///   control starts what it puts into the background.
    /// - Throws: `POSIXError` if the process has too many open files.
    init(takesIgnored: Bool = true) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for number in Self.numbers {
            let before = signal(number) { number in
                let before = errno
                TerminationSignals.notify(number)
                errno = before
            }
            if !takesIgnored, Self.isIgnoring(before) { signal(number, SIG_IGN) }
        }
    }

    /// Handlers are compared by their addresses: `SIG_IGN` is not the address of a function.
    private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// - Parameter number: Of the signal; 0 for none.
    private static func notify(_ number: Int32) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
    }

    /// Calls `body` with the number of the first one, on a thread of its own. The next one ends the process.
    func handleFirst(_ body: @escaping @Sendable (Int32) -> Void) {
        Thread.detachNewThread { [readEnd] in
            var byte: UInt8 = 0
            while read(readEnd, &byte, 1) < 0, errno == EINTR {}
            for number in Self.numbers { signal(number, SIG_DFL) }
            body(Int32(byte))
        }
    }

    /// Returns when one has come, or the task is cancelled. The next one ends the process.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                handleFirst { _ in continuation.resume() }
            }
        } onCancel: {
            Self.notify(0)
        }
    }
}
