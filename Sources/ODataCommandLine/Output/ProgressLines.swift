import OData
import Synchronization

/// Shows the progress of a download: one line that is written over on a terminal, plain lines elsewhere.
final class ProgressLines: Sendable {
    private let isTerminal: Bool
    private let state = Mutex(State())

    private struct State {
        var width = 0
        var lastPlain = ""
    }

    init(isTerminal: Bool = Console.errorIsTerminal) {
        self.isTerminal = isTerminal
    }

    func show(_ progress: DownloadProgress) {
        let text = progress.line
        state.withLock { state in
            if isTerminal {
                let padding = String(repeating: " ", count: max(0, state.width - text.count))
                Console.progress("\r" + text + padding)
                state.width = text.count
            } else if progress.isMilestone, text != state.lastPlain {
                Console.message(text)
                state.lastPlain = text
            }
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
