import ODataModel
import ODataQuery

extension ChangePlanner {
    /// `PATCH Products(1)`, or `PUT` if the payload `replaces` the entity. One that does not exist is created where the
    /// request allows it.
    ///
    /// [OData-Protocol, sections 11.4.3 and 11.4.4]
    mutating func update(_ payload: EntityPayload, _ request: ChangeRequest, replaces: Bool) throws {
        if case .property = request.target.target { return try updateValue(payload, request, replaces: replaces) }
        guard let row = try updateTarget(request) else { return try upsert(payload, request) }
        plan.subject = .row(row)
        try update(row, payload, replaces: replaces)
    }

    /// The entity that is to be updated, which must be what the request's conditions say; nil for one to be created.
    package func updateTarget(_ request: ChangeRequest) throws -> Row? {
        guard request.target.target == .entity else { throw ODataError.notOneEntity(request.target.url) }
        guard let row = try locate(request.target) else {
            try Precondition(request).check([])
            guard request.allowsCreate, rows.isComplete else { throw rows.missing(request.target) }
            return nil
        }
        try checkAccess(.update, of: set(of: row))
        try check(Precondition(request), of: row)
        return row
    }

    /// Changes an entity, and what is nested in the payload.
    mutating func update(_ row: Row, _ payload: EntityPayload, replaces: Bool) throws {
        let set = try set(of: row)
        let type = try rows.type(of: row)
        try types(of: set).check(payload, changes: type)
        let payload = try rows.prepared(payload, of: set, isNew: false)
        var update = Plan.Update(target: .row(row), set: set, type: type, replaces: replaces)
        (update.values, update.given) = try values(of: payload, type, in: set, row: row, replaces: replaces)
        let bindings = try bindings(payload.bindings, of: set, type)
        update.references = bindings.own
        var others: [(ChangeableNavigation, EntityPayload.Nested)] = []
        for nested in payload.nested {
            let navigation = try rows.navigation(nested.navigation, of: set, as: type)
            guard navigation.storage == .ownKey else {
                others.append((navigation, nested))
                continue
            }
            try setReference(to: nested, navigation, of: row, in: &update)
        }
        plan.steps.append(.update(update))
        for navigation in bindings.emptied { try unlinkAll(row, navigation) }
        for (navigation, target) in bindings.others { try link(.row(row), navigation, to: target) }
        for (navigation, nested) in others { try self.update(nested, navigation, of: row, replaces: replaces) }
    }

    private mutating func upsert(_ payload: EntityPayload, _ request: ChangeRequest) throws {
        let (place, key) = try upsertPlace(at: request.target)
        // [OData-Protocol, section 11.4.4: not for media entities]
        guard try !types(of: place.set).new(payload, path: place.type).hasStream else {
            throw ODataError(
                .notFound,
                "The entity does not exist, and an update cannot create a media entity: POST its content to "
                    + "\(place.set.name).")
        }
        var payload = payload
        for component in key?.components ?? [] { payload.properties[component.name] = component.value }
        plan.subject = try insert(payload, in: place)
        plan.outcome = .created
    }

    /// Where an entity is inserted that does not exist: `Products(1)`, `Orders(1)/Items(2)`, `Company`,
    /// `Products(1)/Model.Special`.
    private func upsertPlace(at path: ResourcePath) throws -> (Place, EntityKey?) {
        var path = path
        var type: EdmStructuredType?
        if case .cast(let cast)? = path.segments.last {
            type = cast
            path.segments.removeLast()
        }
        switch path.segments.popLast() {
        case nil:
            guard let set = path.rootSet, set.kind == .singleton else { throw rows.missing(path) }
            try checkAccess(.insert, of: set)
            return (Place(set: set, type: type), nil)
        case .navigation(let navigation, _)? where !navigation.isCollection:
            let parent = try require(path)
            let navigation = try self.navigation(navigation.name, of: parent)
            guard navigation.storage == .targetKey || navigation.storage == .links else {
                throw ODataError(.notFound, "\(navigation.property.name) does not lead to an entity.")
            }
            return (try insertionPlace(below: .row(parent), navigation, type), nil)
        case .key(let key)?:
            var place = try insertionPlace(at: path)
            place.type = type ?? place.type
            return (place, key)
        default: throw rows.missing(path)
        }
    }
}

extension ChangePlanner {
    /// `DELETE Products(1)`, `DELETE Products(1)/Name`, which sets null
    ///
    /// [OData-Protocol, section 11.4.5]
    mutating func delete(_ request: ChangeRequest) throws {
        switch request.target.target {
        case .property, .value: return try setValue(.null, request)
        case .stream: return try deleteStream(request)
        default: break
        }
        let row = try require(request.target)
        let set = try set(of: row)
        guard set.kind != .singleton else { throw ODataError.singletonDeletion }
        try checkAccess(.delete, of: set)
        try check(Precondition(request), of: row)
        plan.steps.append(.delete(row))
        plan.outcome = .deleted
    }

    /// Each member of a collection: `PATCH Products/$filter(Price gt 5)/$each`, `DELETE …`
    ///
    /// [OData-Protocol, sections 11.4.12 and 11.4.13]
    package func plan(_ operation: ChangeRequest.Operation, forEach members: [Row]) throws -> Plan {
        var planner = self
        for member in members {
            let set = try set(of: member)
            switch operation {
            case .update(let payload):
                try checkAccess(.update, of: set)
                try planner.update(member, payload, replaces: false)
            case .delete:
                try checkAccess(.delete, of: set)
                planner.plan.steps.append(.delete(member))
                planner.plan.outcome = .deleted
            default:
                throw ODataError(.methodNotAllowed, "Each member of a collection can be updated or deleted only.")
            }
        }
        return planner.plan
    }
}

extension ODataError {
    static func notOneEntity(_ path: String) -> ODataError {
        ODataError(.badRequest, "\(path) is not a single entity: it cannot be updated.")
    }
}
