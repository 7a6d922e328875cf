import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Checks what a client can know to be wrong, before anything is written.
struct PayloadCheck {
    let model: EdmModel
    let table: LocalTable
    /// Of the entity.
    let type: EdmStructuredType

    /// - Throws: ``ODataError`` `badRequest` naming the property at fault.
    func check(_ payload: EntityPayload) throws {
        for member in payload.properties.members { try check(member) }
        for name in payload.bindings.map(\.navigation) + payload.nested.map(\.navigation) {
            guard type.navigationProperty(named: name) != nil else {
                throw ODataError.noNavigation(name, of: type.name)
            }
        }
    }

    private func check(_ member: EdmComplexValue.Member) throws {
        guard let property = type.property(named: member.name) else {
            if type.isOpen, type.navigationProperty(named: member.name) == nil { return }
            throw ODataError.undeclared(member.name, by: type.name)
        }
        guard let column = table.column(of: member.name) else {
            throw ODataError(.badRequest, "\(member.name) is a stream: put its bytes instead.")
        }
        guard !member.value.isNull || !column.isKey else {
            throw ODataError.refused(ValueProblem(member.name, ValueProblem.mustNotBeNull))
        }
        // What members of complex values the service makes is not known.
        let check = ValueCheck(model: model, allowsParts: true)
        _ = try ODataError.checking { () throws(ValueProblem) in
            try check.value(member.value, for: property, at: member.name)
        }
        _ = try column.databaseValue(of: member.value)
    }
}
