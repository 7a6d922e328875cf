import ODataModel

/// The names that an expression can start from.
struct BindingScope {
    struct Variable {
        var name: String
        var set: EdmEntitySet?
        var structured: EdmStructuredType?
        /// For variables over values that are not structured.
        var value: EdmTypeReference?
    }

    /// The type of the instance the expression is evaluated on; nil for values that are not structured.
    var type: EdmStructuredType?
    /// The type of a value that is not structured.
    var value: EdmTypeReference?
    var set: EdmEntitySet?
    /// Lambda variables, innermost last.
    var variables: [Variable] = []
    /// What `$compute` names.
    var computed: [EdmProperty] = []
    /// Inside the options of `$expand` and the like: the instance of the resource path, to which `$it` leads.
    var resource: Variable?
    /// Whether the instance is one of a collection, to which `$these` leads.
    var hasCollection = true
    /// Whether `$this` stands for the instance.
    var isMember = false
    /// Whether a path may lead through collections, as in `aggregate`.
    var leadsThroughCollections = false
    /// The nodes that the `rolluprecursive` of a `groupby` around make groups for.
    var rollupNodes: [Variable] = []
    /// The sets that `$crossjoin` brings together, by name.
    var joined: [String: EdmEntitySet] = [:]
    var aliases = AliasChain()

    init(
        type: EdmStructuredType?, value: EdmTypeReference? = nil, set: EdmEntitySet?, resource: Variable? = nil,
        aliases: AliasChain = AliasChain(), isMember: Bool = false
    ) {
        self.type = type
        self.value = value
        self.set = set
        self.resource = resource
        self.aliases = aliases
        self.isMember = isMember
    }

    /// The instance of the resource path.
    private var outermost: Variable {
        resource ?? Variable(name: "$it", set: set, structured: type, value: value)
    }

    func variable(named name: String) -> Variable? { variables.last { $0.name == name } }

    func computed(named name: String) -> EdmProperty? { computed.first { $0.name == name } }

    func adding(_ variable: Variable) -> BindingScope {
        var scope = self
        scope.variables.append(variable)
        return scope
    }

    /// The scope in which paths may lead through collections.
    var throughCollections: BindingScope {
        var scope = self
        scope.leadsThroughCollections = true
        return scope
    }

    /// The scope of options of the members of a collection, or of what is expanded.
    func nested(_ type: EdmStructuredType?, value: EdmTypeReference? = nil, set: EdmEntitySet?) -> BindingScope {
        BindingScope(type: type, value: value, set: set, resource: outermost, aliases: aliases, isMember: true)
    }

    /// The scope of a `$filter` segment inside an expression: variables stay visible.
    func inside(_ type: EdmStructuredType?, value: EdmTypeReference?, set: EdmEntitySet?) -> BindingScope {
        var scope = self
        scope.type = type
        scope.value = value
        scope.set = set
        scope.computed = []
        scope.isMember = true
        scope.hasCollection = true
        scope.resource = outermost
        return scope
    }
}
