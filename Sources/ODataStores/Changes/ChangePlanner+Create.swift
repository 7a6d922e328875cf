import ODataModel
import ODataQuery

extension ChangePlanner {
    /// Where a new entity is inserted: `Orders`, `Customers('ALFKI')/Orders`, `Vehicles/Shop.Car`
    package struct Place {
        package var set: EdmEntitySet
        /// The type that the path names.
        var type: EdmStructuredType?
        var parent: (source: Target, navigation: ChangeableNavigation)?
    }

    /// `POST Products`, `POST Categories(1)/Products`, with nested entities and bindings.
    ///
    /// [OData-Protocol, section 11.4.2]
    mutating func create(_ payload: EntityPayload, _ request: ChangeRequest) throws {
        plan.subject = try insert(payload, in: insertionPlace(at: request.target))
        plan.outcome = .created
    }

    /// - Throws: ``ODataError`` if no entity can be inserted there.
    package func insertionPlace(at path: ResourcePath) throws -> Place {
        var path = path
        var type: EdmStructuredType?
        while case .cast(let cast)? = path.segments.last {
            type = type ?? cast
            path.segments.removeLast()
        }
        guard path.target == .collection else {
            throw ODataError(.methodNotAllowed, "Entities are created in collections only.")
        }
        guard case .navigation(let navigation, _)? = path.segments.last else {
            guard path.segments.isEmpty, let set = path.rootSet else {
                throw ODataError(.methodNotAllowed, "Entities are created in collections only.")
            }
            try checkAccess(.insert, of: set)
            return Place(set: set, type: type)
        }
        path.segments.removeLast()
        let parent = try require(path)
        return try insertionPlace(below: .row(parent), self.navigation(navigation.name, of: parent), type)
    }

    /// Where new entities are inserted that a navigation property leads to.
    ///
    /// - Parameter source: The entity that they become related to by being inserted; nil if it refers to them itself.
    func insertionPlace(
        below source: Target?, _ navigation: ChangeableNavigation, _ type: EdmStructuredType? = nil
    ) throws -> Place {
        let set = try rows.entitySet(named: navigation.targetSet)
        try checkAccess(.insert, of: set)
        return Place(set: set, type: type, parent: source.map { ($0, navigation) })
    }

    /// Inserts an entity, before it what it refers to, after it what refers to it.
    mutating func insert(_ payload: EntityPayload, in place: Place) throws -> Target {
        let set = place.set
        let payload = try rows.prepared(payload, of: set, isNew: true)
        let type = try types(of: set).new(
            payload, path: place.type, told: rows.namedType(payload.properties, of: set))
        guard !rows.needsStream(type, in: set) else { throw ODataError.needsStream(set.name) }
        var insertion = Plan.Insertion(
            set: set, type: type, values: try values(of: payload, type, in: set, row: nil).values)
        insertion.parent = place.parent
        var dependents: [(ChangeableNavigation, EntityPayload.Nested)] = []
        for nested in payload.nested {
            let navigation = try rows.navigation(nested.navigation, of: set, as: type)
            guard navigation.isHeldBySource else {
                dependents.append((navigation, nested))
                continue
            }
            guard nested.entities.count < 2 else { throw ODataError.takesOne(nested.navigation) }
            for entity in nested.entities {
                let place = try insertionPlace(below: nil, navigation)
                let target = try existing(entity, of: navigation) ?? insert(entity, in: place)
                insertion.references.append(.init(navigation: navigation, target: target))
            }
        }
        let bindings = try bindings(payload.bindings, of: set, type)
        insertion.references += bindings.own
        plan.steps.append(.insert(insertion))
        let row = Target.inserted(plan.steps.count - 1)
        for (navigation, target) in bindings.others { try link(row, navigation, to: target) }
        for (navigation, nested) in dependents { try insert(nested, navigation, below: row) }
        return row
    }

    private mutating func insert(
        _ nested: EntityPayload.Nested, _ navigation: ChangeableNavigation, below row: Target
    ) throws {
        var named = NamedEntities(rows: rows, navigation: navigation)
        for entity in nested.entities {
            if let target = try existing(entity, of: navigation) {
                if try target.row.map({ try named.add($0, entity) }) ?? true { try link(row, navigation, to: target) }
                continue
            }
            let place = try insertionPlace(below: row, navigation)
            try named.addNew(entity, in: place.set)
            _ = try insert(entity, in: place)
        }
    }

    /// The entity that a payload names without saying anything else of it.
    func existing(_ payload: EntityPayload, of navigation: ChangeableNavigation) throws -> Target? {
        guard let id = payload.id, payload.isBare else { return nil }
        return try target(id, of: navigation)
    }

    /// The references that bindings set: those that the entity or its request has, and those that take a link.
    func bindings(
        _ bindings: [EntityPayload.Binding], of set: EdmEntitySet, _ type: EdmStructuredType
    ) throws -> (own: [Plan.Reference], others: [(ChangeableNavigation, Target)], emptied: [ChangeableNavigation]) {
        var own: [Plan.Reference] = []
        var others: [(ChangeableNavigation, Target)] = []
        var emptied: [ChangeableNavigation] = []
        for binding in bindings {
            let navigation = try rows.navigation(binding.navigation, of: set, as: type)
            let references = navigation.isCollection ? binding.references : binding.references.suffix(1)
            let targets = try references.map { try (target($0, of: navigation), path(of: $0)) }
            if targets.isEmpty, !navigation.isCollection, navigation.storage != .ownKey { emptied.append(navigation) }
            switch navigation.storage {
            case .ownKey where targets.isEmpty:
                try requireOptional(navigation)
                own.append(.init(navigation: navigation))
            case .ownKey, .links: own += targets.map { .init(navigation: navigation, target: $0, path: $1) }
            case .targetKey: others += targets.map { (navigation, $0.0) }
            }
        }
        return (own, others, emptied)
    }
}

/// Filling a store: entities may refer to others that are inserted later.
extension ChangePlanner {
    /// An entity with the references that it holds itself.
    package func plan(loading payload: EntityPayload, into set: EdmEntitySet) throws -> Plan {
        var planner = self
        let type = try types(of: set).new(payload, path: nil, told: rows.namedType(payload.properties, of: set))
        var payload = payload
        payload.bindings = try payload.bindings.filter {
            try rows.navigation($0.navigation, of: set, as: type).storage == .ownKey
        }
        planner.plan.subject = try planner.insert(payload, in: Place(set: set))
        return planner.plan
    }

    /// The other references of an entity.
    package func plan(linking row: Row, _ references: [EntityPayload.Binding]) throws -> Plan {
        var planner = self
        for binding in references {
            let navigation = try navigation(binding.navigation, of: row)
            guard navigation.storage != .ownKey else { continue }
            for reference in binding.references {
                try planner.link(.row(row), navigation, to: target(reference, of: navigation))
            }
        }
        return planner.plan
    }
}

/// The entities that a nested collection names: bare references to one may be repeated, its values may not.
struct NamedEntities<Rows: ChangeableRows> {
    let rows: Rows
    let navigation: ChangeableNavigation
    private var changed: Set<Rows.Identity> = []
    private(set) var all: Set<Rows.Identity> = []
    private var newKeys: Set<EntityKey> = []

    init(rows: Rows, navigation: ChangeableNavigation) {
        self.rows = rows
        self.navigation = navigation
    }

    /// - Returns: Whether the entity was not named before.
    mutating func add(_ row: Rows.Row, _ payload: EntityPayload) throws -> Bool {
        let set = try rows.entitySet(named: row.setName)
        let identity = try rows.identity(of: row)
        if payload.hasValues(beside: set.type.key), !changed.insert(identity).inserted {
            throw try twice(set, rows.key(of: row))
        }
        return all.insert(identity).inserted
    }

    mutating func addNew(_ payload: EntityPayload, in set: EdmEntitySet) throws {
        // The entity around them gives them the rest of their keys.
        let given = navigation.storage == .targetKey ? Set(navigation.references.map(\.property)) : []
        let names = set.type.key.filter { !given.contains($0) }
        let members = names.compactMap { name in
            payload.properties[name].map { EdmComplexValue.Member(name: name, value: $0) }
        }
        guard !names.isEmpty, members.count == names.count else { return }
        let key = EntityKey(members)
        guard newKeys.insert(key).inserted else { throw twice(set, key) }
    }

    private func twice(_ set: EdmEntitySet, _ key: EntityKey) -> ODataError {
        ODataError(
            .badRequest, "\(navigation.property.name) gives values of the entity with the key \(key.urlText) twice.")
    }
}

extension EntityPayload {
    /// Whether the payload says no more of an entity than which one it is.
    var isBare: Bool { properties.isEmpty && bindings.isEmpty && nested.isEmpty }

    func hasValues(beside key: [String]) -> Bool {
        !bindings.isEmpty || !nested.isEmpty || properties.names.contains { !key.contains($0) }
    }
}

extension ODataError {
    static func takesOne(_ navigation: String) -> ODataError {
        ODataError(.badRequest, "The navigation property \(navigation) leads to one entity: give one.")
    }
}
