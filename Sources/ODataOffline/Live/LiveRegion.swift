import GRDB

/// The tables and columns that the result of a live query is read from.
struct LiveRegion: Sendable {
    /// The table whose rows the query decides on one by one.
    struct RowTable: Sendable {
        var name: String
        var keyColumns: Set<String>
    }

    private let region: DatabaseRegion
    private let rows: RowTable?

    init(_ region: DatabaseRegion, rows: RowTable?) {
        self.region = region
        self.rows = rows
    }

    func isModified(byEventsOfKind kind: DatabaseEventKind) -> Bool {
        region.isModified(byEventsOfKind: kind)
    }

    /// Whether events of this kind are of rows that can be looked at one by one, and are the same entities as before.
    func isOfRows(_ kind: DatabaseEventKind) -> Bool {
        guard let rows else { return false }
        switch kind {
        case .insert(let table): return table == rows.name
        case .update(let table, let columns): return table == rows.name && columns.isDisjoint(with: rows.keyColumns)
        case .delete: return false
        }
    }
}
