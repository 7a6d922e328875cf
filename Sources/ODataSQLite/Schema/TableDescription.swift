/// A table or view as SQLite describes it.
struct TableDescription: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case table
        case view
    }

    var name: String
    var kind: Kind
    var isWithoutRowID: Bool
    var columns: [ColumnDescription]
    var foreignKeys: [ForeignKeyDescription]
    /// The columns of each unique index that covers the whole table and has no expressions.
    var uniqueIndexes: [[String]]
    /// The columns that each index of the whole table begins with, up to its first expression.
    var indexes: [[IndexColumn]] = []
    /// Whether SQLite keeps an index for the primary key, which is then not an alias of the rowid.
    var hasPrimaryKeyIndex: Bool

    /// The columns of the primary key, in its order.
    var primaryKey: [String] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }

    /// The `INTEGER PRIMARY KEY` that is an alias of the rowid.
    var rowIDAlias: String? {
        let key = columns.filter { $0.keyPosition > 0 }
        guard kind == .table, !isWithoutRowID, !hasPrimaryKeyIndex, key.count == 1, let column = key.first,
            column.declaredType.uppercased() == "INTEGER"
        else { return nil }
        return column.name
    }

    /// The column with this name or with this property name.
    func column(_ name: String?) -> ColumnDescription? {
        columns.first { $0.name == name || IdentifierNames.identifier($0.name) == name }
    }

    /// A name of the rowid: the alias, or one of SQLite's names that is not the name of a column.
    var rowID: String? {
        guard kind == .table, !isWithoutRowID else { return nil }
        if let rowIDAlias { return rowIDAlias }
        let taken = Set(columns.map { $0.name.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }
}

/// A column as SQLite describes it.
struct ColumnDescription: Sendable, Hashable {
    var name: String
    /// The declared type: `NUMERIC(10,2)`; empty if there is none.
    var declaredType: String
    var isNotNull: Bool
    /// The SQL of the default.
    var defaultSQL: String?
    /// From 1; 0 for columns that are not part of the primary key.
    var keyPosition: Int
    var isGenerated: Bool
    /// `BINARY`, `NOCASE`
    var collation: String
}

/// A column of an index.
struct IndexColumn: Sendable, Hashable {
    /// In small letters.
    let name: String
    /// In capitals.
    let collation: String

    init(name: String, collation: String) {
        self.name = name.lowercased()
        self.collation = collation.uppercased()
    }
}

/// A foreign key constraint.
struct ForeignKeyDescription: Sendable, Hashable {
    var columns: [String]
    var target: String
    /// Nil if the constraint implies the target's primary key.
    var targetColumns: [String]?
}
