import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Types that derive from that of the set, and properties that no type declares.
extension ChangeContext {
    func entityType(of row: EntityRow) throws -> EdmStructuredType {
        guard let name = try RowLookup(db: db, table: row.table).typeName(of: row.id) else {
            return row.table.set.type
        }
        return row.table.types.first { "\($0.name)" == name } ?? row.table.set.type
    }

    /// The type of a new entity: that of the payload, else that of the path, else that of the set.
    ///
    /// - Throws: ``ODataError`` `badRequest` if there can be no such entity.
    func newType(_ payload: EntityPayload, in place: Destination) throws -> EdmStructuredType {
        try place.table.changedTypes.new(payload, path: place.type)
    }

    /// A change of an entity, checked. It tells the entity's type where that is needed to read it.
    ///
    /// - Parameter isWhole: Whether it says what the entity is to be, and not only what changes.
    /// - Throws: ``ODataError`` `badRequest` if the entity has no such properties, or is of another type.
    func checked(_ payload: EntityPayload, of row: EntityRow, isWhole: Bool) throws -> EntityPayload {
        let type = try entityType(of: row)
        let declared = row.table.set.type
        try row.table.changedTypes.check(payload, changes: type)
        try PayloadCheck(model: offline.model, table: row.table, type: type).check(payload)
        var payload = payload
        let isPlain =
            payload.properties.names.allSatisfy { name in
                declared.property(named: name) != nil || declared.isOpen && type.property(named: name) == nil
            }
            && payload.bindings.allSatisfy { binding in
                let name = binding.navigation
                return declared.navigationProperty(named: name) != nil
                    && schema.navigationName(of: name, in: row.table.set.name, as: type) == name
            }
        payload.type = type.name == declared.name || isPlain && !isWhole ? nil : type.name
        return payload
    }

    /// The dynamic properties of a row.
    ///
    /// - Throws: ``ODataError`` if the column holds something else than a JSON object.
    func dynamicProperties(of row: EntityRow) throws -> EdmComplexValue {
        guard row.table.hiddenColumns.contains(HiddenColumn.dynamic.name) else { return EdmComplexValue() }
        return try EdmComplexValue(dynamic: storedValue(of: HiddenColumn.dynamic.name, of: row), in: offline.model)
    }
}

extension LocalTable {
    fileprivate var changedTypes: ChangedEntityTypes { ChangedEntityTypes(of: set, types: types) }

    /// Those of an entity's properties that no type declares.
    func dynamicMembers(of properties: EdmComplexValue) -> [EdmComplexValue.Member] {
        guard hiddenColumns.contains(HiddenColumn.dynamic.name) else { return [] }
        return properties.members.filter { column(of: $0.name) == nil && stream(of: $0.name) == nil }
    }

    /// Dynamic properties as their column keeps them. A null takes one away.
    static func dynamicValue(_ given: [EdmComplexValue.Member], over known: EdmComplexValue = EdmComplexValue())
        -> DatabaseValue
    {
        var values = known
        for member in given { values[member.name] = member.value.isNull ? nil : member.value }
        return values.dynamicStored
    }
}
