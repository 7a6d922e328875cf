import ODataModel
import ODataQuery

/// Translates a property path to SQL, step by step.
struct PropertyPathTranslator {
    let translator: ExpressionTranslator
    private(set) var place: ExpressionPlace
    /// The type that the current entity is cast to.
    private(set) var castType: EdmStructuredType?
    /// The conditions of casts along the path; the value is null if one does not hold.
    var guards: [SQLFragment] = []
    /// The collection whose single member the rest of the path starts at; the path becomes a subquery over it.
    private var source: CollectionMembers?
    /// The properties that were followed from the members of a collection to a nested collection.
    private var inner: [PropertyPath.Step] = []
    /// Whether the value is false, and not null, if there is no row at the end.
    private var isFalseOfNothing = false

    init(_ translator: ExpressionTranslator, from place: ExpressionPlace) {
        self.translator = translator
        self.place = place
    }

    /// Sets the position to a value.
    mutating func setValue(_ term: Term) { place = .value(term) }

    /// Sets the position back to an entity of the path.
    mutating func restart(at scope: TableScope) { place = .entity(scope) }

    /// Sets the position to the result of a function about a row.
    mutating func setValue(_ function: RowFunction, of scope: TableScope, type: EdmTypeReference?) {
        setValue(function.term(scope, type: type))
        isFalseOfNothing = function.isFalseOfNothing
    }

    mutating func follow(_ steps: some Sequence<PropertyPath.Step>) throws {
        for step in steps { try follow(step) }
    }

    private mutating func follow(_ step: PropertyPath.Step) throws {
        if step.property == nil { try checkMembers() }
        switch step {
        case .property(let property): try follow(property)
        case .navigation(let navigation, _, _): try follow(navigation)
        case .cast(let type): try cast(to: type)
        case .key(let key): try choose(key)
        case .filter(let expression): try filter(expression)
        case .annotation(let name): try follow(annotation: String(name.dropFirst()))
        }
    }

    private mutating func follow(_ property: EdmProperty) throws {
        switch place {
        case .entity(let scope): place = .properties(scope, [property])
        case .properties(let scope, let properties): place = .properties(scope, properties + [property])
        case .json(let root, let names, _): place = .json(root, names + [property.name], property.type)
        case .value(let term): place = .json(term.sql, [property.name], property.type)
        case .members(let members):
            inner.append(.property(property))
            guard property.type.isCollection else { return }
            let path = PropertyPath(variableSet: nil, variableType: nil, steps: inner)
            let values = try translator.inside(members).members(of: path)
            place = .members(
                CollectionMembers(
                    tables: members.tables + " CROSS JOIN " + values.tables,
                    conditions: members.conditions + values.conditions, variable: values.variable))
            inner = []
        }
    }

    /// A property of all members is neither a value nor a collection, unless each member has a nested collection.
    private func checkMembers() throws {
        guard let property = inner.first?.property else { return }
        throw ExpressionTranslator.unsupported("\(property.name) of a collection")
    }

    private mutating func follow(_ navigation: EdmNavigationProperty) throws {
        defer { castType = nil }
        switch place {
        case .entity(let scope): place = try related(navigation, under: [], from: scope)
        case .properties(let scope, let properties): place = try related(navigation, under: properties, from: scope)
        case .members(let members):
            guard case .entity(let scope) = members.variable else {
                throw ExpressionTranslator.unsupported("the navigation property \(navigation.name) of a value")
            }
            let (mapping, target) = try scope.context.target(of: navigation, from: scope, as: castType)
            let join = try NavigationJoin(mapping, from: scope, to: target)
            place = .members(
                CollectionMembers(
                    tables: members.tables + " JOIN " + join.tables,
                    conditions: members.conditions + join.conditions, variable: .entity(target)))
        default: throw ExpressionTranslator.unsupported("the navigation property \(navigation.name) of a value")
        }
    }

    private func related(
        _ navigation: EdmNavigationProperty, under prefix: [EdmProperty], from scope: TableScope
    ) throws -> ExpressionPlace {
        guard navigation.isCollection else {
            return .entity(try scope.joining(navigation, under: prefix, as: castType))
        }
        let (mapping, target) = try scope.context.target(
            of: navigation, under: prefix, from: scope, as: castType)
        let join = try NavigationJoin(mapping, from: scope, to: target)
        var members = CollectionMembers(
            tables: join.tables, conditions: guards + join.conditions, variable: .entity(target))
        if guards.isEmpty { members.lookup = join.lookup.map { ($0, members.conditions.count) } }
        return .members(members)
    }

    // MARK: Casts

    private mutating func cast(to type: EdmStructuredType) throws {
        switch place {
        case .entity(let scope):
            if let condition = scope.condition(forType: type) { guards.append(condition) }
            castType = type
        case .properties(let scope, let properties):
            guard let declared = properties.last?.type, !translator.isKind(declared, of: type) else { return }
            guard !declared.isCollection else { return try castMembers(to: type) }
            let value = try translator.term(properties, of: scope)
            if let condition = translator.condition(json: value.sql, isKindOf: type) { guards.append(condition) }
        case .json(let root, let names, let declared):
            guard !translator.isKind(declared, of: type) else { return }
            guard !declared.isCollection else { return try castMembers(to: type) }
            let value = names.isEmpty ? root : root.extracting(names)
            if let condition = translator.condition(json: value, isKindOf: type) { guards.append(condition) }
        case .members(var members):
            switch members.variable {
            case .entity(let scope):
                if let condition = scope.condition(forType: type) { members.conditions.append(condition) }
                castType = type
            case .element(let alias, let declared) where !translator.isKind(declared, of: type):
                let value = SQLFragment.column(alias, "value")
                members.conditions.append(translator.condition(json: value, isKindOf: type) ?? "1")
            case .element: break
            }
            place = .members(members)
        case .value: throw ExpressionTranslator.unsupported("a cast to \(type.name) here")
        }
    }
}

// MARK: Keys and filters

extension PropertyPathTranslator {
    /// Restricts a collection of complex values to the members of a type.
    private mutating func castMembers(to type: EdmStructuredType) throws {
        place = .members(try ownCollection())
        guards = []
        try follow([.cast(type)])
    }

    /// Continues at the one member with `key`.
    private mutating func choose(_ key: EntityKey) throws {
        guard case .members(let members) = place, case .entity(let scope) = members.variable else {
            throw ExpressionTranslator.unsupported("a key after what is not a collection of entities")
        }
        start(at: members, where: try key.conditions(on: scope))
    }

    /// Continues at the one member of a collection of entities for which `conditions` hold.
    mutating func start(at members: CollectionMembers, where conditions: [SQLFragment] = []) {
        var members = members
        members.conditions += conditions
        source = merged(members)
        place = members.place
        guards = []
    }

    private mutating func filter(_ expression: QueryExpression) throws {
        var members = try open()
        members.conditions.append(try translator.inside(members).condition(expression))
        place = .members(members)
    }

    /// Sets the position to the members of the current collection.
    mutating func open() throws -> CollectionMembers {
        let members = try ownCollection()
        place = .members(members)
        guards = []
        return members
    }

    /// The members of the current collection.
    func collection() throws -> CollectionMembers { merged(try ownCollection()) }

    private func ownCollection() throws -> CollectionMembers {
        try checkMembers()
        switch place {
        case .members(let members): return members
        case .entity: throw ExpressionTranslator.unsupported("a single entity as a collection")
        case .properties, .json, .value:
            var members = try translator.members(in: try ownTerm())
            members.conditions = guards + members.conditions
            return members
        }
    }

    private func merged(_ members: CollectionMembers) -> CollectionMembers {
        guard let source else { return members }
        return CollectionMembers(
            tables: source.tables + " CROSS JOIN " + members.tables, conditions: source.conditions + members.conditions,
            variable: members.variable)
    }

    /// `condition`, inside the subquery if the path starts at one member of a collection.
    func enclosed(_ condition: SQLFragment) -> SQLFragment {
        guard let source else { return condition.parenthesised }
        return .exists(in: source.tables, where: source.conditions + [condition])
    }

    /// The value at the end of the path.
    func term() throws -> Term {
        var term = try ownTerm().guarded(by: guards)
        if let source {
            let statement = SelectStatement([term.sql], tables: source.tables, where: source.conditions)
            term.sql = "(" + statement.sql + " LIMIT 1)"
            term.isNullable = true
            term.literal = nil
            term.isColumn = false
        }
        if isFalseOfNothing { term.sql = .call("coalesce", [term.sql, "0"]) }
        return term
    }

    private func ownTerm() throws -> Term {
        try checkMembers()
        switch place {
        case .entity(let scope): return try translator.entity(scope)
        case .properties(let scope, let properties): return try translator.term(properties, of: scope)
        case .json(let root, let names, let type): return try translator.json(root, names, type: type)
        case .value(let term): return term
        case .members(let members): return try translator.list(members)
        }
    }
}
