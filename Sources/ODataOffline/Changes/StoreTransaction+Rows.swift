import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// The entities of an offline store as a ``ChangePlanner`` reads them.
extension StoreTransaction: ChangeableRows {
    typealias Row = EntityRow

    var isComplete: Bool { false }
    var isLoading: Bool { false }
    var model: EdmModel { offline.model }
    var parser: QueryParser { offline.parser }

    func row(at path: ResourcePath) throws -> EntityRow? {
        try checkChangeable(path)
        if let (table, key) = schema.tableAndKey(of: path) {
            try TableMaker(db: db, schema: schema).make(table.set.name)
            // An entity that has the key now has it, whatever had it before.
            if let row = try RowLookup(db: db, table: table).row(of: key) { return row }
        }
        for set in QuerySets(path).names { try TableMaker(db: db, schema: schema).make(set) }
        let path = try PathResolver(db: db, schema: schema).resolve(path)
        if let (table, key) = schema.tableAndKey(of: path) { return try RowLookup(db: db, table: table).row(of: key) }
        guard let located = try offline.executor.locate(path, in: db), let id = located.rowID else { return nil }
        return try row(id, in: schema.table(of: located.set))
    }

    func row(of set: String, key: EntityKey) throws -> EntityRow? {
        try row(at: ResourcePath(schema.table(named: set).set, key: key))
    }

    func identity(of row: EntityRow) -> QueueRecord.Named { row.named }

    func entitySet(named name: String) throws -> EdmEntitySet { try schema.table(named: name).set }

    func types(of set: EdmEntitySet) -> [EdmStructuredType] { schema.tables[set.name]?.types ?? [set.type] }

    /// Client-only sets are not sent.
    func needsStream(_ type: EdmStructuredType, in set: EdmEntitySet) -> Bool {
        type.hasStream && !offline.isLocal(set.name)
    }

    func check(_ access: ChangeAccess, of set: EdmEntitySet) throws {
        try checkChangeable(schema.tables[set.name], set.name)
        try TableMaker(db: db, schema: schema).make(set.name)
    }

    /// - Throws: ``ODataError`` for the store's own sets, and for contained entities, which the store only reads.
    func checkChangeable(_ path: ResourcePath) throws {
        if let name = path.rootSet?.name, schema.isView(name) {
            throw ODataError(.methodNotAllowed, "The entity set \(name) is read-only.")
        }
        try checkChangeable(offline.table(at: path), path.url)
    }

    private func checkChangeable(_ table: LocalTable?, _ place: String) throws {
        guard let container = table?.container else { return }
        throw ODataError(
            .notImplemented,
            "\(place) leads to entities that are contained in \(container.set). An offline store cannot change "
                + "them: change them online.")
    }

    func ignores(_ property: EdmProperty, _ value: EdmValue, of set: EdmEntitySet, isNew: Bool) -> Bool { false }

    func prepared(_ payload: EntityPayload, of set: EdmEntitySet, isNew: Bool) throws -> EntityPayload {
        var payload = payload
        try RequestLine(db: db, offline: offline).repairKeys(in: &payload, of: set)
        guard isNew, configuration.exactlyOnce == .clientKeys else { return payload }
        // Where the store is to make keys, a new entity gets its final one.
        let table = try schema.table(of: set)
        guard table.keyColumns.count == 1, let key = table.columns.first(where: \.isKey)?.property,
            key.type == .primitive(.guid), payload.properties[key.name] == nil
        else { return payload }
        var random = random
        payload.properties[key.name] = .guid(.random(using: &random))
        return payload
    }

    func namedType(_ properties: EdmComplexValue, of set: EdmEntitySet) -> EdmStructuredType? { nil }

    func type(of row: EntityRow) throws -> EdmStructuredType {
        guard let name = try RowLookup(db: db, table: row.table).typeName(of: row.id) else {
            return row.table.set.type
        }
        return row.table.types.first { "\($0.name)" == name } ?? row.table.set.type
    }

    func value(of property: String, of row: EntityRow) throws -> EdmValue {
        guard let column = row.table.column(of: property) else {
            return try dynamicProperties(of: row)[property] ?? .null
        }
        return try value(ofColumn: column.name, of: row) ?? .null
    }

    func key(of row: EntityRow) throws -> EntityKey {
        guard let key = try RowLookup(db: db, table: row.table).key(of: row.id) else { throw ODataError.noSuchEntity }
        return key
    }

    func etags(of row: EntityRow) throws -> [String] { [try etag(of: row) ?? "*"] }

    /// As readers are given it: content set here has a tag of its own.
    func streamETag(_ property: String?, of row: EntityRow) throws -> String? {
        guard let stream = row.table.stream(of: property) else { return nil }
        return try String.fetchOne(
            db,
            sql: "SELECT \(stream.tag.of(row: "l").text) FROM \(row.table.sqlName) AS l WHERE l.\(.id) = ?",
            arguments: [row.id])
    }

    func navigation(_ name: String, of set: EdmEntitySet, as type: EdmStructuredType) throws -> ChangeableNavigation {
        guard let property = type.navigationProperty(named: name) else {
            throw ODataError.noNavigation(name, of: type.name)
        }
        let bound = schema.navigationName(of: name, in: set.name, as: type)
        guard let storage = schema.storage(of: set.name, bound) else { throw ODataError.unkept(name) }
        try TableMaker(db: db, schema: schema).make(storage.targetSet)
        var navigation = ChangeableNavigation(
            property, set: set.name, name: bound, targetSet: storage.targetSet, storage: .links)
        guard case .columns(let pairs, let target, let isDependent) = storage else { return navigation }
        navigation.storage = isDependent ? .ownKey : .targetKey
        let tables = try (schema.table(of: set), schema.table(named: target))
        let (holder, other) = isDependent ? tables : (tables.1, tables.0)
        let held = isDependent ? pairs : pairs.map(\.turned)
        navigation.references = held.compactMap { pair in
            guard let own = holder.storage(named: pair.source), let far = other.storage(named: pair.target) else {
                return nil
            }
            return (own.property.name, far.property.name)
        }
        let columns = held.map { holder.storage(named: $0.source) }
        navigation.isPartOfKey = columns.contains { $0?.isKey == true }
        navigation.isRequired = columns.contains { $0.map { $0.isKey || !$0.property.isNullable } ?? true }
        return navigation
    }

    func linked(_ navigation: ChangeableNavigation, from row: EntityRow) throws -> [EntityRow] {
        try linked(navigation, from: row, condition: "TRUE")
    }

    func isLinked(_ navigation: ChangeableNavigation, from row: EntityRow, to target: EntityRow) throws -> Bool {
        guard target.table.set.name == navigation.targetSet else { return false }
        return try !linked(navigation, from: row, condition: "t.\(.id) = \(target.id)").isEmpty
    }

    private func linked(
        _ navigation: ChangeableNavigation, from row: EntityRow, condition: String
    ) throws -> [EntityRow] {
        guard let storage = schema.storage(of: navigation.set, navigation.name) else { return [] }
        let table = try schema.table(named: storage.targetSet)
        let join: String
        switch storage {
        case .columns(let pairs, _, _):
            let equal = pairs.map { "t.\(quoted($0.target)) = r.\(quoted($0.source))" }.joined(separator: " AND ")
            join = "\(row.table.sqlName) AS r ON \(equal) WHERE r.\(.id) = ?"
        case .link(let link, let isReversed):
            let (own, end) = isReversed ? ("target", "source") : ("source", "target")
            join = """
                \(quoted(link.name)) AS r ON r.\(quoted(end)) = t.\(.id)
                WHERE r.\(quoted(own)) = ? AND \(LocalState.isShown.of(row: "r").text)
                """
        }
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT t.\(.id) FROM \(table.sqlName) AS t JOIN \(join)
                AND \(LocalState.isShown.of(row: "t").text) AND \(condition) ORDER BY 1
                """, arguments: [row.id])
        return try ids.map { try self.row($0, in: table) }
    }

    func missing(_ path: ResourcePath) -> ODataError { ODataError(.notFound, "\(path.url) is not in the store.") }
}

extension LocalTable {
    func storage(named name: String) -> LocalColumn? { columns.first { $0.name == name } }
}
