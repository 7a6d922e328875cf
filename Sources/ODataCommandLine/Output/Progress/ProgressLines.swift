import OData
import Synchronization

/// Shows how far something is: on a terminal lines that are written over, at most ten times a second and each time with
/// one write; elsewhere plain lines, for what ends and every ten seconds.
final class ProgressLines: Sendable {
    private struct State {
        var table = ProgressTable()
        var pace: DrawPace
        /// The lines that are on the terminal.
        var shown: [String] = []
        /// The last plain line.
        var told = ""
    }

    private let canWriteOver: Bool
    private let size: @Sendable () -> TerminalSize
    private let write: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - canWriteOver: Whether it is a terminal that can move its cursor.
    ///   - size: Of the terminal, asked for before each drawing.
    ///   - interval: The least time between two drawings, and between two plain lines that are no milestones; nil for the
    ///     usual ones.
    ///   - write: Takes what is written, line ends included.
    init(
        canWriteOver: Bool = Terminal.error.canWriteOver,
        size: @escaping @Sendable () -> TerminalSize = { .error }, interval: Duration? = nil,
        write: @escaping @Sendable (String) -> Void = Console.progress
    ) {
        self.canWriteOver = canWriteOver
        self.size = size
        self.write = write
        var pace = DrawPace(interval: interval ?? (canWriteOver ? .milliseconds(100) : .seconds(10)))
        if interval == nil, !canWriteOver { pace.drawn(at: .now) }
        state = Mutex(State(pace: pace))
    }

    func show(_ progress: DownloadProgress) { change { $0.note(progress, at: $1) } }

    func show(_ progress: UploadProgress) { change { $0.note(progress, at: $1) } }

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
            return ProgressNews(meter.plainLine(at: time), isMilestone: false)
        }
    }

    /// Takes away the lines that were written over.
    func finish() {
        state.withLock { state in
            state.table.removeAll()
            draw(&state, at: .now)
        }
    }

    private func change(_ body: (inout ProgressTable, ContinuousClock.Instant) -> ProgressNews?) {
        let time = ContinuousClock.now
        let later: ContinuousClock.Instant? = state.withLock { state in
            let news = body(&state.table, time)
            guard canWriteOver else {
                if let news { tell(news, &state, at: time) }
                return nil
            }
            switch state.pace.change(at: time) {
            case .now:
                draw(&state, at: time)
                return nil
            case .later(let later): return later
            case .never: return nil
            }
        }
        if let later { draw(at: later) }
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
        write("\r\(up)" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[J")
        state.shown = lines
    }

    private func tell(_ news: ProgressNews, _ state: inout State, at time: ContinuousClock.Instant) {
        guard news.line != state.told else { return }
        guard news.isMilestone || state.pace.change(at: time) == .now else { return }
        state.told = news.line
        write(news.line.withoutControls + "\n")
    }
}
