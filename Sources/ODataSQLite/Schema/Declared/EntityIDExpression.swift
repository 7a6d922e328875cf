import ODataModel
import ODataQuery
import ODataSQL

/// Writes the expression for the id of entities whose canonical path is not that of a set and a key: singletons, and
/// contained entities (`Orders(1)/Items(2)`).
struct EntityIDExpression {
    let tables: [String: PublishedTable]

    func expression(of table: PublishedTable, row: String) -> String {
        guard let declared = table.declared else { return "NULL" }
        guard let container = declared.container, let parent = tables[container.set] else {
            let name = quotedText(ResourcePath(declared.entitySet).url)
            return declared.isSingleton ? name : "\(name) || \(key(of: table, row: row))"
        }
        let alias = "p\(depth(of: table))"
        let path = expression(of: parent, row: quoted(alias))
        let start = """
            (SELECT \(path) FROM \(quoted(parent.name)) AS \(quoted(alias)) \
            WHERE \(quoted(alias)).\(quoted(DeclaredTable.rowID)) = \(row).\(quoted(DeclaredTable.parentColumn)))
            """
        let step = "\(start) || \(quotedText(container.path))"
        return container.navigation.isCollection ? "\(step) || \(key(of: table, row: row))" : step
    }

    private func depth(of table: PublishedTable) -> Int {
        guard let container = table.declared?.container, let parent = tables[container.set] else { return 0 }
        return depth(of: parent) + 1
    }

    /// `odata_store_key('ID', 'Guid', r."ID")`
    private func key(of table: PublishedTable, row: String) -> String {
        let parts = table.key.flatMap { column in
            [
                quotedText(column.property), quotedText(column.type.rawValue),
                "\(row).\(quoted(column.name))",
            ]
        }
        return "\(KeyFunction.name)(\(parts.joined(separator: ", ")))"
    }
}
