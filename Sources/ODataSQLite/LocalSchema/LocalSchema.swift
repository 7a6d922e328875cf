import ODataModel
import ODataSQL

/// The tables that a model has in an offline store, and how the translator finds them.
///
/// The layout follows from the model alone; a table is made in the file when it is first needed.
package struct LocalSchema: SQLMapping {
    package let model: Model
    package let tables: [String: LocalTable]
    /// By entity set and navigation property.
    package let relations: [String: [String: LocalRelation]]
    /// Sets that are views of the store's own.
    private let views: [String: RowSource]
    /// What entities tell of themselves as instance annotations.
    private var annotations: [LocalFunction] = []

    package init(model: Model, views: [String: RowSource] = [:]) {
        self.model = model
        self.views = views
        var names = LocalNames()
        var tables: [String: LocalTable] = [:]
        for set in model.entitySets where views[set.name] == nil {
            tables[set.name] = LocalTable(set: set, name: names.name(for: set.name))
        }
        var builder = RelationBuilder(model: model, tables: tables)
        relations = tables.mapValues { table in builder.relations(of: table) }
        self.tables = tables
    }

    /// The same tables, whose entities tell what `functions` give as instance annotations.
    package func annotating(_ functions: [LocalFunction]) -> LocalSchema {
        var schema = self
        schema.annotations = functions
        return schema
    }

    package func isView(_ set: String) -> Bool { views[set] != nil }

    package func table(of set: EntitySet) throws -> LocalTable { try table(named: set.name) }

    package func table(named set: String) throws -> LocalTable {
        guard let table = tables[set] else {
            throw ModelError(name: set, message: "The store has no table for the entity set \(set).")
        }
        return table
    }

    package func relation(of set: String, _ navigation: String) -> LocalRelation? { relations[set]?[navigation] }

    /// The link tables that have rows of `set` at an end.
    package func links(of set: String) -> [LinkTable] {
        var found: Set<LinkTable> = []
        for relation in relations.values.flatMap(\.values) {
            if case .link(let table, _) = relation, table.sourceSet == set || table.targetSet == set {
                found.insert(table)
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    package func rows(of set: EntitySet) throws -> RowSource {
        if let view = views[set.name] { return view }
        let table = try table(of: set)
        var source = RowSource(
            table: table.name, rowID: "$id",
            columns: Dictionary(
                table.columns.map { ($0.property.name, ColumnMapping(column: $0.name, codec: $0.codec)) },
                uniquingKeysWith: { first, _ in first }),
            relations: (relations[set.name] ?? [:]).mapValues(\.mapping),
            condition: "{row}.\"$state\" & \(LocalState.deletedHere.rawValue) = 0", etag: "{row}.\"$etag\"")
        source.function = { operation, stream in
            LocalFunction(operation).map { table.sql(of: $0, stream: stream) }
        }
        if !annotations.isEmpty { source.annotations = table.annotations(annotations) }
        source.media = table.stream(of: nil).map(Self.mapping)
        for stream in table.streams {
            if let property = stream.property { source.streams[property] = Self.mapping(stream) }
        }
        return source
    }

    private static func mapping(_ stream: LocalStream) -> StreamMapping {
        let expression: (String) -> String = { "{row}.\(quoted($0))" }
        return StreamMapping(
            contentType: expression(stream.type), etag: expression(stream.etag),
            readLink: expression(stream.readLink), editLink: expression(stream.editLink))
    }
}
