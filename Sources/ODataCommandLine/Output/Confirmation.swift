import Foundation

/// Questions before something is removed.
enum Confirmation {
    /// Asks for confirmation if standard input and standard error are a terminal.
    static func agrees(to question: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1, Terminal.error.isTerminal else { return true }
        Console.ask("\(question.withoutControls) [y/N] ")
        return ["y", "yes"].contains((readLine() ?? "").lowercased())
    }
}
