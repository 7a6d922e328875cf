import Foundation
import Synchronization

/// The line of standard error that a drawing has left open, with the cursor at its end.
///
/// A signal that ends the process (Ctrl-C, SIGTERM) ends that line first, and nothing more is drawn: the prompt appears
/// below what was drawn.
enum OpenLine {
    private static let isOpen = Mutex(false)
    /// Whether signals are handled: from the first drawing on, which reads this value.
    private static let isWatched = watchSignals()

    /// - Parameter isLeftOpen: Whether the cursor is behind other text of its line then.
    static func write(_ text: String, isLeftOpen: Bool) {
        // Without a watch the line just stays as it is.
        if isLeftOpen { _ = isWatched }
        isOpen.withLock { isOpen in
            isOpen = isLeftOpen
            Console.progress(text)
        }
    }

    /// - Returns: False if the process has too many open files.
    private static func watchSignals() -> Bool {
        guard let signals = try? TerminationSignals(takesIgnored: false) else { return false }
        signals.handleFirst { number in
            isOpen.withLock { isOpen in
                if isOpen { Console.progress("\n") }
                // Ends the process while no other thread can draw. A thread that another one of Dispatch began has the signal
                // blocked, and would keep it to itself.
                var numbers = sigset_t()
                sigemptyset(&numbers)
                sigaddset(&numbers, number)
                pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
                raise(number)
            }
        }
        return true
    }
}
