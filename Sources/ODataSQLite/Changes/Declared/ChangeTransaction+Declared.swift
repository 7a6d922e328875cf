import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    enum Access { case insert, update, delete }

    /// Whether the set takes such a change.
    func requireWritable(_ table: PublishedTable, for access: Access) throws {
        try requireWritable(table)
        guard let declared = table.declared, !isLoading else { return }
        let refuses =
            switch access {
            case .insert: declared.refusesInsert
            case .update: declared.refusesUpdate
            case .delete: declared.refusesDelete
            }
        guard refuses else { return }
        throw ODataError(.methodNotAllowed, "\(table.set) takes no \(access)s.")
    }

    /// The type of a new entity: that of the payload, else that of the path, else that of the set.
    func newType(
        _ payload: EntityPayload, of table: PublishedTable, _ declared: DeclaredTable, path: EdmStructuredType?
    )
        throws -> EdmStructuredType
    {
        try declared.changedTypes.new(payload, path: path, told: discriminated(payload, table, declared))
    }

    /// The type that the property of the rule ``ComputedValue/typeName`` names.
    private func discriminated(_ payload: EntityPayload, _ table: PublishedTable, _ declared: DeclaredTable)
        -> EdmStructuredType?
    {
        guard let column = table.columns.first(where: { $0.computed == .typeName }),
            case .string(let name)? = payload.properties[column.property]
        else { return nil }
        return declared.types.first { $0.name.name == name }
    }

    /// The type of an entity that is there. A payload that tells another one is refused.
    func type(of located: LocatedEntity, _ declared: DeclaredTable, payload: EntityPayload? = nil) throws
        -> EdmStructuredType
    {
        let type = try entityType(of: located) ?? declared.entitySet.type
        if let payload { try declared.changedTypes.check(payload, changes: type) }
        return type
    }

    /// The type that an entity has in the table of a declared set.
    func entityType(of located: LocatedEntity) throws -> EdmStructuredType? {
        guard let declared = located.table.declared else { return nil }
        guard declared.hasTypes,
            case .string(let name)? = try access.stored([DeclaredTable.typeColumn], of: located.row, in: located.table)
                .first?.storage
        else { return declared.entitySet.type }
        return declared.type(named: EdmQualifiedName(name)) ?? declared.entitySet.type
    }

    func assignments(
        of table: PublishedTable, _ declared: DeclaredTable, type: EdmStructuredType, mode: DeclaredAssignments.Mode,
        row: RowReference? = nil
    ) -> DeclaredAssignments {
        DeclaredAssignments(
            access: access, table: table, declared: declared, type: type, mode: mode, row: row, isLoading: isLoading)
    }

    /// The version and the time of the change.
    func touch(_ assignments: inout ColumnAssignments, of table: PublishedTable) throws {
        guard table.declared != nil, !isLoading, !assignments.isEmpty else { return }
        for column in table.columns {
            switch column.computed {
            case .version: assignments[column.name] = .sql("ifnull(\(quoted(column.name)), 0) + 1")
            case .changeTime:
                assignments[column.name] = .value(try column.codec.binding(for: .dateTimeOffset(access.now)).stored)
            default: break
            }
        }
    }

    /// The canonical path of an entity.
    func path(of located: LocatedEntity) throws -> ResourcePath? {
        if let declared = located.table.declared {
            if declared.isSingleton { return ResourcePath(declared.entitySet) }
            if declared.container != nil {
                let id = try access.text(
                    schema.rowSources[located.table.set]?.entityID, of: located.row, in: located.table)
                return try id.map { try access.parser.path($0) }
            }
        }
        let key = try access.key(of: located.row, in: located.table)
        return schema.model.entitySet(named: located.table.set).map { ResourcePath($0, key: key) }
    }
}

extension DeclaredTable {
    fileprivate var changedTypes: ChangedEntityTypes { ChangedEntityTypes(of: entitySet, types: types) }
}
