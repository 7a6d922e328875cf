import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// The entities of a published file as a ``ChangePlanner`` reads them.
struct DirectRows: ChangeableRows {
    let access: RowAccess
    /// Whether entities are taken as they are, with what clients cannot set.
    var isLoading = false

    var isComplete: Bool { true }
    var model: EdmModel { access.schema.model }
    var parser: QueryParser { access.parser }
    var schema: PublishedSchema { access.schema }
    var db: Database { access.db }

    func row(at path: ResourcePath) throws -> LocatedEntity? {
        let table = try schema.table(of: path.rootSet)
        if case .key(let key)? = path.segments.first, path.segments.count == 1 {
            return try row(of: table.set, key: key)
        }
        guard let found = try access.executor.locate(path, in: db) else { return nil }
        let target = try schema.table(of: found.set)
        if target.declared != nil, let rowID = found.rowID, let column = target.rowID {
            return LocatedEntity(table: target, row: RowReference(rowID: rowID, column: column))
        }
        return try row(of: target.set, key: found.key)
    }

    func row(of set: String, key: EntityKey) throws -> LocatedEntity? {
        let table = try table(set)
        return try access.row(of: table, key: key).map { LocatedEntity(table: table, row: $0) }
    }

    func table(_ set: String) throws -> PublishedTable {
        guard let table = schema.tables[set] else { return try schema.table(of: nil) }
        return table
    }

    /// The canonical path of an entity.
    func path(of row: LocatedEntity) throws -> ResourcePath {
        if let declared = row.table.declared {
            if declared.isSingleton { return ResourcePath(declared.entitySet) }
            if declared.container != nil {
                let id = try access.text(schema.rowSources[row.setName]?.entityID, of: row.row, in: row.table)
                guard let id else { throw ODataError.noSuchEntity }
                return try parser.path(id)
            }
        }
        return ResourcePath(try entitySet(named: row.setName), key: try key(of: row))
    }

    /// By the row id; by the key where the table has none.
    struct Identity: Hashable {
        let set: String
        let rowID: Int64?
        let key: EntityKey?
    }

    func identity(of row: LocatedEntity) throws -> Identity {
        let rowID = row.row.rowID
        return Identity(set: row.setName, rowID: rowID, key: rowID == nil ? try key(of: row) : nil)
    }

    func entitySet(named name: String) throws -> EdmEntitySet {
        guard let set = schema.entitySet(named: name) else { throw ODataError.noSet(name) }
        return set
    }

    func types(of set: EdmEntitySet) -> [EdmStructuredType] { schema.tables[set.name]?.declared?.types ?? [set.type] }

    func needsStream(_ type: EdmStructuredType, in set: EdmEntitySet) -> Bool { false }

    func check(_ access: ChangeAccess, of set: EdmEntitySet) throws {
        let table = try schema.table(of: set)
        if table.isReadOnly { throw ODataError(.methodNotAllowed, "The entity set \(table.set) is read-only.") }
    }

    func ignores(_ property: EdmProperty, _ value: EdmValue, of set: EdmEntitySet, isNew: Bool) -> Bool {
        guard let column = schema.tables[set.name]?.column(ofProperty: property.name) else { return true }
        if column.description.isGenerated { return true }
        if let computed = column.computed, computed != .slug { return true }
        return isNew && column.isServiceMade && value.isNull
    }

    func prepared(_ payload: EntityPayload, of set: EdmEntitySet, isNew: Bool) -> EntityPayload { payload }

    /// The type that the property of the rule ``ComputedValue/typeName`` names.
    func namedType(_ properties: EdmComplexValue, of set: EdmEntitySet) -> EdmStructuredType? {
        guard let column = schema.tables[set.name]?.columns.first(where: { $0.computed == .typeName }),
            case .string(let name)? = properties[column.property]
        else { return nil }
        return types(of: set).first { $0.name.name == name }
    }

    func type(of row: LocatedEntity) throws -> EdmStructuredType {
        let set = try entitySet(named: row.setName)
        guard let declared = row.table.declared, declared.hasTypes,
            case .string(let name)? = try access.stored([DeclaredTable.typeColumn], of: row.row, in: row.table)
                .first?.storage
        else { return set.type }
        return declared.type(named: EdmQualifiedName(name)) ?? set.type
    }

    func value(of property: String, of row: LocatedEntity) throws -> EdmValue {
        guard let column = row.table.column(ofProperty: property) else {
            return try dynamicProperties(of: row)[property] ?? .null
        }
        let stored = try access.stored([column.name], of: row.row, in: row.table).first ?? .null
        guard column.codec == .json, let type = column.declaration?.type else { return try column.value(of: stored) }
        guard case .string(let text) = stored.storage else { return .null }
        return EdmValue(jsonText: Array(text.utf8)[...], type: type, model: model) ?? .null
    }

    /// The dynamic properties that an entity has now.
    ///
    /// - Throws: ``ODataError`` if the column holds something else than a JSON object.
    func dynamicProperties(of row: LocatedEntity) throws -> EdmComplexValue {
        guard row.table.declared?.isOpen == true else { return EdmComplexValue() }
        let stored = try access.stored([DeclaredTable.dynamicColumn], of: row.row, in: row.table).first ?? .null
        return try EdmComplexValue(dynamic: stored, in: model)
    }

    func key(of row: LocatedEntity) throws -> EntityKey { try access.key(of: row.row, in: row.table) }

    func etags(of row: LocatedEntity) throws -> [String] { [try access.etag(of: row.row, in: row.table) ?? "*"] }

    func streamETag(_ property: String?, of row: LocatedEntity) throws -> String? {
        let source = schema.rowSources[row.setName]
        let mapping = property.map { source?.streams[$0] } ?? source?.media
        return try access.text(mapping?.etag, of: row.row, in: row.table)
    }

    func missing(_ path: ResourcePath) -> ODataError { .noSuchEntity }
}

extension LocatedEntity: ChangeableRow {
    var setName: String { table.set }
}
