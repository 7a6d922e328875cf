import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `"Items": […]` replaces what the navigation property leads to, `"Items@delta": […]` changes it.
    ///
    /// [OData-Protocol, section 11.4.3.1: Update Related Entities When Updating an Entity]
    func updateNested(_ nested: EntityPayload.Nested, of located: LocatedEntity, replaces: Bool) throws {
        let relation = try relation(nested.navigation, of: located)
        guard relation.isCollection else {
            guard let entity = nested.entities.first else { return try unlinkAll(located, relation) }
            let current = try members(of: relation, from: located).first
            return try update(entity, relation, of: located, current: current, replaces: replaces)
        }
        var kept: [LocatedEntity] = []
        for entity in nested.entities {
            kept.append(try updateMember(entity, relation, of: located, replaces: replaces && !nested.isDelta))
        }
        guard nested.isDelta else {
            let names = Set(try kept.map { try access.identity(of: $0) })
            for member in try members(of: relation, from: located)
            where !names.contains(try access.identity(of: member)) {
                try unlink(located, relation, member)
            }
            return
        }
        for removal in nested.removed { try remove(removal, relation, of: located) }
    }

    /// A single-valued navigation property: the entity it leads to, or another one that the payload names, or a new
    /// one.
    private func update(
        _ entity: EntityPayload, _ relation: WritableNavigation, of located: LocatedEntity, current: LocatedEntity?,
        replaces: Bool
    ) throws {
        if let named = try named(entity, relation, of: located) {
            let isCurrent = try current.map { try access.identity(of: $0) == access.identity(of: named) } ?? false
            try update(nested: named, entity, replaces: replaces)
            if !isCurrent { try link(located, relation, to: named) }
        } else if let current, !hasKey(entity, relation.target) {
            try update(nested: current, entity, replaces: replaces)
        } else if relation.isDependent {
            try link(located, relation, to: try insert(entity, into: relation.target))
        } else {
            try unlinkAll(located, relation)
            _ = try insert(entity, into: relation.target, as: try membership(relation, parent: located))
        }
    }

    private func updateMember(
        _ entity: EntityPayload, _ relation: WritableNavigation, of located: LocatedEntity, replaces: Bool
    ) throws -> LocatedEntity {
        guard let member = try named(entity, relation, of: located) else {
            return try insert(entity, into: relation.target, as: try membership(relation, parent: located))
        }
        try update(nested: member, entity, replaces: replaces)
        if !relation.navigation.containsTarget { try link(located, relation, to: member) }
        return member
    }

    private func update(nested located: LocatedEntity, _ payload: EntityPayload, replaces: Bool) throws {
        if let etag = payload.etag {
            try Precondition(ifMatch: etag, ifNoneMatch: nil).check(try etags(of: located))
        }
        let saysNothing = payload.properties.isEmpty && payload.bindings.isEmpty && payload.nested.isEmpty
        guard !saysNothing else { return }
        try requireWritable(located.table, for: .update)
        try update(located, payload, replaces: replaces)
    }

    private func hasKey(_ payload: EntityPayload, _ table: PublishedTable) -> Bool {
        !table.key.isEmpty && table.key.allSatisfy { payload.properties[$0.property] != nil }
    }

    /// The entity that a nested payload names, by its id or its key; nil for a new one.
    private func named(_ payload: EntityPayload, _ relation: WritableNavigation, of located: LocatedEntity) throws
        -> LocatedEntity?
    {
        if let id = payload.id {
            let target = try resolve(id)
            try requireMember(target, of: relation)
            return target
        }
        let table = relation.target
        var properties = payload.properties
        // A key that is the other entity's need not be repeated.
        for pair in relation.pairs where !relation.isDependent {
            guard let column = table.column(named: pair.target), column.isKey, properties[column.property] == nil,
                let value = try access.stored([pair.source], of: located.row, in: located.table).first
            else { continue }
            properties[column.property] = try column.value(of: value)
        }
        let key = table.key.compactMap { column in
            properties[column.property].map { EdmComplexValue.Member(name: column.property, value: $0) }
        }
        guard key.count == table.key.count, !key.isEmpty else { return nil }
        guard relation.navigation.containsTarget else {
            return try access.row(of: table, key: EntityKey(key)).map { LocatedEntity(table: table, row: $0) }
        }
        return try members(of: relation, from: located).first {
            try access.key(of: $0.row, in: $0.table) == EntityKey(key)
        }
    }

    private func remove(
        _ removal: EntityPayload.Removal, _ relation: WritableNavigation, of located: LocatedEntity
    ) throws {
        let member = try resolve(removal.reference)
        try requireMember(member, of: relation)
        if removal.isDeleted { try delete(member) } else { try unlink(located, relation, member) }
    }
}

extension RowAccess {
    /// Tells rows of a table apart.
    func identity(of located: LocatedEntity) throws -> [DatabaseValue] {
        if let rowID = located.row.rowID { return [rowID.databaseValue] }
        return try stored(located.table.key.map(\.name), of: located.row, in: located.table)
    }
}
