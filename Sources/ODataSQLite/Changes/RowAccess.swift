import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// Finds rows and reads single values of them, inside a transaction.
struct RowAccess {
    let schema: PublishedSchema
    let executor: QueryExecutor
    let parser: QueryParser
    let db: Database
    /// When the change is made.
    let now: EdmDateTimeOffset
    /// For keys that the client does not give.
    let newGuid: @Sendable () -> EdmGuid

    /// The row with `key`; nil if there is none.
    func row(of table: PublishedTable, key: EntityKey) throws -> RowReference? {
        let values = try table.key.map { column in
            guard let value = key[column.property] else {
                throw ODataError(.badRequest, "The key of \(table.set) needs \(column.property).")
            }
            return (column, try column.stored(value))
        }
        return try confirmed(RowReference(key: values), of: table)
    }

    func exists(_ reference: RowReference, in table: PublishedTable) throws -> Bool {
        try confirmed(reference, of: table) != nil
    }

    /// The row by its rowid where there is one; nil if there is no such row.
    private func confirmed(_ reference: RowReference, of table: PublishedTable) throws -> RowReference? {
        let selected = table.rowID.map { "r.\(quoted($0))" } ?? "1"
        let rowID = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT \(selected) FROM \(quoted(table.name)) AS r WHERE \(reference.condition)"),
            arguments: reference.arguments)
        guard let rowID else { return nil }
        return table.rowID.map { RowReference(rowID: rowID, column: $0) } ?? reference
    }

    /// The values of `columns` of one row, as stored.
    func stored(_ columns: [String], of row: RowReference, in table: PublishedTable) throws -> [DatabaseValue] {
        let list = columns.map { "r.\(quoted($0))" }.joined(separator: ", ")
        let found = try db.cachedStatement(
            sql: "SELECT \(list) FROM \(quoted(table.name)) AS r WHERE \(row.condition)"
        ).wholeRow(row.arguments)
        guard let found else { throw ODataError(.notFound, "The entity of \(table.set) is gone.") }
        return found
    }

    func key(of row: RowReference, in table: PublishedTable) throws -> EntityKey {
        let values = try stored(table.key.map(\.name), of: row, in: table)
        return EntityKey(
            try zip(table.key, values).map { column, value in
                .init(name: column.property, value: try column.value(of: value))
            })
    }

    func etag(of row: RowReference, in table: PublishedTable) throws -> String? {
        try text(schema.rowSources[table.set]?.etag, of: row, in: table)
    }

    /// The value of an expression of a row source.
    func text(_ expression: SQLFragment?, of row: RowReference, in table: PublishedTable) throws -> String? {
        guard let expression else { return nil }
        let sql = expression.of(row: "r").text
        return try String.fetchOne(
            db.cachedStatement(sql: "SELECT \(sql) FROM \(quoted(table.name)) AS r WHERE \(row.condition)"),
            arguments: row.arguments)
    }

    /// The entity as a read of it gives it.
    func entity(at path: ResourcePath, options: QueryOptions = QueryOptions()) throws -> EdmEntity? {
        let (shape, block) = try executor.block(for: BoundQuery(path: path, options: options), in: db)
        return EntityAssembler(shape: shape).entities(in: block).first
    }
}
