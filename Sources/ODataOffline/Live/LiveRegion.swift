import GRDB
import ODataSQL

/// The tables and columns that the result of a live query is read from.
struct LiveRegion: Sendable {
    /// The table whose rows the query decides on one by one.
    struct RowTable: Sendable {
        var name: String
        var keyColumns: Set<String>
    }

    private let region: DatabaseRegion
    private let rows: RowTable?
    /// Whether it reads more of ``LocalState`` than whether a row is shown.
    private let readsState: Bool

    /// - Parameter statements: Those of the query.
    init(_ region: DatabaseRegion, rows: RowTable?, statements: [String]) {
        self.region = region
        self.rows = rows
        readsState = region.isFullDatabase || statements.contains(where: Self.readsState)
    }

    /// Whether a statement has `"$state"` elsewhere than in ``LocalState/isShown``.
    private static func readsState(_ sql: String) -> Bool {
        let isShown = "\(HiddenColumn.state.sqlName) & \(LocalState.deletedHere.rawValue) = 0"
        return sql.ranges(of: HiddenColumn.state.sqlName).count != sql.ranges(of: isShown).count
    }

    func isModified(byEventsOfKind kind: DatabaseEventKind) -> Bool {
        if case .update(_, [HiddenColumn.state.name]) = kind, LocalState.isUpdateOfMarks, !readsState { return false }
        return region.isModified(byEventsOfKind: kind)
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
