import ODataModel

/// The names that an expression can start from.
struct Scope {
    struct Variable {
        var name: String
        var set: EntitySet?
        var structured: StructuredType?
        /// For variables over values that are not structured.
        var value: TypeReference?
    }

    /// The type of the instance the expression is evaluated on.
    var type: StructuredType
    var set: EntitySet?
    /// Lambda variables, innermost last.
    var variables: [Variable] = []
    /// Inside `$expand`, `$it` is the instance of the resource path and not the one the expression is evaluated on.
    var isExpanded = false

    init(type: StructuredType, set: EntitySet?, isExpanded: Bool = false) {
        self.type = type
        self.set = set
        self.isExpanded = isExpanded
    }

    func variable(named name: String) -> Variable? { variables.last { $0.name == name } }

    func adding(_ variable: Variable) -> Scope {
        var scope = self
        scope.variables.append(variable)
        return scope
    }
}
