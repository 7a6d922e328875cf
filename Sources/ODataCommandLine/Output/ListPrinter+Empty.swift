extension ListPrinter {
    /// Prints the rows; without rows, a table is this message.
    func print(_ rows: [[ListColumn]], columns: [String], ifEmpty line: String) {
        guard format == .table, rows.isEmpty else { return print(rows, columns: columns) }
        Console.message(line)
    }
}
