/// Rows of text under column names: what tables and CSV are printed from.
struct ResultTable {
    /// What a value that has parts becomes in its cell.
    enum Nested {
        /// How many there are, or the key.
        case summary
        /// JSON without white space: for programs.
        case json
    }

    var columns: [String]
    /// As many cells as there are columns; nil for absent and null.
    var rows: [[String?]]
    /// The names of columns whose values, where there are any, are numbers.
    var numbers: Set<String>
    /// The names of columns whose values are keys: no part of them says which entity it is.
    var keys: Set<String>

    init(columns: [String], rows: [[String?]] = [], numbers: Set<String> = [], keys: Set<String> = []) {
        self.columns = columns
        self.rows = rows
        self.numbers = numbers
        self.keys = keys
    }

    /// Prints the table as wide as the terminal, or with full values where standard output is not a terminal; or as
    /// CSV.
    ///
    /// - Parameter isEntity: Whether the row is an entity or value alone, not of a collection: as a table it is a list of names and values.
    func print(as format: OutputFormat, isEntity: Bool = false) {
        var printer = RowPrinter(format: format)
        printer.isEntity = isEntity
        printer.add(self)
        printer.finish()
    }
}
