import OData
import Synchronization

/// Shows how far something is: lines that are written over on a terminal, plain ones elsewhere.
final class ProgressLines: Sendable {
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var text = ""
        var bars: [String] = []
        /// How many lines are on the terminal.
        var count = 0
    }

    /// - Parameter write: Writes to the terminal.
    init(
        isTerminal: Bool = Console.errorIsTerminal, write: @escaping @Sendable (String) -> Void = Console.progress
    ) {
        self.isTerminal = isTerminal
        self.write = write
    }

    func show(_ progress: DownloadProgress) { show(progress.line, isMilestone: progress.isMilestone) }

    /// - Parameter isMilestone: Whether the line is worth keeping where lines are not written over.
    func show(_ text: String, isMilestone: Bool) {
        state.withLock { state in
            guard isTerminal || isMilestone, text != state.text else { return }
            state.text = text
            guard isTerminal else { return Console.message(text) }
            draw(&state)
        }
    }

    /// Shows bars below the line, on a terminal only.
    func show(bars: [String]) {
        state.withLock { state in
            guard isTerminal, bars != state.bars else { return }
            state.bars = bars
            draw(&state)
        }
    }

    /// Shows the transfers of a store that run as bars while `body` is done, on a terminal only, and takes all lines away
    /// in the end.
    func following<Result>(_ store: OfflineStore, _ body: () async throws -> Result) async throws -> Result {
        let shown = Task {
            guard isTerminal else { return }
            var bars = TransferBars()
            for await transfer in store.transferChanges {
                bars.note(transfer)
                show(bars: bars.lines(width: Console.errorWidth))
            }
        }
        do {
            let result = try await body()
            await end(shown)
            return result
        } catch {
            await end(shown)
            throw error
        }
    }

    private func end(_ shown: Task<Void, Never>) async {
        shown.cancel()
        await shown.value
        finish()
    }

    /// Takes away the lines that were written over.
    func finish() {
        state.withLock { state in
            (state.text, state.bars) = ("", [])
            draw(&state)
        }
    }

    /// Up to the first line that is there, and away with all.
    private func draw(_ state: inout State) {
        let lines = (state.text.isEmpty ? [] : [state.text]) + state.bars
        guard isTerminal, !lines.isEmpty || state.count > 0 else { return }
        let up = state.count > 1 ? "\u{1B}[\(state.count - 1)A" : ""
        write("\r\(up)\u{1B}[J" + lines.joined(separator: "\n"))
        state.count = lines.count
    }
}
