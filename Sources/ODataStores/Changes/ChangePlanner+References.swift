import ODataModel
import ODataQuery

extension ChangePlanner {
    /// `POST Categories(1)/Products/$ref`, `PUT Products(1)/Category/$ref`
    ///
    /// [OData-Protocol, section 11.4.6]
    mutating func addReference(_ reference: EntityReference, _ request: ChangeRequest) throws {
        let (row, navigation, _) = try source(of: request)
        plan.subject = .row(row)
        try link(.row(row), navigation, to: target(reference, of: navigation), isRequested: true)
    }

    /// `DELETE Products(1)/Category/$ref`, `DELETE Categories(1)/Products(2)/$ref`, `…/Products/$ref?$id=Products(2)`
    mutating func removeReference(_ reference: EntityReference?, _ request: ChangeRequest) throws {
        let (row, navigation, key) = try source(of: request)
        plan.subject = .row(row)
        guard !navigation.hasParts else { throw ODataError.isPart(of: navigation.property.name) }
        guard let member = try member(reference, key: key, navigation, request) else {
            return try unlinkAll(row, navigation, isRequested: true)
        }
        try check(member, of: navigation)
        if let known = member.row, try !rows.isLinked(navigation, from: row, to: known) {
            throw ODataError.notAMember(navigation.property.name)
        }
        try requireOptional(navigation)
        plan.steps.append(
            .unlink(.init(source: .row(row), navigation: navigation, target: member, isRequested: true)))
    }

    /// The entity whose reference is removed; nil for the one that a single-valued navigation property leads to.
    private func member(
        _ reference: EntityReference?, key: EntityKey?, _ navigation: ChangeableNavigation, _ request: ChangeRequest
    ) throws -> Target? {
        let (row, path): (Row?, ResourcePath)
        if let reference {
            (row, path) = try find(reference)
        } else if let key {
            let set = try rows.entitySet(named: navigation.targetSet)
            (row, path) = (try rows.row(of: set.name, key: key), ResourcePath(set, key: key))
        } else {
            guard !navigation.isCollection else {
                throw ODataError(
                    .badRequest, "The request does not name the member of \(request.target.url) to remove.")
            }
            return nil
        }
        guard row == nil, rows.isComplete else { return row.map(Target.row) ?? .absent(path) }
        throw ODataError.notAMember(navigation.property.name)
    }

    /// The entity before the last navigation property of a path, that property, and the key of its member.
    private func source(of request: ChangeRequest) throws -> (Row, ChangeableNavigation, EntityKey?) {
        let path = request.target
        let position = path.segments.lastIndex { if case .navigation = $0 { true } else { false } }
        guard let position, case .navigation(let navigation, _) = path.segments[position] else {
            throw ODataError(.badRequest, "\(path.url) is not a navigation property.")
        }
        let row = try require(ResourcePath(root: path.root, segments: Array(path.segments[..<position])))
        try checkAccess(.update, of: set(of: row))
        try check(Precondition(request), of: row)
        var key: EntityKey?
        if case .key(let last)? = path.resource.segments.last { key = last }
        return (row, try self.navigation(navigation.name, of: row), key)
    }

    /// A navigation property leads to `target`: a single-valued one to no other entity.
    mutating func link(
        _ source: Target, _ navigation: ChangeableNavigation, to target: Target, isRequested: Bool = false
    ) throws {
        try check(target, of: navigation)
        if navigation.storage == .targetKey, let row = source.row {
            let isLinked = try target.row.map { try rows.isLinked(navigation, from: row, to: $0) } ?? false
            if isLinked, rows.isComplete || navigation.hasParts { return }
            if !navigation.isCollection {
                for member in try rows.linked(navigation, from: row)
                where try target.row.map({ try rows.identity(of: $0) != rows.identity(of: member) }) ?? true {
                    try unlink(source, navigation, member)
                }
            }
        }
        guard !navigation.hasParts else {
            throw ODataError(
                .badRequest,
                "The entities of \(navigation.property.name) belong to one entity and cannot be given to another.")
        }
        plan.steps.append(
            .link(.init(source: source, navigation: navigation, target: target, isRequested: isRequested)))
    }

    /// A navigation property no longer leads to a member. One that cannot exist without the entity is deleted.
    mutating func unlink(_ source: Target, _ navigation: ChangeableNavigation, _ member: Row) throws {
        guard !navigation.hasParts else {
            try checkAccess(.delete, of: set(of: member))
            return plan.steps.append(.delete(member))
        }
        try requireOptional(navigation)
        plan.steps.append(.unlink(.init(source: source, navigation: navigation, target: .row(member))))
    }

    /// A navigation property leads to no entity.
    mutating func unlinkAll(_ row: Row, _ navigation: ChangeableNavigation, isRequested: Bool = false) throws {
        try requireOptional(navigation)
        guard navigation.storage == .targetKey else {
            return plan.steps.append(
                .unlink(.init(source: .row(row), navigation: navigation, isRequested: isRequested)))
        }
        for member in try rows.linked(navigation, from: row) { try unlink(.row(row), navigation, member) }
    }
}

extension ODataError {
    static func notAMember(_ navigation: String) -> ODataError {
        ODataError(.notFound, "The entity is not a member of \(navigation).")
    }

    /// `DELETE Orders(1)/Items(2)/$ref` of an item that cannot exist without its order.
    static func isPart(of navigation: String) -> ODataError {
        ODataError(
            .badRequest,
            "The entities of \(navigation) cannot exist without the entity that they belong to: delete the entity "
                + "instead of its reference.")
    }
}
