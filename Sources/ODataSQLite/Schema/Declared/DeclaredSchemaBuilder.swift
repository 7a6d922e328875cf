import ODataModel
import ODataSQL
import ODataStores

/// Builds the tables of a declared model and the mapping of its entity sets to them.
struct DeclaredSchemaBuilder {
    /// The maximum depth of entities that contain entities of their own type.
    private static let depthLimit = 6

    let declared: DeclaredModel
    let versions: RowSourceBuilder.Versions
    let keepsTypes: Bool
    private var names = LocalNames()
    private var tables: [PublishedTable] = []

    private var model: EdmModel { declared.model }

    init(_ declared: DeclaredModel, versions: RowSourceBuilder.Versions, keepsTypes: Bool) {
        self.declared = declared
        self.versions = versions
        self.keepsTypes = keepsTypes
    }

    /// - Throws: ``ODataError`` `notImplemented` for a key that a table cannot have.
    mutating func schema() throws -> PublishedSchema {
        tables = []
        for set in model.entitySets { try add(set, container: nil, depth: 0) }
        let byName = Dictionary(tables.map { ($0.set, $0) }) { first, _ in first }
        let resolver = NavigationResolver(model: model, places: byName.compactMapValues(\.place))
        let navigation = resolver.places.mapValues { resolver.navigation(of: $0) }
        let sources = byName.mapValues { source(of: $0, navigation: navigation[$0.set] ?? [:], tables: byName) }
        var schema = PublishedSchema(model: model, tables: byName, rowSources: sources, notices: [])
        schema.navigation = navigation
        schema.statements = DeclaredStatements(tables: tables, navigation: navigation).all
        for table in tables where table.declared?.container != nil {
            schema.hiddenSets[table.set] = table.declared?.entitySet
        }
        return schema
    }

    /// The table of a set and those of its contained entities.
    private mutating func add(_ set: EdmEntitySet, container: DeclaredTable.Container?, depth: Int) throws {
        if let error = set.nestedKeyError { throw error }
        let builder = DeclaredTableBuilder(model: model, rules: declared.rules, set: set, container: container)
        let table = builder.table(named: names.name(for: set.name))
        tables.append(table)
        guard depth < Self.depthLimit else { return }
        for bound in table.declared?.navigations ?? [] where bound.navigation.containsTarget {
            guard let type = model.target(of: bound.navigation) else { continue }
            let hidden = EdmEntitySetDeclaration(
                name: "\(set.name)/\(bound.name)", type: type.name, bindings: set.bindings(below: bound))
            let container = DeclaredTable.Container(
                set: set.name, navigation: bound.navigation, path: BoundNavigation.path(of: bound.name))
            try add(EdmEntitySet(declaration: hidden, type: type), container: container, depth: depth + 1)
        }
    }

    private func source(
        of table: PublishedTable, navigation: [String: ResolvedNavigation], tables: [String: PublishedTable]
    ) -> RowSource {
        var source = RowSourceBuilder(versions: versions, keepsTypes: keepsTypes).source(of: table, navigation: [])
        source.navigation = navigation.mapValues { $0.storage.mapping() }
        source.hasTypedNavigation = navigation.keys.contains { BoundNavigation.cast(in: $0) != nil }
        guard let declared = table.declared else { return source }
        if declared.hasTypes { source.typeName = .row(DeclaredTable.typeColumn) }
        if declared.isOpen { source.dynamicColumn = DeclaredTable.dynamicColumn }
        source.searchTable = SearchTable(table)?.name
        if declared.container != nil || declared.isSingleton {
            source.entityID = EntityIDExpression(tables: tables).expression(of: table)
        }
        return source
    }
}
