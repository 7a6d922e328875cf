extension ResultTable {
    /// Prints the table as wide as the terminal, or with all of each value where standard output is none; or as CSV.
    func print(as format: OutputFormat) {
        guard format != .csv else { return Console.write(csv) }
        let terminal = Terminal.output
        let (text, hidden) = table(limit: terminal.isTerminal ? TerminalSize.output.columns : nil, on: terminal)
        Console.write(text)
        guard hidden > 0 else { return }
        let (columns, have) = hidden == 1 ? ("column", "has") : ("columns", "have")
        Console.notice("\(hidden) more \(columns) \(have) no room: --format csv or json prints all.")
    }
}
