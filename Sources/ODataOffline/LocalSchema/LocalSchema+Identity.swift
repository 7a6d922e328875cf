import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

extension LocalSchema {
    /// The expression for the id of entities whose canonical path is not that of a set and a key: singletons, and
    /// contained entities (`Orders(1)/Items(2)`). Nil for all others.
    func entityID(of table: LocalTable) -> SQLFragment? {
        if table.container == nil {
            return table.set.kind == .singleton ? .literal(ResourcePath(table.set).url) : nil
        }
        return path(of: table, depth: 0)
    }

    private func path(of table: LocalTable, depth: Int) -> SQLFragment {
        guard let container = table.container, let parent = tables[container.set] else {
            let name = SQLFragment.literal(ResourcePath(table.set).url)
            return table.set.kind == .singleton ? name : "\(name) || \(key(of: table))"
        }
        let alias = "p\(depth)"
        let path = path(of: parent, depth: depth + 1).of(row: alias)
        let step: SQLFragment = """
            (SELECT \(path) FROM \(.table(parent.name, as: alias)) \
            WHERE \(.column(alias, HiddenColumn.id.name)) = \(.row(.parent))) || \(literal: container.path)
            """
        return container.navigation.isCollection ? "\(step) || \(key(of: table))" : step
    }

    /// `odata_store_key('ID', 'Guid', r."ID")`
    private func key(of table: LocalTable) -> SQLFragment {
        let parts = table.set.type.key.compactMap(table.column).flatMap { column -> [SQLFragment] in
            let type = column.property.type.primitive ?? .string
            return [.literal(column.property.name), .literal(type.rawValue), .row(column.name)]
        }
        return .call(KeyFunction.name, parts)
    }
}
