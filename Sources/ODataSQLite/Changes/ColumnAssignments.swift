import GRDB
import ODataModel
import ODataSQL

/// Columns and what they are set to, in the order of the first mention.
struct ColumnAssignments {
    enum Assigned {
        case value(DatabaseValue)
        /// SQL of the schema itself: a default.
        case sql(String)
        /// So many bytes of zero, to be written afterwards.
        case zeroes(Int64)
    }

    private(set) var columns: [String] = []
    private var values: [String: Assigned] = [:]

    var isEmpty: Bool { columns.isEmpty }

    subscript(column: String) -> Assigned? {
        get { values[column] }
        set {
            if values.updateValue(newValue ?? .value(.null), forKey: column) == nil { columns.append(column) }
        }
    }

    func has(_ column: String) -> Bool { values[column] != nil }

    mutating func set(_ pairs: [(String, DatabaseValue)]) {
        for (column, value) in pairs { self[column] = .value(value) }
    }

    /// `INSERT INTO "Products" ("ProductName") VALUES (?)`
    func insertion(into table: String) -> (sql: String, arguments: StatementArguments) {
        guard !isEmpty else { return ("INSERT INTO \(quoted(table)) DEFAULT VALUES", []) }
        let names = columns.map(quoted).joined(separator: ", ")
        return ("INSERT INTO \(quoted(table)) (\(names)) VALUES (\(terms.joined(separator: ", ")))", arguments)
    }

    /// `UPDATE "Products" AS r SET "ProductName" = ? WHERE r."ProductID" = ?`
    func update(of table: String, at row: RowReference) -> (sql: String, arguments: StatementArguments) {
        let list = zip(columns, terms).map { "\(quoted($0)) = \($1)" }.joined(separator: ", ")
        return ("UPDATE \(quoted(table)) AS r SET \(list) WHERE \(row.condition)", arguments + row.arguments)
    }

    private var terms: [String] {
        columns.map { column in
            switch values[column] {
            case .sql(let sql): "(\(sql))"
            case .zeroes: "zeroblob(?)"
            case .value(let value): value.term
            case nil: "?"
            }
        }
    }

    private var arguments: StatementArguments {
        StatementArguments(
            columns.flatMap { column -> [DatabaseValue] in
                switch values[column] {
                case .sql: []
                case .zeroes(let count): [count.databaseValue]
                case .value(let value): value.parts
                case nil: [.null]
                }
            })
    }
}
