import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// A node of a defining query's tree of expansions, derived from the query and the metadata: its root, or an expanded
/// navigation property.
struct QueryPlace: Sendable {
    struct Child: Sendable {
        /// `Items`, `NS.Car:Owner`: see ``BoundNavigation/name``.
        var navigation: String
        /// The type before the navigation property in the query.
        var cast: EdmQualifiedName?
        var storage: LocalNavigation
        /// Whether all entities of the navigation property are requested.
        var isWhole: Bool
        var place: QueryPlace
    }

    /// `` for the root, `Items/Product` below.
    let path: String
    let table: LocalTable
    let asked: RequestedProperties
    let children: [Child]

    /// This place and all below it, outermost first.
    var all: [QueryPlace] { [self] + children.flatMap(\.place.all) }

    /// - Parameter query: A query that `QueryCheck` has completed.
    init(_ query: BoundQuery, offline: OfflineModel) throws {
        let query = try query.unrolled(model: offline.model)
        guard let table = offline.table(at: query.path) else {
            throw ODataError(.badRequest, "A defining query must lead to the entities of a set.")
        }
        let type = query.path.entityType(in: offline.model) ?? table.set.type
        try self.init(path: "", table: table, type: type, options: query.options, schema: offline.schema)
    }

    private init(
        path: String, table: LocalTable, type: EdmStructuredType, options: QueryOptions, schema: LocalSchema
    ) throws {
        self.path = path
        self.table = table
        asked = RequestedProperties(options, of: table)
        children = try options.expand.compactMap { item in
            let owner = item.castType ?? type
            var name = schema.navigationName(of: item.navigation.name, in: table.set.name, as: owner)
            guard let storage = schema.storage(of: table.set.name, name) else { return nil }
            let isOfAll = item.prefix.isEmpty || BoundNavigation.cast(in: name)?.type == item.castType?.name
            // `NS.Car/Owner,NS.Truck/Owner`: the same navigation property twice.
            let isTwice = options.expand.count { $0.navigation.name == item.navigation.name } > 1
            if isTwice, item.castType != nil, name == item.navigation.name { name = "\(owner.name):\(name)" }
            let target = try schema.table(named: storage.targetSet)
            let below = path.isEmpty ? name : "\(path)/\(name)"
            return Child(
                navigation: name, cast: item.castType?.name, storage: storage, isWhole: item.bringsAll && isOfAll,
                place: try QueryPlace(
                    path: below, table: target, type: item.targetType, options: item.options, schema: schema))
        }
    }
}

/// The properties that a node of a defining query requests of its entities; a download changes only these.
struct RequestedProperties: Sendable {
    let columns: [LocalColumn]
    /// The stream of media entities is always included.
    let streams: [LocalStream]
    /// Whether all properties are included, dynamic ones too.
    let isAll: Bool
    /// `$edit`, `$type`, `$dynamic`
    let hidden: [String]

    init(_ options: QueryOptions, of table: LocalTable) {
        let select = options.select ?? []
        isAll = select.isEmpty || select.contains(.all)
        guard !isAll else {
            (columns, streams, hidden) = (table.columns, table.streams, table.hiddenColumns)
            return
        }
        let names = Set(select.compactMap(\.propertyName))
        columns = table.columns.filter { $0.isKey || names.contains($0.property.name) }
        streams = table.streams.filter { $0.property.map(names.contains) ?? true }
        hidden = table.hiddenColumns.filter { $0 != HiddenColumn.dynamic.name }
    }

    /// The control information of an entity: its ETag and that of its streams.
    var control: [String] { [HiddenColumn.etag.name] + streams.flatMap(\.control) }

    /// All columns that are written when an entity is received.
    var written: [String] { control + hidden + columns.map(\.name) }

    /// As stored in `"$node"`.
    var names: [String] {
        columns.map(\.property.name) + streams.compactMap(\.property)
            + hidden.filter { $0 == HiddenColumn.dynamic.name }
    }
}

extension QueryOptions {
    /// Whether they return all entities that match their filter.
    var isUnlimited: Bool { top == nil && (skip ?? 0) == 0 && search == nil }
}

extension ExpandItem {
    /// Whether it returns all entities of the navigation property.
    var bringsAll: Bool {
        form == .entities && targetType.name == navigation.target && options.filter == nil && options.isUnlimited
    }
}

extension SelectItem {
    /// The structural or stream property at its start: `Address` of `Address/City`, `Doors` of `Shop.Car/Doors`.
    var propertyName: String? {
        switch self {
        case .property(let path): return path.first?.name
        case .path(let steps, _):
            guard case .property(let property)? = steps.first(where: { !$0.isCast }) else { return nil }
            return property.name
        case .all, .navigation, .operation: return nil
        }
    }
}
