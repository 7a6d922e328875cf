import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataSQLite

extension LocalColumn {
    /// The value that the column keeps as `stored`; nil if it is not of the property's type.
    func value(of stored: DatabaseValue) -> EdmValue? {
        switch (codec, stored.storage) {
        case (_, .null): .null
        case (.boolean, .int64(let value)): .boolean(value != 0)
        case (.integer, .int64(let value)): .integer(value)
        case (.real, .double(let value)): .double(value)
        case (.real, .int64(let value)): .double(Double(value))
        case (.guidBlob, .blob(let data)): EdmGuid(bytes: data).map(EdmValue.guid)
        case (.blob, .blob(let data)): .binary([UInt8](data))
        case (.instantText, .string(let text)): Self.instant(text)
        case (_, .string(let text)): EdmValue(lexical: text, type: property.type)
        default: nil
        }
    }

    /// `2024-01-02T03:04:05.6` in UTC, with another offset after a space.
    private static func instant(_ text: String) -> EdmValue? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, let value = EdmDateTimeOffset("\(first)Z") else { return nil }
        guard parts.count > 1, let shifted = EdmDateTimeOffset("2000-01-01T00:00:00\(parts[1])") else {
            return .dateTimeOffset(value)
        }
        return .dateTimeOffset(
            EdmDateTimeOffset(
                secondsSinceEpoch: value.secondsSinceEpoch, picosecond: value.time.picosecond,
                offsetMinutes: shifted.offsetMinutes))
    }
}

extension LocalTable {
    /// Whether the key has the properties of the set's key in their order, with values of which there is one form: the
    /// columns hold these very values where they are equal to them.
    fileprivate func isPlain(_ key: EntityKey) -> Bool {
        guard container == nil, !key.components.isEmpty, key.components.map(\.name) == set.type.key else {
            return false
        }
        return key.components.allSatisfy { member in
            switch (column(of: member.name)?.codec, member.value) {
            case (.integer, .integer), (.guidBlob, .guid): true
            case (.text, .string(let text)): !text.utf8.contains(0)
            default: false
            }
        }
    }
}

/// Finds rows of a live table, and says how they are named.
struct RowLookup {
    let db: Database
    let table: LocalTable

    /// The key of the row `id`; nil if there is no such row.
    func key(of id: Int64) throws -> EntityKey? {
        let columns = table.set.type.key.compactMap(table.column)
        guard columns.count == table.set.type.key.count else { return nil }
        guard !columns.isEmpty else { return try state(of: id).map { _ in EntityKey([]) } }
        guard let stored = try stored(columns.map(\.name), of: id) else { return nil }
        let members = zip(columns, stored).compactMap { column, stored in
            column.value(of: stored).map { EdmComplexValue.Member(name: column.property.name, value: $0) }
        }
        return members.count == columns.count ? EntityKey(members) : nil
    }

    /// What the columns of the row `id` keep, text with U+0000 whole; nil if there is no such row.
    func stored(_ columns: [String], of id: Int64) throws -> [DatabaseValue]? {
        let names = columns.map(quoted).joined(separator: ", ")
        return try db.cachedStatement(sql: "SELECT \(names) FROM \(quoted(table.name)) WHERE \(.id) = ?")
            .wholeRow([id])
    }

    /// The qualified name of the type of the row `id`; nil for that of the set.
    func typeName(of id: Int64) throws -> String? {
        guard table.types.count > 1 else { return nil }
        return try stored([HiddenColumn.type.name], of: id)?.first.flatMap(String.fromDatabaseValue)
    }

    /// The row with `key`, deleted ones too.
    func id(of key: EntityKey?) throws -> Int64? {
        let condition = try KeyCondition(table: table, key: key)
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT \(.id) FROM \(quoted(table.name)) WHERE \(condition.sql)"),
            arguments: condition.arguments)
    }

    /// The row that readers see under `key`, which has all properties of the key.
    func row(of key: EntityKey) throws -> EntityRow? {
        if table.isPlain(key) { return try row(ofPlain: key) }
        let columns = table.set.type.key.compactMap(table.column).map {
            ($0.property.name, ColumnMapping(column: $0.name, codec: $0.codec))
        }
        let source = RowSource(
            table: table.name, rowID: HiddenColumn.id.name,
            columns: Dictionary(columns, uniquingKeysWith: { first, _ in first }))
        let condition = try key.condition(alias: "r", source: source, type: table.set.type)
        let query: SQLFragment = """
            SELECT \(.id), \(.state) FROM \(.table(table.name, as: "r")) \
            WHERE \(condition) AND \(LocalState.isShown.of(row: "r"))
            """
        guard let found = try query.statement.rows(in: db).first, case .integer(let id) = found[0],
            case .integer(let state) = found[1]
        else { return nil }
        return EntityRow(table: table, id: id, state: LocalState(rawValue: state))
    }

    /// The same for a key whose values are stored as they are given.
    private func row(ofPlain key: EntityKey) throws -> EntityRow? {
        let condition = try KeyCondition(table: table, key: key)
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(.id), \(.state) FROM \(quoted(table.name)) AS r
                WHERE \(condition.sql) AND \(LocalState.isShown.of(row: "r").text)
                """)
        let rows = try Row.fetchCursor(statement, arguments: condition.arguments)
        return try withExtendedLifetime(rows) {
            try rows.next().map { found in
                EntityRow(table: table, id: found[0], state: LocalState(rawValue: found[1]), key: key)
            }
        }
    }

    func state(of id: Int64) throws -> LocalState? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT \(.state) FROM \(quoted(table.name)) WHERE \(.id) = ?"), arguments: [id]
        ).map(LocalState.init)
    }

    func setState(_ added: LocalState, removing removed: LocalState = [], of id: Int64) throws {
        try db.executeCached(
            sql: """
                UPDATE \(quoted(table.name)) SET \(.state) = (\(.state) | \(added.rawValue)) & ~\(removed.rawValue)
                WHERE \(.id) = ?
                """, arguments: [id])
    }
}
