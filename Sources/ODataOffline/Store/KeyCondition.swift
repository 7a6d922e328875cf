import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// `"OrderID" = ? AND "ProductID" = ?`
struct KeyCondition {
    let sql: String
    let arguments: StatementArguments
    /// What stands for the values in a statement: `?`, for each column of the key.
    let terms: [String]

    init(table: LocalTable, key: EntityKey?) throws {
        guard let key, !table.set.type.key.isEmpty else {
            sql = "\(.single) = ?"
            arguments = [1]
            terms = ["?"]
            return
        }
        var parts: [String] = []
        var values: [DatabaseValue] = []
        for name in table.set.type.key {
            guard let column = table.column(of: name), let value = key[name] ?? key.onlyValue else {
                throw ODataError(.badRequest, "The key of \(table.set.name) needs \(name).")
            }
            let stored = try column.databaseValue(of: value)
            parts.append("\(quoted(column.name)) = \(stored.term)")
            values.append(stored)
        }
        sql = parts.joined(separator: " AND ")
        arguments = StatementArguments(stored: values.flatMap { $0.parts })
        terms = values.map { $0.term }
    }
}

extension EntityKey {
    /// The value of a key of one property, whatever it is called.
    fileprivate var onlyValue: EdmValue? { components.count == 1 ? components[0].value : nil }
}

extension LocalColumn {
    /// The value as the column keeps it.
    ///
    /// - Throws: ``ODataError`` `badRequest` if the column cannot keep it.
    func databaseValue(of value: EdmValue) throws -> DatabaseValue {
        do { return try codec.binding(for: value).stored } catch {
            let what = ValueProblem.takes(property.type, not: value.shown)
            throw ODataError(.badRequest, ValueProblem(property.name, what).message, cause: error)
        }
    }
}
