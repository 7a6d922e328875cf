import ODataModel
import ODataQuery
import ODataSQLite

/// Adds the properties to a defining query's `$select` that the store requires: keys, the referential constraints of
/// expanded navigation properties, and the rest of values that are stored as a whole.
struct QueryCompletion {
    let offline: OfflineModel

    func complete(_ query: BoundQuery) -> BoundQuery {
        guard let table = offline.table(at: query.path) else { return query }
        var query = query
        let type = query.path.entityType(in: offline.model) ?? table.set.type
        query.options = complete(query.options, of: table, type, needing: [])
        return query
    }

    private func complete(
        _ options: QueryOptions, of table: LocalTable, _ type: EdmStructuredType, needing names: [String]
    ) -> QueryOptions {
        var options = options
        var needed = table.keyColumns + names
        for index in options.expand.indices {
            let item = options.expand[index]
            let name = item.navigation.name
            guard let storage = offline.schema.storage(of: table.set.name, name, as: item.castType ?? type),
                let target = offline.schema.tables[storage.targetSet]
            else { continue }
            var targetNames: [String] = []
            if case .columns(let pairs, _, _) = storage {
                needed += pairs.map(\.source)
                targetNames = pairs.map(\.target)
            }
            options.expand[index].options = complete(
                item.options, of: target, item.targetType, needing: targetNames)
        }
        guard let items = options.select, !items.isEmpty else { return options }
        var select: [SelectItem] = []
        for item in items.map({ whole($0, of: table) }) where !select.contains(item) { select.append(item) }
        guard !select.contains(.all) else {
            options.select = select
            return options
        }
        for name in needed {
            guard let property = table.columns.first(where: { $0.name == name })?.property,
                !select.contains(.property([property]))
            else { continue }
            select.append(.property([property]))
        }
        options.select = select
        return options
    }

    /// `Address` for `Address/City`, `Tags` for `Tags($top=1)`, and `*` for a dynamic property: a part would replace
    /// the whole.
    private func whole(_ item: SelectItem, of table: LocalTable) -> SelectItem {
        guard let name = item.propertyName else { return item }
        guard table.column(of: name) != nil || table.stream(of: name) != nil else { return .all }
        switch item {
        case .property(let path): return .property(Array(path.prefix(1)))
        case .path(let steps, _):
            let casts = steps.prefix(while: \.isCast)
            guard !casts.isEmpty, case .property? = steps.dropFirst(casts.count).first else {
                guard case .property(let property)? = steps.first else { return item }
                return .property([property])
            }
            return .path(Array(steps.prefix(casts.count + 1)), nil)
        case .all, .navigation, .operation: return item
        }
    }
}
