import ODataModel
import ODataQuery
import ODataSQL

/// Writes the expression for the id of entities whose canonical path is not that of a set and a key: singletons, and
/// contained entities (`Orders(1)/Items(2)`).
struct EntityIDExpression {
    let tables: [String: PublishedTable]

    func expression(of table: PublishedTable) -> SQLFragment {
        guard let declared = table.declared else { return "NULL" }
        guard let container = declared.container, let parent = tables[container.set] else {
            let name = SQLFragment.literal(ResourcePath(declared.entitySet).url)
            return declared.isSingleton ? name : "\(name) || \(key(of: table))"
        }
        let alias = "p\(depth(of: table))"
        let path = expression(of: parent).of(row: alias)
        let step: SQLFragment = """
            (SELECT \(path) FROM \(.table(parent.name, as: alias)) \
            WHERE \(.column(alias, DeclaredTable.rowID)) = \(.row(DeclaredTable.parentColumn))) \
            || \(literal: container.path)
            """
        return container.navigation.isCollection ? "\(step) || \(key(of: table))" : step
    }

    private func depth(of table: PublishedTable) -> Int {
        guard let container = table.declared?.container, let parent = tables[container.set] else { return 0 }
        return depth(of: parent) + 1
    }

    /// `odata_store_key('ID', 'Guid', r."ID")`
    private func key(of table: PublishedTable) -> SQLFragment {
        let parts = table.key.flatMap { column -> [SQLFragment] in
            [.literal(column.property), .literal(column.type.rawValue), .row(column.name)]
        }
        return .call(KeyFunction.name, parts)
    }
}
