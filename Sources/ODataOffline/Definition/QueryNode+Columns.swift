import Foundation
import GRDB
import ODataSQLite

extension QueryNode {
    /// The names of the requested properties, as stored in `"$node"`; nil for all.
    var columnNames: String? {
        guard !asked.isAll else { return nil }
        return (try? JSONEncoder().encode(asked.names.sorted())).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the ETag of a row is valid for all columns of this node. It is not if another node with fewer columns
    /// may have written a newer version.
    func etagTellsAll(in db: Database) throws -> Bool {
        let others = try String?.fetchAll(
            db, sql: #"SELECT "columns" FROM \#(.node) WHERE "set" = ? AND "slot" <> ?"#,
            arguments: [table.set.name, slot.number])
        let own = Set(asked.names)
        return others.allSatisfy { text in
            guard let text else { return true }
            let names = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
            return own.isSubset(of: names ?? [])
        }
    }
}
