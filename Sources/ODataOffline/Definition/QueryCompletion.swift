import ODataModel
import ODataQuery
import ODataSQLite

/// Adds to what a defining query selects what the store cannot do without: keys, and the properties that make the
/// relations that are expanded.
struct QueryCompletion {
    let offline: OfflineModel

    func complete(_ query: BoundQuery) -> BoundQuery {
        guard let table = offline.table(at: query.path) else { return query }
        var query = query
        query.options = complete(query.options, of: table, needing: [])
        return query
    }

    private func complete(_ options: QueryOptions, of table: LocalTable, needing names: [String]) -> QueryOptions {
        var options = options
        var needed = table.keyColumns + names
        for index in options.expand.indices {
            let item = options.expand[index]
            guard let relation = offline.schema.relation(of: table.set.name, item.navigation.name),
                let target = offline.schema.tables[relation.targetSet]
            else { continue }
            var targetNames: [String] = []
            if case .columns(let pairs, _, _) = relation {
                needed += pairs.map(\.source)
                targetNames = pairs.map(\.target)
            }
            options.expand[index].options = complete(item.options, of: target, needing: targetNames)
        }
        guard let select = options.select, !select.isEmpty, !select.contains(.all) else { return options }
        for name in needed {
            guard let property = table.columns.first(where: { $0.name == name })?.property,
                options.select?.contains(.property([property])) == false
            else { continue }
            options.select?.append(.property([property]))
        }
        return options
    }
}
