import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Checks what a client can know to be wrong, before anything is written.
struct PayloadCheck {
    let table: LocalTable
    /// Of the entity.
    let type: StructuredType

    /// - Throws: ``ODataError`` `badRequest` naming the property at fault.
    func check(_ payload: EntityPayload) throws {
        for member in payload.properties.members { try check(member) }
        for name in payload.bindings.map(\.navigation) + payload.nested.map(\.navigation) {
            guard type.navigationProperty(named: name) != nil else {
                throw ODataError(.badRequest, "\(type.name) has no navigation property \(name).")
            }
        }
    }

    private func check(_ member: ComplexValue.Member) throws {
        guard let property = type.property(named: member.name) else {
            if type.isOpen, type.navigationProperty(named: member.name) == nil { return }
            throw ODataError(.badRequest, "\(type.name) has no property \(member.name).")
        }
        guard let column = table.column(of: member.name) else {
            throw ODataError(.badRequest, "\(member.name) is a stream: put its bytes instead.")
        }
        if member.value.isNull {
            guard property.isNullable, !column.isKey else {
                throw ODataError(.badRequest, "\(member.name) of \(type.name) cannot be null.")
            }
            return
        }
        guard property.type.takes(member.value) else {
            throw ODataError(
                .badRequest,
                "\(member.name) of \(type.name) takes \(property.type), not \(member.value.lexical.prefix(100)).")
        }
        _ = try column.databaseValue(of: member.value)
        try checkFacets(member.value, of: property)
    }

    private func checkFacets(_ value: Value, of property: Property) throws {
        if case .integer(let value) = value, let range = property.type.primitive?.integerRange, !range.contains(value) {
            throw ODataError(.badRequest, "\(value) is no value for \(property.name), an \(property.type).")
        }
        guard let limit = property.maxLength else { return }
        let length =
            switch value {
            case .string(let text): text.unicodeScalars.count
            case .binary(let bytes): bytes.count
            default: 0
            }
        guard length <= limit else {
            throw ODataError(.badRequest, "\(property.name) is longer than its limit of \(limit).")
        }
    }
}
