import GRDB
import ODataSQL
import ODataSQLite

/// The full-text tables for `$search`: one for each set that was ever searched.
///
/// It is made with the first search of the set, so that unused indexes cost nothing, and triggers keep it up. A
/// table of rows that is replaced takes the triggers along: the next search makes the full-text table anew.
struct LocalSearch {
    let db: Database
    let schema: LocalSchema

    private static let prefix = "$search$"

    /// The full-text tables of these sets, by set, where they can be used.
    func tables(for sets: Set<String>) throws -> [String: String] {
        var names: [String: String] = [:]
        for set in sets {
            if let index = try index(of: set), try index.isComplete(in: db) { names[set] = index.name }
        }
        return names
    }

    /// Whether some of these sets can have a full-text table and do not.
    func isMissing(for sets: Set<String>) throws -> Bool {
        try sets.contains { try index(of: $0)?.isComplete(in: db) == false }
    }

    func make(for sets: Set<String>) throws {
        for set in sets.sorted() {
            if let index = try index(of: set), try !index.isComplete(in: db) { try index.make(in: db) }
        }
    }

    /// Before the columns of a set's table change, or what they hold is not for everybody's eyes.
    func remove(of set: String) throws { try index(of: set)?.remove(in: db) }

    private func index(of set: String) throws -> SearchIndex? {
        guard let table = schema.tables[set] else { return nil }
        let columns = try schema.rows(of: table.set).searchedColumns(of: table.set.type)
        guard !columns.isEmpty else { return nil }
        return SearchIndex(of: table.name, id: HiddenColumn.id.name, columns: columns, prefix: Self.prefix)
    }
}
