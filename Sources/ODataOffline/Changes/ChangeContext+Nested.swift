import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Deep insert: each nested entity has a request of its own in the queue. An upload sends them in a
/// ``DeepInsertForm``.
extension ChangeContext {
    /// `"Customer":{…}` in a new order: the customer is made first, and the order refers to it.
    func createPrincipal(
        _ nested: EntityPayload.Nested, of table: LocalTable, _ type: EdmStructuredType, sent: inout EntityPayload
    ) throws {
        guard let relation = try nestedNavigation(nested, of: table, type).principal else { return }
        guard nested.entities.count == 1, let payload = nested.entities.first else {
            throw ODataError(.badRequest, "\(nested.navigation) takes one entity.")
        }
        let row = try create(payload, in: Destination(table: try schema.table(named: relation.targetSet)))
        let path = try path(of: row)
        guard case .columns(let pairs, _, _) = relation else {
            sent.bindings.append(.init(navigation: nested.navigation, references: [.path(path)]))
            return
        }
        for (name, value) in try foreignKey(pairs, of: table, to: path) { sent.properties[name] = value }
    }

    /// `"Items":[{…}]` in a new order: the order is made first, and the items refer to it.
    func createDependents(_ nested: EntityPayload.Nested, of row: EntityRow) throws {
        let type = try entityType(of: row)
        guard let relation = try nestedNavigation(nested, of: row.table, type).dependent,
            let navigation = type.navigationProperty(named: nested.navigation)
        else { return }
        let table = try schema.table(named: relation.targetSet)
        try TableMaker(db: db, schema: schema).make(relation.targetSet)
        for payload in nested.entities {
            _ = try create(payload, in: Destination(table: table, parent: row, navigation: navigation))
        }
    }

    private func nestedNavigation(_ nested: EntityPayload.Nested, of table: LocalTable, _ type: EdmStructuredType)
        throws
        -> (principal: LocalNavigation?, dependent: LocalNavigation?)
    {
        guard let relation = schema.storage(of: table.set.name, nested.navigation, as: type),
            let navigation = type.navigationProperty(named: nested.navigation)
        else { throw ODataError.unkept(nested.navigation) }
        try checkChangeable(
            schema.tables[relation.targetSet], at: ResourcePath(table.set).appending(.navigation(navigation, nil)))
        try TableMaker(db: db, schema: schema).make(relation.targetSet)
        switch relation {
        case .columns(_, _, let isDependent): return isDependent ? (relation, nil) : (nil, relation)
        case .link: return navigation.isCollection ? (nil, relation) : (relation, nil)
        }
    }
}
