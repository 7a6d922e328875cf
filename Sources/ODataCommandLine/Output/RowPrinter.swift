/// Prints rows as they come, as a table or as CSV, without keeping those that are printed.
///
/// The columns are those of the first page. CSV is written with each page; rows of a table are aligned among up to
/// ``batch`` of them.
struct RowPrinter {
    /// How many rows of a table wait for each other.
    private static let batch = 1_000

    private let format: OutputFormat
    /// Whether the row is an entity or value alone, not of a collection: as a table it is a list of names and values.
    var isEntity = false
    private(set) var columns: [String] = []
    private var waiting: [[String?]] = []
    /// The columns that had numbers, and those that had other values.
    private var (numbers, others): (Set<String>, Set<String>) = ([], [])
    private var keys: Set<String> = []
    private var table: TableText?
    private var isEmpty = true
    /// Names that only pages after the first have.
    private var late: Set<String> = []

    /// - Parameter format: A table or CSV.
    init(format: OutputFormat) {
        self.format = format
    }

    mutating func add(_ page: ResultTable) {
        if columns.isEmpty { begin(page.columns) }
        let rows = arranged(page)
        isEmpty = isEmpty && rows.isEmpty
        guard !format.isCSV else { return write(rows) }
        numbers.formUnion(page.numbers)
        keys.formUnion(page.keys)
        for (column, name) in page.columns.enumerated() where !page.numbers.contains(name) {
            if page.rows.contains(where: { $0[column] != nil }) { others.insert(name) }
        }
        waiting += rows
        if waiting.count >= Self.batch { flush() }
    }

    /// Prints the rows of a table that wait.
    mutating func flush() {
        guard !waiting.isEmpty else { return }
        var table = begun()
        Console.writeStyled(table.lines(waiting))
        self.table = table
        waiting = []
    }

    /// Prints the rows that wait, and what is to be said about all of them.
    mutating func finish() {
        if !format.isCSV { finishTable() }
        guard !late.isEmpty else { return }
        let names = Self.list(late.sorted())
        Console.notice("The first page has no \(names), which later pages have: --format json prints what a page has.")
    }

    private mutating func begin(_ columns: [String]) {
        self.columns = columns
        if format.isCSV, !columns.isEmpty { write([columns]) }
    }

    /// Records of CSV.
    private func write(_ rows: [[String?]]) {
        let text = rows.map { CSVText.record($0, isSafe: format == .safeCSV) }.joined()
        Console.write(bytes: Array(text.utf8))
    }

    /// The rows with the columns of the first page.
    private mutating func arranged(_ page: ResultTable) -> [[String?]] {
        guard page.columns != columns else { return page.rows }
        late.formUnion(Set(page.columns).subtracting(columns))
        return page.rows.map { row in
            let cells = Dictionary(zip(page.columns, row)) { first, _ in first }
            return columns.map { cells[$0] ?? nil }
        }
    }

    private mutating func finishTable() {
        if table == nil, waiting.count == 1, let row = waiting.first,
            let list = begun().list(row, isEntity: isEntity)
        {
            waiting = []
            Console.writeStyled(list)
        }
        flush()
        if isEmpty { Console.message("No rows.") }
        guard let table else { return }
        if !table.empty.isEmpty { Console.notice("Left out, as all is null: \(Self.list(table.empty)).") }
        guard !table.hidden.isEmpty else { return }
        let count = table.hidden.count.counted("column")
        Console.notice("No room for \(count): \(Self.list(table.hidden)); --format csv or json prints all.")
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ").singleLine.fitted(to: 200) }

    private func begun() -> TableText {
        let terminal = Terminal.output
        let limit = terminal.isTerminal ? TerminalSize.output.columns : nil
        return table
            ?? TableText(
                columns: columns, numbers: numbers.subtracting(others), keys: keys, limit: limit, on: terminal)
    }
}
