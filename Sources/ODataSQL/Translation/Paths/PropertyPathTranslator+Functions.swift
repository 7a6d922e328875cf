import ODataModel
import ODataQuery

/// Functions about a row.
extension PropertyPathTranslator {
    /// Calls `operation` on the entity or stream property that the path has reached; on a collection, whether it is
    /// true for any member.
    ///
    /// - Returns: False if the rows have no SQL for it.
    mutating func ask(_ operation: EdmOperationDeclaration) throws -> Bool {
        let type = operation.result?.type
        switch place {
        case .entity(let scope):
            guard let function = scope.source.function?(operation, nil) else { return false }
            setValue(function, of: scope, type: type)
        case .properties(let scope, let properties):
            guard properties.count == 1, properties[0].isStream,
                let function = scope.source.function?(operation, properties[0].name)
            else { return false }
            setValue(function, of: scope, type: type)
        case .members(var members):
            guard case .entity(let scope) = members.variable, let function = scope.source.function?(operation, nil)
            else { return false }
            members.conditions.append(function.term(scope, type: type).sql)
            let any = SQLFragment.exists(in: members.tables, where: members.conditions)
            setValue(Term(any, .boolean, type: type, isNullable: false))
        case .json, .value: return false
        }
        return true
    }
}
