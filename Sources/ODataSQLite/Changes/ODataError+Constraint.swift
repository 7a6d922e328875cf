import GRDB
import ODataModel
import ODataStores

extension ODataError {
    /// Why a change was refused; columns are named by their properties.
    static func change(_ error: any Error, schema: PublishedSchema) -> ODataError {
        guard let error = error as? DatabaseError, error.resultCode == .SQLITE_CONSTRAINT else {
            return storage(error)
        }
        let text = error.message ?? "a constraint failed"
        let names = properties(in: text, schema: schema)
        let list = names.joined(separator: ", ")
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            return .notUnique(names.isEmpty ? text : list, cause: error)
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            return ODataError(
                .conflict, "A foreign key does not lead to an entity, or the entity is still referred to.", cause: error
            )
        case .SQLITE_CONSTRAINT_NOTNULL:
            return ODataError(.badRequest, "\(names.isEmpty ? text : list) must have a value.", cause: error)
        case .SQLITE_CONSTRAINT_CHECK:
            return ODataError(.badRequest, "The values are refused: \(text).", cause: error)
        default: return ODataError(.badRequest, "The change is refused: \(text).", cause: error)
        }
    }

    /// `NOT NULL constraint failed: Order Details.OrderID, …` → `Order_Details.OrderID`
    private static func properties(in message: String, schema: PublishedSchema) -> [String] {
        guard let colon = message.firstRange(of: ": ") else { return [] }
        return message[colon.upperBound...].split(separator: ", ").compactMap { name in
            // "A.B.C" may be a column of the table "A" and of "A.B".
            let tables = schema.tables.values.filter { name.hasPrefix($0.name + ".") }
            for table in tables.sorted(by: { $0.name.utf8.count > $1.name.utf8.count }) {
                let column = String(name.dropFirst(table.name.count + 1))
                if let property = table.column(named: column)?.property { return "\(table.set).\(property)" }
                if table.allStreams.contains(where: { $0.column == column }) { return "\(table.set).\(column)" }
            }
            return nil
        }
    }
}
