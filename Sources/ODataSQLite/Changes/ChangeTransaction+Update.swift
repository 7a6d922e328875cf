import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `PATCH Products(1)`, or `PUT` if the payload `replaces` the entity. One that does not exist is created where the
    /// request allows it.
    ///
    /// [OData-Protocol, sections 11.4.3 and 11.4.4]
    func update(_ payload: EntityPayload, _ request: ChangeRequest, replaces: Bool) throws -> ChangeResult {
        if case .property = request.target.target {
            return try updateValue(payload, request, replaces: replaces)
        }
        guard let located = try updateTarget(request) else { return try upsert(payload, request) }
        try update(located, payload, replaces: replaces)
        return try result(.updated, located, request, options: expansions(payload, of: located))
    }

    /// The entity that is to be updated, which must be what the request's conditions say; nil for one to be created.
    func updateTarget(_ request: ChangeRequest) throws -> LocatedEntity? {
        guard let located = try locate(request.target) else {
            try Precondition(request).check([])
            guard request.allowsCreate else { throw ODataError(.notFound, "There is no such entity.") }
            return nil
        }
        try requireWritable(located.table, for: .update)
        try Precondition(request).check(try etags(of: located))
        return located
    }

    /// Changes an entity, and what is nested in the payload.
    func update(_ located: LocatedEntity, _ payload: EntityPayload, replaces: Bool) throws {
        var assignments: ColumnAssignments
        var type: EdmStructuredType?
        if let declared = located.table.declared {
            let known = try self.type(of: located, declared, payload: payload)
            let writer = self.assignments(
                of: located.table, declared, type: known, mode: replaces ? .replace : .merge, row: located.row)
            type = known
            assignments = try writer.columns(payload.properties)
            if replaces { try writer.fillWithDefaults(&assignments) }
        } else {
            assignments = try newColumns(
                Self.withoutKey(payload.properties, of: located.table), of: located.table, isNew: false)
            if replaces { Self.fillWithDefaults(&assignments, of: located.table) }
        }
        try bindToOne(payload.bindings, of: located.table, as: type, into: &assignments)
        try set(assignments, at: located)
        try bindDependents(payload.bindings, of: located)
        for nested in payload.nested { try updateNested(nested, of: located, replaces: replaces) }
    }

    func etags(of located: LocatedEntity) throws -> [String] {
        [try access.etag(of: located.row, in: located.table) ?? "*"]
    }

    private func upsert(_ payload: EntityPayload, _ request: ChangeRequest) throws -> ChangeResult {
        let (table, membership, key) = try place(request.target)
        // [OData-Protocol, section 11.4.4: not for media entities]
        guard table.media == nil else {
            throw ODataError(
                .notFound,
                "There is no such entity, and an update cannot make a media entity: POST its content to \(table.set).")
        }
        try requireWritable(table, for: .insert)
        var payload = payload
        for component in key?.components ?? [] {
            payload.properties[component.name] = component.value
        }
        let located = try insert(payload, into: table, as: membership)
        return try result(.created, located, request, options: expansions(payload, of: located))
    }

    /// Where an entity goes that is not there: `Products(1)`, `Orders(1)/Items(2)`, `Company`,
    /// `Products(1)/Model.Special`.
    private func place(_ path: ResourcePath) throws -> (PublishedTable, Membership, EntityKey?) {
        var path = path
        var type: EdmStructuredType?
        if case .cast(let cast)? = path.segments.last {
            type = cast
            path.segments.removeLast()
        }
        if path.segments.isEmpty, let table = try? schema.table(of: path.rootSet), table.declared?.isSingleton == true {
            return (table, Membership(type: type), nil)
        }
        if case .navigation(let navigation, _)? = path.segments.last, !navigation.isCollection {
            return try placeOfOne(navigation, path, type)
        }
        guard case .key(let key)? = path.segments.last else {
            throw ODataError(.notFound, "There is no such entity.")
        }
        let collection = ResourcePath(root: path.root, segments: Array(path.segments.dropLast()))
        var (table, membership) =
            try collection.segments.isEmpty || table(isDeclaredBehind: collection)
            ? self.collection(collection) : (try schema.table(of: nil), Membership())
        membership.type = type ?? membership.type
        return (table, membership, key)
    }

    /// `PUT Products(1)/Detail` makes the entity that a relation leads to.
    private func placeOfOne(_ navigation: EdmNavigationProperty, _ path: ResourcePath, _ type: EdmStructuredType?)
        throws
        -> (PublishedTable, Membership, EntityKey?)
    {
        let parent = try locate(ResourcePath(root: path.root, segments: Array(path.segments.dropLast())))
        guard let parent, parent.table.declared != nil else {
            throw ODataError(.notFound, "There is no such entity.")
        }
        let relation = try relation(navigation.name, of: parent)
        guard !relation.isDependent else { throw ODataError(.notFound, "\(navigation.name) leads to no entity.") }
        return (relation.target, try membership(relation, parent: parent, type: type), nil)
    }

    private func table(isDeclaredBehind path: ResourcePath) throws -> Bool {
        guard try schema.table(of: path.rootSet).declared != nil else {
            throw ODataError(.notFound, "There is no such entity.")
        }
        return true
    }

    /// The key of an entity is that of the URL, whatever the body of an update says.
    private static func withoutKey(_ properties: EdmComplexValue, of table: PublishedTable) -> EdmComplexValue {
        EdmComplexValue(properties.members.filter { table.column(ofProperty: $0.name)?.isKey != true })
    }

    func refuseKeyChange(_ properties: EdmComplexValue, of located: LocatedEntity) throws {
        let given = located.table.key.filter { properties[$0.property] != nil }
        guard !given.isEmpty else { return }
        let key = try access.key(of: located.row, in: located.table)
        for column in given
        where try column.stored(properties[column.property] ?? .null)
            != column.stored(key[column.property] ?? .null)
        {
            throw ODataError(.badRequest, "The key property \(column.property) cannot be changed.")
        }
    }

    /// Columns that a PUT does not name get their defaults.
    private static func fillWithDefaults(_ assignments: inout ColumnAssignments, of table: PublishedTable) {
        for column in table.columns where !column.isKey && !column.description.isGenerated {
            if !assignments.has(column.name) {
                assignments[column.name] = column.description.defaultSQL.map { .sql($0) } ?? .value(.null)
            }
        }
    }

    /// `DELETE Products(1)`
    ///
    /// [OData-Protocol, section 11.4.5]
    func delete(_ request: ChangeRequest) throws -> ChangeResult {
        if case .property = request.target.target { return try setValue(.null, request) }
        let located = try require(request.target)
        guard located.table.declared?.isSingleton != true else { throw ODataError.singletonDeletion }
        try requireWritable(located.table, for: .delete)
        try Precondition(request).check(try etags(of: located))
        try delete(located)
        return ChangeResult(.deleted)
    }

    /// `PUT Products(1)/ProductName/$value` with `Chai`.
    func setRawValue(_ bytes: [UInt8], _ request: ChangeRequest) throws -> ChangeResult {
        guard case .property(let property) = request.target.target else {
            throw ODataError(.badRequest, "The path does not lead to a property.")
        }
        return try setValue(try property.value(ofRaw: bytes), request)
    }
}
