import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `PUT Products(1)/ProductName` with `{"value": "Chai"}`; `DELETE` sets null, or takes a member of a collection
    /// out of it.
    ///
    /// [OData-Protocol, section 11.4.9]
    func setValue(_ value: EdmValue, _ request: ChangeRequest) throws -> ChangeResult {
        try change(request) { target, current in
            guard value.isNull, case .index? = target.steps.last else {
                return try target.replacing(current) { _ in value }
            }
            return try target.removing(current)
        }
    }

    /// `PATCH Products(1)/Address`: members that are not given keep their values; `PUT` replaces all of them.
    func updateValue(_ payload: EntityPayload, _ request: ChangeRequest, replaces: Bool) throws -> ChangeResult {
        var given = payload.properties
        given.type = payload.type ?? given.type
        let value = given
        return try change(request) { target, current in
            try target.replacing(current) { old in
                guard !replaces, case .complex(let known) = old else { return .complex(value) }
                return .complex(known.merging(value))
            }
        }
    }

    /// `POST Products(1)/Tags` with `{"value": "a"}`
    ///
    /// [OData-Protocol, section 11.4.10]
    func insertValue(_ value: EdmValue, at index: Int?, _ request: ChangeRequest) throws -> ChangeResult {
        try change(request) { target, current in
            try target.replacing(current) { old in
                var members: [EdmValue] = if case .collection(let known) = old { known } else { [] }
                guard let index else { return .collection(members + [value]) }
                let position = index < 0 ? members.count + index + 1 : index
                guard (0...members.count).contains(position) else {
                    throw ODataError(.badRequest, "The collection has \(members.count) members: none goes to \(index).")
                }
                members.insert(value, at: position)
                return .collection(members)
            }
        }
    }

    private func change(_ request: ChangeRequest, _ make: (ValueTarget, EdmValue) throws -> EdmValue) throws
        -> ChangeResult
    {
        guard let target = ValueTarget(request.target) else {
            throw ODataError(.badRequest, "The path does not lead to a property.")
        }
        let located = try require(request.target)
        try requireWritable(located.table, for: .update)
        try Precondition(request).check(try etags(of: located))
        guard let declared = located.table.declared else {
            let values = EdmComplexValue([.init(name: target.property.name, value: try make(target, .null))])
            try refuseKeyChange(values, of: located)
            try set(try newColumns(values, of: located.table, isNew: false), at: located)
            return try result(.updated, located, request)
        }
        let writer = assignments(
            of: located.table, declared, type: try type(of: located, declared), mode: .replace, row: located.row)
        try set(try writer.columns(of: target, make: make), at: located)
        return try result(.updated, located, request)
    }
}

extension DeclaredAssignments {
    /// The column of a property that a request is about.
    fileprivate func columns(of target: ValueTarget, make: (ValueTarget, EdmValue) throws -> EdmValue) throws
        -> ColumnAssignments
    {
        let name = target.property.name
        guard let property = type.property(named: name) else {
            guard declared.isOpen, type.isOpen else {
                throw ODataError.undeclared(name, by: type.name)
            }
            var values = try currentDynamic()
            let value = try make(target, values[name] ?? .null)
            values[name] = value.isNull ? nil : value
            var assignments = ColumnAssignments()
            assignments[DeclaredTable.dynamicColumn] = .value(values.dynamicStored)
            return assignments
        }
        guard let row, let column = table.column(ofProperty: name) else {
            throw ODataError(.notImplemented, "The property \(name) has no column.")
        }
        if column.isKey { throw ODataError(.badRequest, "The key property \(property.name) cannot be changed.") }
        if property.isTagged(EdmAnnotation.computed) || property.isTagged(EdmAnnotation.immutable) {
            throw ODataError(.badRequest, "The property \(property.name) cannot be changed.")
        }
        let current = column.codec == .json ? try current(column, property, row) : .null
        var assignments = ColumnAssignments()
        assignments[column.name] = .value(try stored(try make(target, current), column, property))
        return assignments
    }
}
