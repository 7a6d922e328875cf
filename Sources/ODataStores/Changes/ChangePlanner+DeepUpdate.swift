import ODataModel
import ODataQuery

/// Nested entities of an update.
///
/// [OData-Protocol, section 11.4.3.1: Update Related Entities When Updating an Entity]
extension ChangePlanner {
    /// `"Category":{…}`, where the entity refers to what the navigation property leads to: that one, another one that the
    /// payload names, or a new one.
    mutating func setReference(
        to nested: EntityPayload.Nested, _ navigation: ChangeableNavigation, of row: Row, in update: inout Plan.Update
    ) throws {
        guard nested.entities.count < 2 else { throw ODataError.takesOne(nested.navigation) }
        update.references.removeAll { $0.navigation.name == navigation.name }
        guard let entity = nested.entities.first else {
            try requireOptional(navigation)
            return update.references.append(.init(navigation: navigation))
        }
        let current = try current(navigation, of: row, update.values)
        let target = try target(of: entity, navigation, of: row, current: current, replaces: update.replaces)
        let isCurrent = try target.row.map { try rows.isLinked(navigation, from: row, to: $0) } ?? false
        // A replacement that does not name the reference would remove it.
        guard !isCurrent || update.replaces else { return }
        update.references.append(.init(navigation: navigation, target: target))
    }

    /// What a navigation property leads to after values of the entity have been set.
    private func current(_ navigation: ChangeableNavigation, of row: Row, _ values: EdmComplexValue) throws -> Row? {
        guard navigation.references.contains(where: { values[$0.property] != nil }) else {
            return try rows.linked(navigation, from: row).first
        }
        let set = try rows.entitySet(named: navigation.targetSet)
        let members = try navigation.references.map { reference in
            let value = try values[reference.property] ?? rows.value(of: reference.property, of: row)
            return EdmComplexValue.Member(name: reference.referenced, value: value)
        }
        return try EntityKey(of: set.type, in: EdmComplexValue(members)).flatMap {
            try rows.row(of: set.name, key: $0)
        }
    }

    /// The entity that a single-valued navigation property leads to afterwards, changed as the payload says.
    private mutating func target(
        of entity: EntityPayload, _ navigation: ChangeableNavigation, of row: Row, current: Row?, replaces: Bool
    ) throws -> Target {
        if let named = try named(entity, navigation, of: row) {
            if let known = named.row { try update(nested: known, entity, replaces: replaces) }
            return named
        }
        let set = try rows.entitySet(named: navigation.targetSet)
        if let current, EntityKey(of: set.type, in: entity.properties) == nil {
            try update(nested: current, entity, replaces: replaces)
            return .row(current)
        }
        if !navigation.isHeldBySource, let current { try unlink(.row(row), navigation, current) }
        return try insert(entity, in: insertionPlace(below: navigation.isHeldBySource ? nil : .row(row), navigation))
    }

    /// `"Items": […]` replaces what the navigation property leads to, `"Items@delta": […]` changes it.
    mutating func update(
        _ nested: EntityPayload.Nested, _ navigation: ChangeableNavigation, of row: Row, replaces: Bool
    ) throws {
        guard navigation.isCollection else {
            guard nested.entities.count < 2 else { throw ODataError.takesOne(nested.navigation) }
            guard let entity = nested.entities.first else { return try unlinkAll(row, navigation) }
            let current = try rows.linked(navigation, from: row).first
            let target = try target(of: entity, navigation, of: row, current: current, replaces: replaces)
            if case .inserted = target, !navigation.isHeldBySource { return }
            if let known = target.row, let current, try rows.identity(of: known) == rows.identity(of: current) {
                return
            }
            return try link(.row(row), navigation, to: target)
        }
        var named = NamedEntities(rows: rows, navigation: navigation)
        for entity in nested.entities {
            try addMember(entity, navigation, of: row, replaces: replaces && !nested.isDelta, &named)
        }
        guard nested.isDelta else {
            for member in try rows.linked(navigation, from: row)
            where try !named.all.contains(rows.identity(of: member)) {
                try unlink(.row(row), navigation, member)
            }
            return
        }
        for removal in nested.removed {
            let member = try self.row(removal.reference, of: navigation)
            if removal.isDeleted {
                try checkAccess(.delete, of: set(of: member))
                plan.steps.append(.delete(member))
            } else {
                try unlink(.row(row), navigation, member)
            }
        }
    }

    private mutating func addMember(
        _ entity: EntityPayload, _ navigation: ChangeableNavigation, of row: Row, replaces: Bool,
        _ known: inout NamedEntities<Rows>
    ) throws {
        switch try named(entity, navigation, of: row) {
        case .row(let member)?:
            let isFirst = try known.add(member, entity)
            try update(nested: member, entity, replaces: replaces)
            if isFirst, try !rows.isLinked(navigation, from: row, to: member) {
                try link(.row(row), navigation, to: .row(member))
            }
        case let target?: try link(.row(row), navigation, to: target)
        case nil:
            let place = try insertionPlace(below: .row(row), navigation)
            try known.addNew(entity, in: place.set)
            _ = try insert(entity, in: place)
        }
    }

    private mutating func update(nested row: Row, _ payload: EntityPayload, replaces: Bool) throws {
        try check(Precondition(ifMatch: payload.etag, ifNoneMatch: nil), of: row)
        guard !payload.isBare else { return }
        try checkAccess(.update, of: set(of: row))
        try update(row, payload, replaces: replaces)
    }

    /// The entity that a nested payload names, by its id or its key; nil for a new one.
    private func named(_ payload: EntityPayload, _ navigation: ChangeableNavigation, of row: Row) throws -> Target? {
        if let id = payload.id { return try target(id, of: navigation) }
        let set = try rows.entitySet(named: navigation.targetSet)
        var properties = payload.properties
        // A key that is the other entity's need not be repeated.
        for reference in navigation.references
        where navigation.storage == .targetKey && set.type.key.contains(reference.property)
            && properties[reference.property] == nil
        {
            properties[reference.property] = try rows.value(of: reference.referenced, of: row)
        }
        guard let key = EntityKey(of: set.type, in: properties) else { return nil }
        guard navigation.property.containsTarget else {
            return try rows.row(of: set.name, key: key).map(Target.row)
        }
        return try rows.linked(navigation, from: row).first { try rows.key(of: $0) == key }.map(Target.row)
    }
}
