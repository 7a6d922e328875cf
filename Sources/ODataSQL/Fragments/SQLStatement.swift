/// The text of a statement and the values for its placeholders, in order.
package struct SQLStatement: Hashable, Sendable {
    package let text: String
    package var bindings: [SQLBinding]

    package init(text: String, bindings: [SQLBinding]) {
        self.text = text
        self.bindings = bindings
    }
}

extension SQLFragment {
    /// The fragment written out.
    package var statement: SQLStatement {
        var writer = SQLWriter(byteCount: byteCount)
        writer.write(self, row: nil)
        return SQLStatement(text: writer.text, bindings: writer.bindings)
    }

    /// The SQL text alone.
    package var text: String { statement.text }
}

/// Writes the text of fragments.
private struct SQLWriter {
    private(set) var text = ""
    private(set) var bindings: [SQLBinding] = []

    init(byteCount: Int) { text.reserveCapacity(byteCount) }

    /// - Parameter row: the alias that ``SQLFragment/row`` stands for.
    mutating func write(_ fragment: SQLFragment, row: String?) {
        for segment in fragment.segments {
            switch segment {
            case .text(let text): self.text += text
            case .binding(let binding):
                text += "?"
                bindings.append(binding)
            case .identifier(let name): write(name: name)
            case .column(let alias, let name):
                write(name: alias)
                text += "."
                write(name: name)
            case .alias(let name):
                text += " AS "
                write(name: name)
            // SQLite rejects an expression about a row in a place without a row.
            case .row: write(name: row ?? "row")
            case .fragment(let fragment): write(fragment, row: row)
            case .ofRow(let fragment, let alias): write(fragment, row: alias)
            }
        }
    }

    private mutating func write(name: String) { text += quoted(name) }
}

extension SQLFragment {
    /// Calls `body` with each name that is not an alias of a row, and each name with the alias before it.
    func forEachName(_ body: (_ name: String, _ use: NameUse) -> Void) {
        for segment in segments {
            switch segment {
            case .identifier(let name): body(name, .plain)
            case .column(let alias, let name):
                body(alias, .qualifier)
                body(name, .plain)
            case .alias(let name): body(name, .definition)
            case .fragment(let fragment): fragment.forEachName(body)
            case .ofRow(let fragment, let alias):
                body(alias, .qualifier)
                fragment.forEachName(body)
            case .text, .binding, .row: break
            }
        }
    }

    /// What a name in a statement does.
    enum NameUse {
        case plain
        /// `"t0".`
        case qualifier
        /// ` AS "t0"`
        case definition
    }
}
