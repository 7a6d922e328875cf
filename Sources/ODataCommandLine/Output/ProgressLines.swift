import OData
import Synchronization

/// Shows how far something is: one line that is written over on a terminal, plain lines elsewhere.
final class ProgressLines: Sendable {
    private let isTerminal: Bool
    private let state = Mutex(State())

    private struct State {
        var width = 0
        var last = ""
    }

    init(isTerminal: Bool = Console.errorIsTerminal) {
        self.isTerminal = isTerminal
    }

    func show(_ progress: DownloadProgress) { show(progress.line, isMilestone: progress.isMilestone) }

    /// - Parameter isMilestone: Whether the line is worth keeping where lines are not written over.
    func show(_ text: String, isMilestone: Bool) {
        state.withLock { state in
            guard isTerminal || isMilestone, text != state.last else { return }
            state.last = text
            guard isTerminal else { return Console.message(text) }
            let padding = String(repeating: " ", count: max(0, state.width - text.count))
            Console.progress("\r" + text + padding)
            state.width = text.count
        }
    }

    /// Ends the line that was written over.
    func finish() {
        state.withLock { state in
            guard isTerminal, state.width > 0 else { return }
            Console.progress("\r" + String(repeating: " ", count: state.width) + "\r")
            state.width = 0
        }
    }
}
