import GRDB
import ODataSQL
import ODataSQLite

/// The full-text tables for `$search`: one for each set that was searched before.
///
/// A table is created with the first search of the set, so that unused indexes cost nothing; triggers update it.
/// Replacing a table of rows removes the triggers: the next search creates the full-text table again.
struct LocalSearch {
    let db: Database
    let schema: LocalSchema

    private static let prefix = "$search$"

    /// The full-text tables of the sets, if they are up to date.
    func tables(for sets: Set<String>) throws -> [String: String] {
        var names: [String: String] = [:]
        for set in sets {
            if let index = try index(of: set), try index.isComplete(in: db) { names[set] = index.name }
        }
        return names
    }

    /// Whether a set can have a full-text table and does not have it.
    func isMissing(for sets: Set<String>) throws -> Bool {
        try sets.contains { try index(of: $0)?.isComplete(in: db) == false }
    }

    func make(for sets: Set<String>) throws {
        for set in sets.sorted() {
            if let index = try index(of: set), try !index.isComplete(in: db) { try index.make(in: db) }
        }
    }

    /// Removes the full-text table before the columns of a set's table change, or if its content is confidential.
    func remove(of set: String) throws { try index(of: set)?.remove(in: db) }

    private func index(of set: String) throws -> SearchIndex? {
        guard let table = schema.tables[set] else { return nil }
        let columns = try schema.rows(of: table.set).searchedColumns(of: table.set.type)
        guard !columns.isEmpty else { return nil }
        return SearchIndex(of: table.name, id: HiddenColumn.id.name, columns: columns, prefix: Self.prefix)
    }
}
