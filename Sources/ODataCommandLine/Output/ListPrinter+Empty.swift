extension ListPrinter {
    /// Prints the rows; where there are none, a table is this line for the person.
    func print(_ rows: [[ListColumn]], columns: [String], ifEmpty line: String) {
        guard format == .table, rows.isEmpty else { return print(rows, columns: columns) }
        Console.message(line)
    }
}
