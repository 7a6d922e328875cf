import ODataModel
import ODataQuery

extension ChangePlanner {
    /// The properties that a payload sets, checked: as they are afterwards, and as they are given. The key of an entity
    /// that exists and what clients cannot set are ignored.
    ///
    /// - Parameter row: The entity; nil for a new one.
    /// - Throws: ``ODataError`` `badRequest` that names the property.
    func values(
        of payload: EntityPayload, _ type: EdmStructuredType, in set: EdmEntitySet, row: Row?, replaces: Bool = false
    ) throws -> (values: EdmComplexValue, given: EdmComplexValue) {
        var (values, given) = (EdmComplexValue(), EdmComplexValue())
        for member in payload.properties.members {
            guard let property = try type.property(of: member) else {
                values[member.name] = member.value
                given[member.name] = member.value
                continue
            }
            guard try accepts(member.value, of: property, type, in: set, isNew: row == nil) else { continue }
            let value = try property.checked(member.value, at: property.name, rows.model)
            given[property.name] = value
            let known =
                !replaces && row != nil && value.isComplex
                ? try row.map { try rows.value(of: property.name, of: $0) } : nil
            values[property.name] = try whole(value.merged(into: known), property)
        }
        return (values, given)
    }

    /// The payload of a request that is queued for an entity, checked.
    ///
    /// - Parameter isNew: Whether the request creates the entity.
    package func checked(_ payload: EntityPayload, of row: Row, isNew: Bool) throws -> EntityPayload {
        let set = try set(of: row)
        let type = try rows.type(of: row)
        try types(of: set).check(payload, changes: type)
        var payload = try rows.prepared(payload, of: set, isNew: false)
        payload.properties = try values(of: payload, type, in: set, row: isNew ? nil : row).given
        for binding in payload.bindings { _ = try rows.navigation(binding.navigation, of: set, as: type) }
        return payload
    }

    /// Whether a client's value counts.
    private func accepts(
        _ value: EdmValue, of property: EdmProperty, _ type: EdmStructuredType, in set: EdmEntitySet, isNew: Bool
    ) throws -> Bool {
        if property.isStream { return false }
        if rows.isLoading { return true }
        if rows.ignores(property, value, of: set, isNew: isNew) { return false }
        guard !isNew else {
            guard !value.isNull || !type.key.contains(property.name) else {
                throw ODataError.refused(ValueProblem(property.name, ValueProblem.mustNotBeNull))
            }
            return !property.isTagged(EdmAnnotation.computed)
        }
        return property.isChangeable && !type.key.contains(property.name)
    }

    /// The value that the store keeps. Only a store that decides on members that are left out adds them.
    private func whole(_ value: EdmValue, _ property: EdmProperty) throws -> EdmValue {
        guard rows.isComplete, value.isStructured else { return value }
        return try ODataError.checking { () throws(ValueProblem) in
            try ValueCheck(model: rows.model).value(value, for: property, at: property.name)
        }
    }
}

/// Changes of single properties.
///
/// [OData-Protocol, section 11.4.9]
extension ChangePlanner {
    private enum ValueChange {
        case set(EdmValue)
        case merge(EdmComplexValue)
        case insert(EdmValue, at: Int?)
    }

    /// `PUT Products(1)/ProductName` with `{"value": "Chai"}`; `DELETE` sets null, or removes a member of a collection.
    mutating func setValue(_ value: EdmValue, _ request: ChangeRequest) throws {
        try change(.set(value), request)
    }

    /// `PUT Products(1)/ProductName/$value` with `Chai`.
    mutating func setRawValue(_ bytes: [UInt8], _ request: ChangeRequest) throws {
        guard case .property(let property) = request.target.target else {
            throw ODataError.notAProperty(request.target.url)
        }
        try change(.set(property.value(ofRaw: bytes)), request)
    }

    /// `PATCH Products(1)/Address`: members that are not given keep their values; `PUT` replaces all of them.
    mutating func updateValue(_ payload: EntityPayload, _ request: ChangeRequest, replaces: Bool) throws {
        guard payload.bindings.isEmpty, payload.nested.isEmpty else {
            throw ODataError(.notImplemented, "The store does not keep navigation properties of complex values.")
        }
        var value = payload.properties
        value.type = payload.type ?? value.type
        try change(replaces ? .set(.complex(value)) : .merge(value), request)
    }

    /// `POST Products(1)/Tags` with `{"value": "a"}`
    ///
    /// [OData-Protocol, section 11.4.10]
    mutating func insertValue(_ value: EdmValue, at index: Int?, _ request: ChangeRequest) throws {
        try change(.insert(value, at: index), request)
    }

    private mutating func change(_ change: ValueChange, _ request: ChangeRequest) throws {
        guard let place = ValueTarget(request.target) else { throw ODataError.notAProperty(request.target.url) }
        if !rows.isComplete { try requireWhole(change, place, request) }
        let row = try require(request.target)
        let set = try set(of: row)
        let type = try rows.type(of: row)
        try checkAccess(.update, of: set)
        try check(Precondition(request), of: row)
        plan.subject = .row(row)
        let name = place.property.name
        let property = type.property(named: name)
        guard property != nil || type.isOpen else { throw ODataError.undeclared(name, by: type.name) }
        if type.key.contains(name) { throw ODataError(.badRequest, "The key property \(name) cannot be changed.") }
        guard property?.isChangeable ?? true else {
            throw ODataError(.badRequest, "The property \(name) cannot be changed.")
        }
        var update = Plan.Update(target: .row(row), set: set, type: type)
        let (value, given) = try values(change, at: place, of: row, isDeclared: property != nil)
        update.values[name] = try property.map { try whole(value, $0) } ?? value
        update.given[name] = given ?? update.values[name]
        plan.steps.append(.update(update))
    }

    /// - Returns: The whole property, and what of it the change names; nil for all of it.
    private func values(
        _ change: ValueChange, at place: ValueTarget, of row: Row, isDeclared: Bool
    ) throws -> (EdmValue, EdmValue?) {
        let current = { try rows.value(of: place.property.name, of: row) }
        let leaf = place.leaf
        func checked(_ value: EdmValue, _ property: EdmProperty) throws -> EdmValue {
            isDeclared ? try property.checked(value, at: place.path, rows.model) : value
        }
        switch change {
        case .set(let value):
            if value.isNull, case .index? = place.steps.last { return (try place.removing(current()), nil) }
            var value = try checked(value, leaf)
            if case .complex(let complex) = value {
                value = .complex(PatchCompletion(model: rows.model).whole(complex, of: leaf.type))
            }
            guard !place.steps.isEmpty else { return (value, value) }
            return (try place.replacing(current()) { _ in value }, place.isIndirect ? nil : place.wrapping(value))
        case .merge(let complex):
            let value = try checked(.complex(complex), leaf)
            return (
                try place.replacing(current()) { value.merged(into: $0) },
                place.isIndirect ? nil : place.wrapping(value)
            )
        case .insert(let value, let index):
            var element = leaf
            if case .collection(let type) = leaf.type { element.type = type }
            let value = try checked(value, element)
            return (try place.replacing(current()) { try $0.inserting(value, at: index) }, nil)
        }
    }

    /// A request of the queue names properties: not members of collections, nor properties of derived complex types.
    private func requireWhole(_ change: ValueChange, _ place: ValueTarget, _ request: ChangeRequest) throws {
        if case .insert = change {} else if !place.isIndirect { return }
        throw ODataError(
            .notImplemented,
            "\(request.target.url) is part of a collection or of a derived complex type, which an offline store changes "
                + "as a whole: set the whole property.")
    }
}

extension EdmValue {
    fileprivate var isComplex: Bool { if case .complex = self { true } else { false } }

    fileprivate var isStructured: Bool {
        switch self {
        case .complex, .collection: true
        default: false
        }
    }

    /// A PATCH of a complex value keeps the members that it does not name.
    ///
    /// [OData-Protocol, section 11.4.3]
    fileprivate func merged(into known: EdmValue?) -> EdmValue {
        guard case .complex(let given) = self, case .complex(let known)? = known else { return self }
        return .complex(known.merging(given))
    }

    fileprivate func inserting(_ value: EdmValue, at index: Int?) throws -> EdmValue {
        var members: [EdmValue] = if case .collection(let known) = self { known } else { [] }
        guard let index else { return .collection(members + [value]) }
        let position = index < 0 ? members.count + index + 1 : index
        guard (0...members.count).contains(position) else {
            throw ODataError(
                .badRequest, "The collection has \(members.count) members: \(index) is not a position in it.")
        }
        members.insert(value, at: position)
        return .collection(members)
    }
}

extension EntityPayload {
    /// - Throws: ``ODataError`` `badRequest` that names what entities of `type` do not have, or cannot have as a value.
    package func check(with type: EdmStructuredType, in model: EdmModel) throws {
        for member in properties.members {
            _ = try type.property(of: member)?.checked(member.value, at: member.name, model)
        }
        for name in bindings.map(\.navigation) + nested.map(\.navigation)
        where type.navigationProperty(named: name) == nil { throw ODataError.noNavigation(name, of: type.name) }
    }
}

extension EdmStructuredType {
    /// The declared property that a payload sets; nil for a dynamic one.
    fileprivate func property(of member: EdmComplexValue.Member) throws -> EdmProperty? {
        guard let property = property(named: member.name) else {
            if isOpen, navigationProperty(named: member.name) == nil { return nil }
            throw ODataError.undeclared(member.name, by: name)
        }
        guard property.isStream, !member.value.isNull else { return property }
        throw ODataError(
            .badRequest, "The property \(member.name) is a stream: send its content in a request of its own.")
    }
}

extension EdmProperty {
    /// A value as a client gives it, which may leave out members of complex values.
    fileprivate func checked(_ value: EdmValue, at path: String, _ model: EdmModel) throws -> EdmValue {
        try ODataError.checking { () throws(ValueProblem) in
            try ValueCheck(model: model, allowsParts: true).value(value, for: self, at: path)
        }
    }
}
