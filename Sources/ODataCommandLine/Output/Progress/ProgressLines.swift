import OData
import Synchronization

/// Shows how far something is: on a terminal lines that are written over, at most ten times a second and each time with
/// one write; elsewhere plain lines, for what ends and every ten seconds.
final class ProgressLines: Sendable {
    private struct State {
        var table: ProgressTable
        var pace: RedrawInterval
        /// Whether lines are drawn every second, also if nothing changes.
        var isKept = false
        /// The lines that are on the terminal.
        var shown: [String] = []
        /// The last plain line.
        var told = ""
    }

    private let canWriteOver: Bool
    private let host: String
    private let patience: Duration
    private let size: @Sendable () -> TerminalSize
    private let write: @Sendable (String, Bool) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - host: The host whose responses are awaited; nil if it has no name.
    ///   - canWriteOver: Whether it is a terminal that can move its cursor.
    ///   - size: Of the terminal, read before each drawing.
    ///   - interval: The least time between two drawings, and between two plain lines other than milestones; nil for
    ///     the usual ones.
    ///   - patience: The delay of the message about waiting where lines cannot be overwritten.
    ///   - write: Writes text with its line ends; the second argument says whether the cursor is after text then.
    init(
        host: String? = nil, canWriteOver: Bool = Terminal.error.canWriteOver,
        size: @escaping @Sendable () -> TerminalSize = { .error }, interval: Duration? = nil,
        patience: Duration = .seconds(10),
        write: @escaping @Sendable (String, Bool) -> Void = OpenLine.write
    ) {
        self.canWriteOver = canWriteOver
        self.host = host ?? "the service"
        self.patience = patience
        self.size = size
        self.write = write
        var pace = RedrawInterval(interval: interval ?? (canWriteOver ? .milliseconds(100) : .seconds(10)))
        if interval == nil, !canWriteOver { pace.drawn(at: .now) }
        state = Mutex(State(table: ProgressTable(host: self.host), pace: pace))
    }

    func show(_ progress: DownloadProgress) { change { $0.note(progress, at: $1) } }

    func show(_ progress: UploadProgress) { change { $0.note(progress, at: $1) } }

    func show(_ progress: SyncProgress) { change { $0.note(progress, at: $1) } }

    func show(_ transfer: TransferSnapshot) {
        change { table, time in
            table.note(transfer, at: time)
            return nil
        }
    }

    /// Of one thing alone, without a name.
    func show(_ bytes: Int64, of total: Int64?) {
        change { table, time in
            let meter = table.note(.all, "", .bytes, bytes, of: total, at: time)
            return AppendedProgressLine(meter.plainLine(at: time), isMilestone: false)
        }
    }

    /// Shows that the command waits for the host until `body` has ended: at once on a terminal, elsewhere after ten
    /// seconds.
    func waiting<Result>(_ body: () async throws -> Result) async throws -> Result {
        change { table, _ in
            table.wait()
            return nil
        }
        let reminder =
            canWriteOver
            ? nil
            : Task { [patience, host, write] in
                try await Task.sleep(for: patience)
                write("Waiting for \(host.singleLine)…\n", false)
            }
        defer {
            reminder?.cancel()
            finish()
        }
        return try await body()
    }

    /// Takes away the lines that were written over.
    func finish() {
        state.withLock { state in
            state.table.removeAll()
            draw(&state, at: .now)
        }
    }

    private func change(_ body: (inout ProgressTable, ContinuousClock.Instant) -> AppendedProgressLine?) {
        let time = ContinuousClock.now
        let (later, isFirst): (ContinuousClock.Instant?, Bool) = state.withLock { state in
            let news = body(&state.table, time)
            guard canWriteOver else {
                if let news { tell(news, &state, at: time) }
                return (nil, false)
            }
            let isFirst = !state.isKept && !state.table.isEmpty
            if isFirst { state.isKept = true }
            switch state.pace.change(at: time) {
            case .now:
                draw(&state, at: time)
                return (nil, isFirst)
            case .later(let later): return (later, isFirst)
            case .never: return (nil, isFirst)
            }
        }
        if let later { draw(at: later) }
        if isFirst { keepDrawing() }
    }

    /// The rate of a stopped transfer decreases without further values.
    private func keepDrawing() {
        Task { [weak self] in
            repeat { try? await Task.sleep(for: .seconds(1)) } while self?.redraw() ?? false
        }
    }

    /// - Returns: Whether there are lines.
    private func redraw() -> Bool {
        state.withLock { state in
            draw(&state, at: .now)
            state.isKept = !state.table.isEmpty
            return state.isKept
        }
    }

    /// What changed between two drawings is on the terminal soon, also if nothing more changes.
    private func draw(at time: ContinuousClock.Instant) {
        Task { [weak self] in
            try? await Task.sleep(until: time)
            self?.drawPromised()
        }
    }

    private func drawPromised() {
        state.withLock { state in
            state.pace.drawn(at: .now)
            draw(&state, at: .now)
        }
    }

    /// The cursor stays visible, at the end of the last line: a process that is killed leaves a terminal that works.
    private func draw(_ state: inout State, at time: ContinuousClock.Instant) {
        let lines = canWriteOver ? state.table.lines(fitting: size(), at: time) : []
        guard lines != state.shown else { return }
        let up = state.shown.count > 1 ? "\u{1B}[\(state.shown.count - 1)A" : ""
        write("\r\(up)" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[J", !lines.isEmpty)
        state.shown = lines
    }

    private func tell(_ news: AppendedProgressLine, _ state: inout State, at time: ContinuousClock.Instant) {
        guard news.line != state.told else { return }
        guard news.isMilestone || state.pace.change(at: time) == .now else { return }
        state.told = news.line
        write(news.line.withoutControls + "\n", false)
    }
}
