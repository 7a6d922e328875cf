import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

extension ChangeContext {
    func update(
        _ payload: EntityPayload, at path: ResourcePath, _ request: ChangeRequest, replacing: Bool
    ) throws -> EntityRow {
        if case .property = path.target {
            return try update(payload, atValue: ValuePath(path), request, replacing: replacing)
        }
        guard path.target == .entity else {
            throw ODataError(.badRequest, "\(path.url) is not a single entity: it cannot be updated.")
        }
        let row = try row(at: path)
        try checkConditions(of: request, row)
        return try update(payload, of: row, replacing: replacing, headers: request.headers)
    }

    func update(
        _ payload: EntityPayload, of row: EntityRow, replacing: Bool, headers: [HeaderField] = []
    ) throws -> EntityRow {
        var payload = payload
        let removed = try takeRemovedLinks(from: &payload, of: row)
        payload = try checked(payload, of: row, isWhole: replacing)
        payload = try withCurrentKeys(payload, of: row.table)
        guard payload.nested.isEmpty else {
            throw ODataError(.notImplemented, "An update with nested entities: change each entity by itself.")
        }
        payload = withoutKey(payload, of: row)
        try markChanged(row)
        try write(payload, to: row, replacing: replacing)
        var references = try references(of: row, naming: payload.properties.names)
        for binding in payload.bindings { references.formUnion(try bind(binding, ofExisting: row)) }
        var record = record(replacing ? .replace : .update, row)
        record.headers = headers
        record.changeSet = changeSet
        var later = payload
        later.bindings += removed.map { .init(navigation: $0, references: []) }
        let isCombined = try !replacing && combine(later, with: row, as: record, references: references)
        if !isCombined, replacing || removed.isEmpty || payload != EntityPayload() {
            record.body = body(payload, of: row.table)
            try enqueue(record, references: references)
        }
        try enqueueRemovals(of: removed, from: row, headers: headers)
        return row
    }

    /// `{"OrderID":-2147483647}` → `{"OrderID":11078}` where the order was uploaded since it was given its temporary key.
    func withCurrentKeys(_ payload: EntityPayload, of table: LocalTable) throws -> EntityPayload {
        var payload = payload
        try RequestLine(db: db, offline: offline).repairKeys(in: &payload, of: table.set)
        return payload
    }

    /// The key of an entity is that of the path, whatever the payload of an update says.
    ///
    /// [OData-Protocol, section 11.4.3]
    func withoutKey(_ payload: EntityPayload, of row: EntityRow) -> EntityPayload {
        guard row.table.set.type.key.contains(where: { payload.properties[$0] != nil }) else { return payload }
        var payload = payload
        for name in row.table.set.type.key { payload.properties[name] = nil }
        return payload
    }

    /// Writes the properties, with `replacing` defaults for those that are not given; else members of complex values
    /// that are not given stay as they are.
    func write(_ payload: EntityPayload, to row: EntityRow, replacing: Bool) throws {
        var values: [(column: String, value: DatabaseValue)] = []
        for column in row.table.columns where !column.isKey {
            if var value = payload.properties[column.property.name] {
                if !replacing, case .complex(let given) = value,
                    case .complex(let known)? = try self.value(of: column.name, of: row)
                {
                    value = .complex(known.merging(given))
                }
                values.append((column.name, try column.databaseValue(of: value)))
            } else if replacing {
                values.append((column.name, try column.property.declaredDefault.map(column.databaseValue) ?? .null))
            }
        }
        let dynamic = row.table.dynamicMembers(of: payload.properties)
        if !dynamic.isEmpty || replacing, row.table.hiddenColumns.contains(HiddenColumn.dynamic.name) {
            let known = replacing ? EdmComplexValue() : try dynamicProperties(of: row)
            values.append((HiddenColumn.dynamic.name, LocalTable.dynamicValue(dynamic, over: known)))
        }
        try set(values, of: row)
    }

    /// Relations in an update; says which rows they name.
    private func bind(_ binding: EntityPayload.Binding, ofExisting row: EntityRow) throws -> Set<Int64> {
        guard let relation = try relation(binding.navigation, of: row) else {
            throw ODataError.unkept(binding.navigation)
        }
        var references: Set<Int64> = []
        switch relation {
        case .columns(let pairs, _, true):
            guard let reference = binding.references.first else { return [] }
            let path = try path(of: reference, leadingTo: relation, by: binding.navigation)
            let values = try foreignKey(pairs, of: row.table, to: path)
            try set(
                values.compactMap { name, value in
                    try row.table.column(of: name).map { ($0.name, try $0.databaseValue(of: value)) }
                }, of: row)
            if let target = try rowIfAny(at: path) { references.insert(target.id) }
        case .columns(_, _, false):
            throw ODataError(
                .notImplemented, "\(binding.navigation) is changed at the entities it leads to, or by $ref.")
        case .link(let link, let isReversed):
            for reference in binding.references {
                let other = try self.row(at: try path(of: reference, leadingTo: relation, by: binding.navigation))
                try addLink(link, from: row.id, to: other.id, isReversed: isReversed)
                references.insert(other.id)
            }
        }
        return references
    }

    /// PATCH and PUT of a complex value: `Orders(1)/Address`
    private func update(
        _ payload: EntityPayload, atValue path: ValuePath, _ request: ChangeRequest, replacing: Bool
    ) throws -> EntityRow {
        guard payload.bindings.isEmpty, payload.nested.isEmpty else {
            throw ODataError(.notImplemented, "The store keeps no relations of complex values.")
        }
        var value = payload.properties
        value.type = payload.type ?? value.type
        if replacing { return try setValue(.complex(value), at: path, request) }
        return try update(path.payload(.complex(value)), at: path.entity, request, replacing: false)
    }

    /// PUT of a property: `Orders(1)/Status`, `Orders(1)/Address/City`
    func setValue(_ value: EdmValue, at path: ResourcePath, _ request: ChangeRequest) throws -> EntityRow {
        try setValue(value, at: ValuePath(path), request)
    }

    /// It is sent as a PATCH of the entity, which names all members of a complex value.
    private func setValue(_ value: EdmValue, at path: ValuePath, _ request: ChangeRequest) throws -> EntityRow {
        var value = value
        if case .complex(let given) = value {
            value = .complex(PatchCompletion(model: offline.model).whole(given, of: path.property.type))
        }
        return try update(path.payload(value), at: path.entity, request, replacing: false)
    }

    func setRawValue(_ bytes: [UInt8], at path: ResourcePath, _ request: ChangeRequest) throws -> EntityRow {
        let path = try ValuePath(path)
        return try setValue(try path.property.value(ofRaw: bytes), at: path, request)
    }
}
