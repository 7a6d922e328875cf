import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// Makes rows of log entries.
struct DeltaBlock {
    let access: RowAccess
    let table: PublishedTable
    let query: BoundQuery

    /// The changed entities that belong to the result, then those that are gone from it.
    func block(for changes: [LoggedChange], shape: RowShape) throws -> RowBlock {
        let keys = try changes.compactMap { try key($0.key) }
        guard let condition = condition(keys) else { return RowBlock() }
        var query = query
        query.options.orderBy = []
        query.options.count = false
        query.options.filter = query.options.filter.map { .binary(.and, $0, condition) } ?? condition
        var (found, block) = try access.executor.block(for: query, in: access.db)
        let present = Set(block.rows.indices.compactMap { block.key(row: $0, shape: found) })
        for key in keys where !present.contains(key) {
            let isThere = try access.row(of: table, key: key) != nil
            let id = query.path.rootSet.map { ResourcePath($0, key: key).url } ?? ""
            block.appendRemoved(id, isThere ? .left : .deleted, shape: shape)
        }
        return block
    }

    /// The key of which the log has the stored values; nil if another program has written invalid values.
    private func key(_ json: String) throws -> EntityKey? {
        let values = try Self.values(json, in: access.db)
        guard values.count == table.key.count else { return nil }
        var components: [EdmComplexValue.Member] = []
        for (column, value) in zip(table.key, values) {
            let stored = column.codec == .guidBlob ? Self.bytes(hexadecimal: value) : value
            guard let decoded = try? column.value(of: stored), !decoded.isNull else { return nil }
            components.append(.init(name: column.property, value: decoded))
        }
        return EntityKey(components)
    }

    /// `["A",1]`; SQLite reads a text of JSON up to its first `\u0000` only.
    private static func values(_ json: String, in db: Database) throws -> [DatabaseValue] {
        let values = try DatabaseValue.fetchAll(db, sql: "SELECT value FROM json_each(?)", arguments: [json])
        guard json.contains(#"\u0000"#) else { return values }
        let texts = try JSONDecoder().decode([KeyText].self, from: Data(json.utf8))
        return zip(values, texts).map { value, text in text.value?.databaseValue ?? value }
    }

    /// A member of the array: nil for one that is not text.
    private struct KeyText: Decodable {
        var value: String?

        init(from decoder: any Decoder) throws {
            value = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    private static func bytes(hexadecimal value: DatabaseValue) -> DatabaseValue {
        guard let text = String.fromDatabaseValue(value), let bytes = EdmValue.bytes(hexadecimal: text) else {
            return value
        }
        return Data(bytes).databaseValue
    }

    /// `ID in (1,2,3)`; for composite keys `(A eq 1 and B eq 2) or (…)`
    private func condition(_ keys: [EntityKey]) -> QueryExpression? {
        guard !keys.isEmpty else { return nil }
        if table.key.count == 1, let column = table.key.first, let operand = path(column) {
            return .inList(operand, keys.flatMap(\.values).map { .literal($0, .primitive(column.type)) })
        }
        return joined(keys.compactMap { joined(comparisons($0), .and) }, .or)
    }

    private func comparisons(_ key: EntityKey) -> [QueryExpression] {
        table.key.compactMap { column in
            guard let operand = path(column), let value = key[column.property] else { return nil }
            return .binary(.eq, operand, .literal(value, .primitive(column.type)))
        }
    }

    private func joined(_ terms: [QueryExpression], _ operation: BinaryOperator) -> QueryExpression? {
        guard let first = terms.first else { return nil }
        return terms.dropFirst().reduce(first) { .binary(operation, $0, $1) }
    }

    private func path(_ column: PublishedColumn) -> QueryExpression? {
        guard let set = query.path.rootSet else { return nil }
        return set.type.property(named: column.property).map {
            .path(PropertyPath(variableSet: set, variableType: set.type, steps: [.property($0)]))
        }
    }
}

extension RowBlock {
    /// `{"@odata.removed": {"reason": "deleted"}, "@odata.id": "Products(1)"}`
    fileprivate mutating func appendRemoved(_ id: String, _ change: RowHeader.Change, shape: RowShape) {
        var header = RowHeader()
        header.change = change
        header.id = append(text: id)
        header.firstSlot = Int32(slots.count)
        slots += Array(repeating: .absent, count: shape.properties.count)
        rows.append(header)
    }
}
