import Foundation

/// What can be shown where a stream of the process leads: on a terminal, in a file, in a pipe.
struct Terminal: Equatable, Sendable {
    /// Whether a person sees it at once.
    var isTerminal: Bool
    /// Whether lines can be written over: all terminals but those with `TERM=dumb`.
    var canWriteOver: Bool
    /// Whether text may have colours: not with `NO_COLOR`, and not with `CLICOLOR=0`; with `CLICOLOR_FORCE=1` also where
    /// no terminal is. [https://no-color.org, https://bixense.com/clicolors]
    var hasColours: Bool

    static let output = Terminal(STDOUT_FILENO)
    static let error = Terminal(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        self.init(isTerminal: isatty(descriptor) == 1, environment: ProcessInfo.processInfo.environment)
    }

    init(isTerminal: Bool, environment: [String: String]) {
        self.isTerminal = isTerminal
        canWriteOver = isTerminal && environment["TERM"] != "dumb"
        let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
        hasColours =
            (environment["NO_COLOR"] ?? "").isEmpty && (isForced || canWriteOver && environment["CLICOLOR"] != "0")
    }
}

/// How many characters fit on a terminal.
struct TerminalSize: Equatable, Sendable {
    var columns: Int
    var rows: Int

    /// The size of the terminal that standard output is, as it is now.
    static var output: TerminalSize { TerminalSize(STDOUT_FILENO) }
    static var error: TerminalSize { TerminalSize(STDERR_FILENO) }

    private init(_ descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        self.init(
            told: isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (0, 0),
            environment: ProcessInfo.processInfo.environment)
    }

    /// `COLUMNS` and `LINES` take precedence over the terminal's own values. [POSIX.1, section 8.3]
    ///
    /// - Parameter told: The terminal's own value; zero if it is unknown.
    init(told: (columns: Int, rows: Int), environment: [String: String]) {
        func number(_ name: String) -> Int? {
            environment[name].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        }
        columns = number("COLUMNS") ?? (told.columns > 0 ? told.columns : 80)
        rows = number("LINES") ?? (told.rows > 0 ? told.rows : 24)
    }
}
