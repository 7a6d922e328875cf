import ODataModel

/// System query options.
///
/// [OData-URL, section 5.1]
extension Binder {
    /// The options of a request for `path`.
    func options(_ syntax: OptionsSyntax, of path: ResourcePath) throws(QueryError) -> QueryOptions {
        try syntax.checkOnce(in: source)
        guard !syntax.given.isEmpty || !syntax.custom.isEmpty else { return QueryOptions() }
        let type = path.valueType
        for given in syntax.given { try check(given, of: path, type) }
        guard let scope = scope(of: path, type) else {
            var options = QueryOptions()
            options.takePlain(syntax)
            return options
        }
        return try options(syntax, in: scope)
    }

    /// - Parameter type: the type of what `path` stands for.
    private func check(
        _ given: OptionsSyntax.Given, of path: ResourcePath, _ type: EdmTypeReference?
    ) throws(QueryError) {
        let (option, offset) = (given.option, given.offset)
        switch option {
        case .format, .schemaversion: return
        case .id:
            guard path.suffix != .ref else { return }
            throw error(.typeMismatch, "The query option $id requires /$ref or $entity.", at: offset)
        case .select where path.suffix == .ref, .expand where path.suffix == .ref:
            throw error(
                .typeMismatch, "References have no properties: \(option.name) does not go with /$ref.", at: offset)
        default: break
        }
        if type?.isCollection == true || type == .untyped || path.root.isWithoutType { return }
        switch path.target {
        case .nothing:
            throw error(.typeMismatch, "The query option \(option.name) needs a result.", at: offset)
        case .stream:
            throw error(.typeMismatch, "The query option \(option.name) does not apply to a stream.", at: offset)
        default: break
        }
        if option.needsCollection {
            throw error(.typeMismatch, "The query option \(option.name) is for collections.", at: offset)
        }
        guard structuredType(type) != nil || option == .index else {
            throw error(.typeMismatch, "The query option \(option.name) does not apply to a value.", at: offset)
        }
    }

    /// What the options of a request for `path` are evaluated on; nil where they do not matter.
    private func scope(of path: ResourcePath, _ type: EdmTypeReference?) -> BindingScope? {
        switch path.root {
        case .crossjoin(let sets) where path.segments.allSatisfy(\.isSuffix): return crossjoin(sets)
        case .all where !path.segments.contains { if case .cast = $0 { true } else { false } }:
            let declaration = EdmStructuredTypeDeclaration(
                name: EdmQualifiedName(namespace: "Edm", name: "EntityType"), isAbstract: true, isOpen: true,
                properties: [])
            return BindingScope(type: EdmStructuredType(declaration: declaration), set: nil)
        default: break
        }
        guard let type else { return nil }
        let element = type.element ?? type
        let isRoot = path.segments.allSatisfy { $0.isKey || $0.isSuffix }
        let structured = (isRoot ? path.rootSet?.type : nil) ?? structuredType(element)
        var scope = BindingScope(
            type: structured, value: structured == nil ? element : nil, set: path.entitySet, isMember: true)
        scope.hasCollection = type.isCollection
        return scope
    }

    /// A type with one navigation property for each set.
    private func crossjoin(_ sets: [EdmEntitySet]) -> BindingScope {
        let navigations = sets.map { EdmNavigationProperty(name: $0.name, target: $0.type.name, isCollection: false) }
        let declaration = EdmStructuredTypeDeclaration(
            kind: .complex, name: EdmQualifiedName(namespace: "Edm", name: "ComplexType"), properties: [],
            navigationProperties: navigations)
        var scope = BindingScope(type: EdmStructuredType(declaration: declaration), set: nil)
        scope.joined = Dictionary(sets.map { ($0.name, $0) }) { first, _ in first }
        return scope
    }

    /// The options in the parentheses of an item of `$expand` or `$select`.
    func nested(_ syntax: OptionsSyntax, in scope: consuming BindingScope) throws(QueryError) -> QueryOptions {
        try inside(syntax).options(syntax, in: scope)
    }

    /// The options, in the order in which they are evaluated.
    func options(_ syntax: OptionsSyntax, in scope: consuming BindingScope) throws(QueryError) -> QueryOptions {
        try syntax.checkOnce(in: source)
        var options = QueryOptions()
        options.takePlain(syntax)
        if let apply = syntax.apply {
            let applied = try self.apply(apply, in: scope)
            options.apply = applied
            if let type = applied.type { scope.type = type }
        }
        options.compute = try compute(syntax.compute, in: &scope)
        if let text = syntax.search { options.search = try search(text, at: offset(of: .search, in: syntax)) }
        if let filter = syntax.filter { options.filter = try boolean(filter, in: scope) }
        options.orderBy = try orderBy(syntax.orderBy, in: scope)
        if let type = scope.type {
            options.select = try select(syntax.select, of: type, in: scope)
            let expanded = try expand(syntax.expand, in: scope)
            options.expand = expanded.items + (options.apply?.expandedNodes(of: type, beside: expanded.items) ?? [])
            options.streams = expanded.streams
        } else if syntax.select != nil || !syntax.expand.isEmpty {
            let option: SystemOption = syntax.select == nil ? .expand : .select
            throw error(
                .typeMismatch, "The query option \(option.name) does not apply to values.",
                at: offset(of: option, in: syntax))
        }
        return options
    }

    func offset(of option: SystemOption, in syntax: OptionsSyntax) -> Int {
        syntax.given.first { $0.option == option }?.offset ?? 0
    }

    func search(_ syntax: OptionsSyntax.Search, at offset: Int) throws(QueryError) -> SearchExpression {
        switch syntax {
        case .expression(let expression): return expression
        case .incomplete: throw notImplemented("An incomplete $search", at: offset)
        }
    }

    /// Each item sees the aliases before it, and all later options see all.
    func compute(_ items: [ComputeSyntax], in scope: inout BindingScope) throws(QueryError) -> [ComputeItem] {
        var bound: [ComputeItem] = []
        for item in items {
            let (name, offset) = (item.alias.text, item.alias.offset)
            try checkAlias(name, in: scope, at: offset)
            let value = try expression(item.expression, in: scope)
            bound.append(ComputeItem(expression: value.expression, alias: name, type: value.type))
            scope.computed.append(EdmProperty(name: name, type: value.type ?? .untyped))
        }
        return bound
    }

    /// An alias names nothing that the instances have already.
    ///
    /// [OData-URL, section 5.1.3; OData-Aggregation, section 3.2.1.1]
    func checkAlias(_ name: String, in scope: BindingScope, at offset: Int) throws(QueryError) {
        guard
            scope.type?.property(named: name) != nil || scope.type?.navigationProperty(named: name) != nil
                || scope.computed(named: name) != nil
        else { return }
        throw error(.syntax, "There is a property \(name) already.", at: offset, expected: "another alias")
    }

    func orderBy(_ items: [OptionsSyntax.OrderItem], in scope: BindingScope) throws(QueryError) -> [OrderItem] {
        var bound: [OrderItem] = []
        bound.reserveCapacity(items.count)
        for item in items {
            let expression = try expression(item.expression, in: scope)
            if let type = expression.type, !type.isSortable {
                throw error(
                    .typeMismatch, "Values of \(type) have no order.", at: item.expression.offset,
                    expected: "a primitive value")
            }
            bound.append(OrderItem(expression: expression.expression, isDescending: item.isDescending))
        }
        return bound
    }
}

extension QueryOptions {
    /// Takes the options that need no model.
    fileprivate mutating func takePlain(_ syntax: OptionsSyntax) {
        format = syntax.format
        id = syntax.id
        index = syntax.index
        schemaVersion = syntax.schemaVersion
        skipToken = syntax.skipToken
        deltaToken = syntax.deltaToken
        top = syntax.top
        skip = syntax.skip
        count = syntax.count ?? false
        custom = syntax.custom.map { CustomOption(name: $0.name.text, value: $0.text ?? "") }
    }
}

extension ResourcePath.Root {
    /// Whether what the root names has no declared type.
    fileprivate var isWithoutType: Bool {
        switch self {
        case .crossjoin, .all: true
        case .entitySet, .contentID, .operation: false
        }
    }
}

extension ResourcePath.Segment {
    fileprivate var isKey: Bool {
        if case .key = self { true } else { false }
    }

    fileprivate var isSuffix: Bool {
        switch self {
        case .count, .value, .ref: true
        default: false
        }
    }
}

extension EdmTypeReference {
    fileprivate var isSortable: Bool {
        switch self {
        case .primitive(let type): !type.isGeospatial && type != .stream
        case .enumeration: true
        case .complex, .entity, .collection: false
        }
    }
}
