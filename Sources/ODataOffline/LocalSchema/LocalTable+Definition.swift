import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL
import ODataSQLite

/// The bits of `$state`.
package struct LocalState: OptionSet, Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Made here; the service does not know it yet.
    package static let madeHere = LocalState(rawValue: 1)
    /// Changes of it wait in the queue.
    package static let pending = LocalState(rawValue: 2)
    /// A request for it failed.
    package static let inError = LocalState(rawValue: 4)
    /// Deleted here; readers do not see it.
    package static let deletedHere = LocalState(rawValue: 8)
    /// Its key is temporary.
    package static let temporaryKey = LocalState(rawValue: 16)
    /// The service says it is gone, but it has changes that wait.
    package static let removedThere = LocalState(rawValue: 32)

    /// The condition for rows that readers see: those that are not deleted here.
    package static let isShown: SQLFragment = "\(.row(.state)) & \(deletedHere.rawValue) = 0"
}

/// A bit of the holder words of a row: one node of one defining query holds it.
///
/// Slot 0 is bit 0 of `$holders0`, slot 62 is bit 0 of `$holders1`, and so on.
package struct HolderSlot: Hashable, Sendable {
    package let number: Int
    package init(_ number: Int) { self.number = number }

    package static let bitsPerWord = 62
    package var word: Int { number / Self.bitsPerWord }
    package var bit: Int64 { 1 << Int64(number % Self.bitsPerWord) }
    /// `$holders0`
    package var column: String { Self.column(word) }
    package static func column(_ word: Int) -> String { "\(prefix)\(word)" }
    static let prefix = "$holders"
}

extension LocalTable {
    /// The columns that the store keeps for itself in every table, without the holder words.
    static let bookkeeping = [
        "\(.id) INTEGER PRIMARY KEY", "\(.state) INTEGER NOT NULL DEFAULT 0", "\(.etag) TEXT", downloadColumn,
    ]

    /// The number of the download that brought the row or changed it.
    package static let downloadColumn = "\(.download) INTEGER NOT NULL DEFAULT 0"

    /// In ``downloadColumn``: the ETag is the service's, but what else it holds may not be here.
    package static let unverified: Int64 = -1

    /// `CREATE TABLE "Orders" ("$id" INTEGER PRIMARY KEY, …, UNIQUE ("OrderID"))`
    ///
    /// - Parameters:
    ///   - slot: The node of a defining query that holds all rows the table gets without saying whose.
    ///   - isUnique: Whether the table has a unique index of the key while it is filled.
    package func definition(
        named name: String, holderWords: Int, heldBy slot: HolderSlot? = nil, isUnique: Bool = true
    ) -> String {
        var parts = Self.bookkeeping
        for word in 0..<holderWords { parts.append(Self.holderDefinition(word: word, slot: slot)) }
        if container != nil {
            parts.append("\(.parent) INTEGER NOT NULL")
        } else if set.type.key.isEmpty {
            parts.append("\(.single) INTEGER NOT NULL DEFAULT 1")
        }
        parts += serviceColumns.map(\.definition)
        if isUnique { parts.append("UNIQUE (\(keyList))") }
        return "CREATE TABLE \(quoted(name)) (\(parts.joined(separator: ", ")))"
    }

    /// `"OrderID", "LineNo"`
    package var keyList: String { keyColumns.map(quoted).joined(separator: ", ") }

    /// How many columns ``definition(named:holderWords:heldBy:isUnique:)`` has.
    package func columnCount(holderWords: Int) -> Int {
        let own = Self.bookkeeping.count + holderWords + (container != nil || set.type.key.isEmpty ? 1 : 0)
        return own + hiddenColumns.count + streams.reduce(0) { $0 + $1.all.count } + columns.count
    }

    /// The most columns that SQLite, as it was built, takes in a table: 2,000 unless its builder has chosen otherwise.
    package static let columnLimit =
        (try? DatabaseQueue().read { db in Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_COLUMN, -1)) }) ?? 2_000

    /// The definitions of columns that a table made by an earlier release, or for an earlier model, has not.
    package func additions(to present: Set<String>) -> [String] {
        let keys = Set(keyColumns)
        return serviceColumns.filter { !keys.contains($0.name) && !present.contains($0.name) }.map(\.definition)
    }

    /// The columns of streams and properties, which change with the service's metadata, and how they are declared.
    package var serviceColumns: [(name: String, definition: String)] {
        let control = streams.flatMap { stream in
            stream.all.map { name in
                let isMark = name == stream.changed || name == stream.evicted
                return (name, "\(quoted(name)) \(isMark ? "INTEGER NOT NULL DEFAULT 0" : "TEXT")")
            }
        }
        return hiddenColumns.map { ($0, "\(quoted($0)) TEXT") } + control + columns.map { ($0.name, $0.definition) }
    }

    /// `"$holders0" INTEGER NOT NULL DEFAULT 4`
    package static func holderDefinition(word: Int, slot: HolderSlot? = nil) -> String {
        "\(quoted(HolderSlot.column(word))) INTEGER NOT NULL DEFAULT \(slot?.word == word ? slot?.bit ?? 0 : 0)"
    }

    /// Every column of the table but `$id`, `$state` and the holders: what a version of an entity consists of.
    package var versionColumns: [String] {
        [HiddenColumn.etag.name] + streams.flatMap(\.all) + (container == nil ? [] : [HiddenColumn.parent.name])
            + hiddenColumns + columns.map(\.name)
    }

    /// Makes the indexes that are not kept up during a first load.
    package func indexes(of navigation: [LocalNavigation]) -> [String] {
        var statements = [
            index("state", on: "\(.state)", where: "\(.state) <> 0"),
            index("free", on: "\(.id)", where: "\(quoted(HolderSlot.column(0))) = 0"),
        ]
        var foreignKeys: Set<[String]> = []
        for case .columns(let pairs, _, let isDependent) in navigation where isDependent {
            let names = pairs.map(\.source)
            if names != Array(keyColumns.prefix(names.count)) { foreignKeys.insert(names) }
        }
        // Their order decides between indexes that are equally good.
        for names in foreignKeys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let suffix = names.joined(separator: "+")
            // SQLite compares names without case: a foreign key `State` must not share the name of the index above.
            let isTaken = ["state", "free"].contains(suffix.lowercased())
            statements.append(
                index(isTaken ? "\(suffix)+" : suffix, on: names.map(quoted).joined(separator: ", ")))
        }
        return statements
    }

    private func index(_ suffix: String, on columns: String, where condition: String? = nil) -> String {
        let filter = condition.map { " WHERE \($0)" } ?? ""
        return "CREATE INDEX IF NOT EXISTS \(quoted("\(name)$$\(suffix)")) ON \(quoted(name)) (\(columns))\(filter)"
    }
}
