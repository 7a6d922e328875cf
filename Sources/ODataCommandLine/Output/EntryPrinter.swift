import OData

/// Prints one thing with all that is known of it: a line for each value, or a JSON object.
struct EntryPrinter {
    let format: OutputFormat

    func print(_ columns: [ListColumn]) {
        switch format {
        case .csv, .safeCSV: ListPrinter(format: format).print([columns], columns: columns.map(\.name))
        case .json:
            let members = columns.map { EdmComplexValue.Member(name: $0.name, value: $0.value) }
            JSONOutput.print(EdmValue.complex(EdmComplexValue(members)).jsonText)
        case .table:
            for column in columns where !column.value.isNull && column.value != .collection([]) {
                Console.write("\(column.name): \(text(column.value))")
            }
        }
    }

    private func text(_ value: EdmValue) -> String {
        guard case .collection(let elements) = value else { return value.lexical }
        return elements.map { "\n  \($0.lexical)" }.joined()
    }
}
