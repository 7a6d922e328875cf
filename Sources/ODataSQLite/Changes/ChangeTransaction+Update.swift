import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `PATCH Products(1)`, or `PUT` if the payload `replaces` the entity. One that does not exist is created, unless
    /// the request has an `If-Match`.
    ///
    /// [OData-Protocol, sections 11.4.3 and 11.4.4]
    func update(_ payload: EntityPayload, _ request: ChangeRequest, replaces: Bool) throws -> ChangeResult {
        guard let located = try locate(request.target) else { return try upsert(payload, request) }
        try requireWritable(located.table)
        try Precondition(request).check(try etags(of: located))
        guard payload.nested.isEmpty else {
            throw ODataError(.notImplemented, "Nested entities in an update are not supported; change them one by one.")
        }
        var assignments = try assignments(payload.properties, of: located.table, isNew: false)
        try refuseKeyChange(payload.properties, of: located)
        if replaces { Self.fillWithDefaults(&assignments, of: located.table) }
        try bindToOne(payload.bindings, of: located.table, into: &assignments)
        try set(assignments, at: located)
        try bindToMany(payload.bindings, of: located)
        return try result(.updated, located, request)
    }

    func etags(of located: LocatedEntity) throws -> [String] {
        [try access.etag(of: located.row, in: located.table) ?? "*"]
    }

    private func upsert(_ payload: EntityPayload, _ request: ChangeRequest) throws -> ChangeResult {
        guard case .entitySet(let set) = request.target.root, case .key(let key)? = request.target.segments.first,
            request.target.segments.count == 1
        else { throw ODataError(.notFound, "There is no such entity.") }
        let table = try schema.table(of: set)
        try requireWritable(table)
        try Precondition(request).check([])
        var payload = payload
        for component in key.components {
            if let given = payload.properties[component.name], given != component.value {
                throw ODataError(.badRequest, "The key property \(component.name) is not what the URL says.")
            }
            payload.properties[component.name] = component.value
        }
        return try result(.created, try insert(payload, into: table, given: ColumnAssignments()), request)
    }

    private func refuseKeyChange(_ properties: ComplexValue, of located: LocatedEntity) throws {
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
        let located = try require(request.target)
        try Precondition(request).check(try etags(of: located))
        try db.cachedStatement(sql: "DELETE FROM \(quoted(located.table.name)) AS r WHERE \(located.row.condition)")
            .execute(arguments: located.row.arguments)
        return ChangeResult(.deleted)
    }

    /// `PUT Products(1)/ProductName` with `{"value": "Chai"}`; `DELETE` sets null.
    ///
    /// [OData-Protocol, section 11.4.9]
    func setValue(_ value: Value, _ request: ChangeRequest) throws -> ChangeResult {
        guard case .property(let property) = request.target.target else {
            throw ODataError(.badRequest, "The path does not lead to a property.")
        }
        let located = try require(request.target)
        try Precondition(request).check(try etags(of: located))
        let values = ComplexValue([.init(name: property.name, value: value)])
        try refuseKeyChange(values, of: located)
        try set(try assignments(values, of: located.table, isNew: false), at: located)
        return try result(.updated, located, request)
    }

    /// `PUT Products(1)/ProductName/$value` with `Chai`.
    func setRawValue(_ bytes: [UInt8], _ request: ChangeRequest) throws -> ChangeResult {
        guard case .property(let property) = request.target.target else {
            throw ODataError(.badRequest, "The path does not lead to a property.")
        }
        if property.type.primitive == .binary { return try setValue(.binary(bytes), request) }
        guard let text = String(validating: bytes, as: UTF8.self),
            let value = Value(lexical: text, type: property.type)
        else { throw ODataError(.badRequest, "The value is no \(property.type).") }
        return try setValue(value, request)
    }
}
