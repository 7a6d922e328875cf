import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

extension LocalSchema {
    /// The expression for the id of entities whose canonical path is not that of a set and a key: singletons, and
    /// contained entities (`Orders(1)/Items(2)`). Nil for all others.
    func entityID(of table: LocalTable, row: String, depth: Int) -> String? {
        if table.container == nil {
            return table.set.kind == .singleton ? quotedText(ResourcePath(table.set).url) : nil
        }
        return path(of: table, row: row, depth: depth)
    }

    private func path(of table: LocalTable, row: String, depth: Int) -> String {
        guard let container = table.container, let parent = tables[container.set] else {
            let name = quotedText(ResourcePath(table.set).url)
            return table.set.kind == .singleton ? name : "\(name) || \(key(of: table, row: row))"
        }
        let alias = quoted("p\(depth)")
        let start = """
            (SELECT \(path(of: parent, row: alias, depth: depth + 1)) FROM \(quoted(parent.name)) AS \(alias) \
            WHERE \(alias)."$id" = \(row).\(quoted(LocalTable.parentColumn)))
            """
        let step = "\(start) || \(quotedText(container.path))"
        return container.navigation.isCollection ? "\(step) || \(key(of: table, row: row))" : step
    }

    /// `odata_store_key('ID', 'Guid', r."ID")`
    private func key(of table: LocalTable, row: String) -> String {
        let parts = table.set.type.key.compactMap(table.column).flatMap { column in
            [
                quotedText(column.property.name),
                quotedText((column.property.type.primitive ?? .string).rawValue),
                "\(row).\(quoted(column.name))",
            ]
        }
        return "\(KeyFunction.name)(\(parts.joined(separator: ", ")))"
    }
}
