import ODataModel
import ODataSQL
import ODataSQLite

/// The tables that a model has in an offline store, and how the translator finds them.
///
/// The layout follows from the model alone; a table is made in the file when it is first needed.
package struct LocalSchema: SQLMapping {
    package let model: EdmModel
    package let tables: [String: LocalTable]
    /// By set and property: an expression that is 0 where a row has come without the property.
    package var knowledge: [String: [String: SQLFragment]] = [:]
    /// The full-text tables that `$search` uses, by set.
    package var searchTables: [String: String] = [:]
    /// Sets that are views of the store's own.
    private let views: [String: RowSource]
    private let navigationTables: NavigationTables
    /// The tables of what the entities of a set contain, by set.
    private let contained: [String: [LocalTable]]
    /// What entities describe themselves as instance annotations.
    private var annotations: [LocalFunction] = []
    /// Entities that contain entities of their own kind are kept to this depth.
    private static let depthLimit = 6

    package var keepsNaN: Bool { true }

    package init(model: EdmModel, views: [String: RowSource] = [:]) {
        self.model = model
        self.views = views
        var tables: [String: LocalTable] = [:]
        var names = LocalNames()
        for set in model.entitySets where views[set.name] == nil {
            tables[set.name] = LocalTable(set: set, name: names.name(for: set.name), model: model)
        }
        // After the names of the sets, which do not depend on what is contained.
        for table in tables.values.sorted(by: { $0.name < $1.name }) {
            Self.addContained(in: table, depth: 0, names: &names, model: model, to: &tables)
        }
        navigationTables = NavigationTables(model: model, tables: tables)
        self.tables = tables
        contained = Dictionary(grouping: tables.values.filter { $0.container != nil }) { $0.container?.set ?? "" }
            .mapValues { $0.sorted { $0.name < $1.name } }
    }

    /// The same tables, whose entities have what `functions` give as instance annotations.
    package func annotating(_ functions: [LocalFunction]) -> LocalSchema {
        var schema = self
        schema.annotations = functions
        return schema
    }

    private static func addContained(
        in table: LocalTable, depth: Int, names: inout LocalNames, model: EdmModel,
        to tables: inout [String: LocalTable]
    ) {
        guard depth < depthLimit else { return }
        for bound in table.navigations where bound.navigation.containsTarget {
            guard let type = model.target(of: bound.navigation) else { continue }
            let name = "\(table.set.name)/\(bound.name)"
            let hidden = EdmEntitySetDeclaration(
                name: name, type: type.name, bindings: table.set.bindings(below: bound))
            let cast = BoundNavigation.cast(in: bound.name).flatMap { model.structuredType(named: $0.type) }
            let contained = LocalTable(
                set: EdmEntitySet(declaration: hidden, type: type), name: names.name(for: name), model: model,
                container: .init(
                    set: table.set.name, navigation: bound.navigation, path: BoundNavigation.path(of: bound.name),
                    cast: cast))
            tables[name] = contained
            addContained(in: contained, depth: depth + 1, names: &names, model: model, to: &tables)
        }
    }

    /// The tables of what the entities of `set` contain.
    package func contained(in set: String) -> [LocalTable] { contained[set] ?? [] }

    package func hiddenSet(named name: String) -> EdmEntitySet? {
        tables[name].flatMap { $0.container == nil ? nil : $0.set }
    }

    package func isView(_ set: String) -> Bool { views[set] != nil }

    package func table(of set: EdmEntitySet) throws -> LocalTable { try table(named: set.name) }

    package func table(named set: String) throws -> LocalTable {
        guard let table = tables[set] else {
            throw EdmModelError(name: set, message: "The store has no table for the entity set \(set).")
        }
        return table
    }

    /// How the navigation properties of all sets are stored, by set and ``BoundNavigation/name``.
    package var navigation: [String: [String: LocalNavigation]] { navigationTables.all }

    /// How those of one set are, by ``BoundNavigation/name``.
    package func navigation(of set: String) -> [String: LocalNavigation] { navigationTables.storage(of: set) ?? [:] }

    /// The mapping of a ``BoundNavigation/name``, or of a derived type that shares it.
    package func storage(of set: String, _ name: String) -> LocalNavigation? {
        let known = navigation(of: set)
        return known[name] ?? known[BoundNavigation.plainName(of: name)]
    }

    /// A type derived from `type` whose entities have another navigation property of this name.
    package func otherType(withNavigation navigation: String, in set: String, below type: EdmStructuredType)
        -> EdmStructuredType?
    {
        guard let table = tables[set], table.types.count > 1 else { return nil }
        let known = self.navigation(of: set)
        let name = BoundNavigation.name(of: navigation, as: type) { known[$0] != nil }
        return model.derivedTypes(of: type).first { known["\($0.name):\(navigation)"] != nil && name == navigation }
    }

    /// The mapping of a navigation property for entities of `type`.
    package func storage(of set: String, _ navigation: String, as type: EdmStructuredType) -> LocalNavigation? {
        storage(of: set, navigationName(of: navigation, in: set, as: type))
    }

    /// The ``BoundNavigation/name`` that a navigation property has for entities of `type`.
    package func navigationName(of navigation: String, in set: String, as type: EdmStructuredType) -> String {
        guard let table = tables[set], table.types.count > 1 else { return navigation }
        let known = self.navigation(of: set)
        return BoundNavigation.name(of: navigation, as: type) { known[$0] != nil }
    }

    /// The SQL condition for rows of the types with this navigation property; nil if no other type has one of its name.
    package func typeCondition(ofNavigation name: String, of set: String, row: String) -> String? {
        guard BoundNavigation.cast(in: name) != nil, let table = tables[set],
            let bound = table.navigations.first(where: { $0.name == name })
        else { return nil }
        let names = bound.types.map { quotedText("\($0.name)") }.joined(separator: ", ")
        let declared = quotedText("\(table.set.type.name)")
        return "coalesce(\(row).\(.type), \(declared)) IN (\(names))"
    }

    /// The link tables that have rows of `set` at an end.
    package func links(of set: String) -> [LinkTable] { navigationTables.links(of: set) }

    package func rows(of set: EdmEntitySet) throws -> RowSource {
        if let view = views[set.name] { return view }
        let table = try table(of: set)
        var source = RowSource(
            table: table.name, rowID: HiddenColumn.id.name,
            columns: Dictionary(
                table.columns.map { ($0.property.name, ColumnMapping(column: $0.name, codec: $0.codec)) },
                uniquingKeysWith: { first, _ in first }),
            navigation: navigation(of: set.name).mapValues { $0.mapping(linkCondition: LocalState.isShown) },
            condition: LocalState.isShown, etag: .row(.etag))
        source.hasTypedNavigation = source.navigation.keys.contains { BoundNavigation.cast(in: $0) != nil }
        source.function = { operation, stream in
            LocalFunction(operation).map { table.sql(of: $0, stream: stream) }
        }
        if !annotations.isEmpty { source.annotations = table.annotations(annotations) }
        if table.types.count > 1 {
            source.typeName = .call("coalesce", [.row(.type), .literal("\(set.type.name)")])
        }
        if table.types.contains(where: \.isOpen) { source.dynamicColumn = HiddenColumn.dynamic.name }
        source.entityID = entityID(of: table)
        source.searchTable = searchTables[set.name]
        source.knowledge = knowledge[set.name] ?? [:]
        source.media = table.stream(of: nil).map(Self.mapping)
        for stream in table.streams {
            if let property = stream.property { source.streams[property] = Self.mapping(stream) }
        }
        return source
    }

    private static func mapping(_ stream: LocalStream) -> StreamMapping {
        StreamMapping(
            contentType: .row(stream.type), etag: stream.tag, readLink: .row(stream.readLink),
            editLink: .row(stream.editLink))
    }
}
