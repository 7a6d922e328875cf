import ODataModel

/// Follows a path in an expression segment by segment.
struct PropertyPathBinder {
    let binder: Binder
    let scope: BindingScope
    /// From a variable; after a subject only its steps count.
    private(set) var path: PropertyPath
    /// What the steps are applied to where it is not a variable: the result of a function, the value of an alias.
    private var subject: QueryExpression?
    private(set) var type: EdmTypeReference?
    private var set: EdmEntitySet?
    private var complex = ComplexPath()
    /// The start of a property's name that is a path itself, as `groupby` makes them.
    private var prefix = ""
    private var end: Binder.Typed?

    /// From the instance that the expression is evaluated on.
    init(binder: Binder, scope: BindingScope) {
        self.init(
            binder: binder, scope: scope,
            start: .init(name: "", set: scope.set, structured: scope.type, value: scope.value))
    }

    init(binder: Binder, scope: BindingScope, variable: BindingScope.Variable) {
        self.init(binder: binder, scope: scope, start: variable)
        path.variable = .lambda(variable.name)
    }

    init(binder: Binder, scope: BindingScope, resource: BindingScope.Variable) {
        self.init(binder: binder, scope: scope, start: resource)
        path.variable = .resource
    }

    /// From the node of a group, by the position of its `rolluprecursive`.
    init(binder: Binder, scope: BindingScope, rollupNode position: Int) {
        self.init(binder: binder, scope: scope, start: scope.rollupNodes[position - 1])
        path.variable = .rollupNode(position)
    }

    /// From `$these`.
    init(binder: Binder, collectionOf scope: BindingScope) {
        self.init(binder: binder, scope: scope)
        path.variable = .these
        type = .collection(type ?? .untyped)
    }

    init(binder: Binder, scope: BindingScope, subject: Binder.Typed) {
        self.init(binder: binder, scope: scope, start: .init(name: ""))
        self.subject = subject.expression
        type = subject.type
    }

    private init(binder: Binder, scope: BindingScope, start: BindingScope.Variable) {
        self.binder = binder
        self.scope = scope
        path = PropertyPath(variableSet: start.set, variableType: start.structured, steps: [])
        path.valueType = start.structured == nil ? start.value : nil
        type = start.structured?.reference ?? start.value
        set = start.set
    }

    func result() throws(QueryError) -> Binder.Typed {
        guard prefix.isEmpty else {
            throw binder.error(
                .unknownName, "There is no property \(prefix.dropLast()) here.", at: 0,
                expected: structured?.properties.map(\.name).first { $0.hasPrefix(prefix) })
        }
        if let end { return end }
        guard let subject else { return (.path(path), type) }
        return (path.steps.isEmpty ? subject : .member(subject, path.steps), type)
    }

    private var structured: EdmStructuredType? {
        if subject == nil, path.steps.isEmpty, let own = path.variableType { return own }
        return binder.structuredType(type)
    }

    mutating func follow(_ segment: SegmentSyntax) throws(QueryError) {
        guard end == nil else {
            throw binder.error(.syntax, "Nothing can follow here.", at: segment.name.offset)
        }
        if case .operation(let call, _)? = subject, path.steps.isEmpty {
            try binder.checkComposable(call, at: segment.name.offset)
        }
        switch segment.kind {
        case .name: try name(segment)
        case .annotation: step(.annotation("@" + segment.name.text), .untyped)
        case .count(let options): try count(options, at: segment)
        case .filter(let predicate):
            try filter(predicate, at: segment)
            try keys(segment)
        case .lambda(let operation, let variable, let predicate):
            try lambda(operation, variable, predicate, at: segment)
        case .aggregate(let item): try aggregate(item, at: segment)
        case .text, .ref, .value, .each, .query, .all, .crossjoin, .reference:
            throw binder.error(
                .syntax, "\(segment.name.text) does not stand in an expression.", at: segment.name.offset)
        }
    }

    private mutating func step(_ step: PropertyPath.Step, _ type: EdmTypeReference?) {
        path.steps.append(step)
        self.type = type
    }
}

// MARK: Names

extension PropertyPathBinder {
    private mutating func name(_ segment: SegmentSyntax) throws(QueryError) {
        let name = segment.name
        guard let owner = structured else {
            if path.variable == .it, path.steps.isEmpty, subject == nil, let computed = scope.computed(named: name.text)
            {
                return step(.property(computed), computed.type)
            }
            if try operation(segment) { return }
            if try unboundFunction(segment) { return }
            if type == .untyped { return step(.property(EdmProperty(name: name.text, type: .untyped)), .untyped) }
            throw binder.error(.typeMismatch, "What comes before \(name.text) has no properties.", at: name.offset)
        }
        if name.isQualified {
            if let cast = binder.structuredType(named: name) { return try self.cast(cast, of: owner, at: segment) }
            if try operation(segment) { return }
            if try unboundFunction(segment) { return }
            throw binder.unknown(
                "type or function \(name.text)", name, among: binder.model.derivedTypes(of: owner).map { "\($0.name)" })
        }
        if let navigation = owner.navigationProperty(named: name.text) { return try follow(navigation, segment) }
        if let property = property(name.text, of: owner) {
            try follow(property, at: name)
            return try keys(segment)
        }
        if try operation(segment) { return }
        if try unboundFunction(segment) { return }
        try otherName(name, of: owner)
        try keys(segment)
    }

    /// The property of the instance that has the name, the path up to it included.
    private func property(_ name: String, of owner: EdmStructuredType) -> EdmProperty? {
        if let property = owner.property(named: prefix + name) { return property }
        guard prefix.isEmpty, subject == nil, path.steps.isEmpty, path.variable == .it else {
            return nil
        }
        return scope.computed(named: name)
    }

    private mutating func otherName(_ name: NameSyntax, of owner: EdmStructuredType) throws(QueryError) {
        if owner.properties.contains(where: { $0.name.hasPrefix(prefix + name.text + "/") }) {
            prefix += name.text + "/"
        } else if owner.isOpen {
            step(.property(EdmProperty(name: name.text, type: .untyped)), .untyped)
        } else {
            throw binder.unknownMember(name, of: owner)
        }
    }

    private mutating func follow(_ property: EdmProperty, at name: NameSyntax) throws(QueryError) {
        prefix = ""
        try checkSingle(name)
        complex.follow(property, of: structured)
        step(.property(property), lifted(property.type))
    }

    private mutating func follow(
        _ navigation: EdmNavigationProperty, _ segment: SegmentSyntax
    ) throws(QueryError) {
        try checkSingle(segment.name)
        guard let target = binder.model.target(of: navigation) else {
            throw binder.error(
                .unknownName, "The type \(navigation.target) is not in the model.", at: segment.name.offset)
        }
        let bound = complex.follow(navigation, of: structured, from: set, in: binder.model)
        set = scope.joined[navigation.name] ?? bound
        let reference = navigation.isCollection ? EdmTypeReference.collection(target.reference) : target.reference
        step(.navigation(navigation, set, target), lifted(reference))
        try keys(segment)
    }

    /// `(1)` after a segment: its parentheses from the given one on.
    private mutating func keys(_ segment: SegmentSyntax, after count: Int = 0) throws(QueryError) {
        for parentheses in segment.parentheses.dropFirst(count) { try key(parentheses) }
    }

    private mutating func key(_ syntax: ParenthesesSyntax) throws(QueryError) {
        guard type?.isCollection == true, let target = structured, target.kind == .entity else {
            throw binder.error(.typeMismatch, "Only a collection of entities takes a key.", at: syntax.offset)
        }
        step(.key(try binder.key(syntax, of: target, along: path.keyedNavigation)), target.reference)
    }

    private mutating func cast(
        _ cast: EdmStructuredType, of owner: EdmStructuredType, at segment: SegmentSyntax
    ) throws(QueryError) {
        let cast = try binder.checkedCast(cast, of: owner, at: segment.name.offset)
        step(.cast(cast), type?.isCollection == true ? .collection(cast.reference) : cast.reference)
        try keys(segment)
    }

    /// A function bound to what comes before; false if there is none of the name.
    private mutating func operation(_ segment: SegmentSyntax) throws(QueryError) -> Bool {
        let subject = Binder.Subject(type: type, set: set)
        let overloads = binder.operations(named: segment.name, on: subject).filter { $0.kind == .function }
        guard !overloads.isEmpty else { return false }
        let call = try binder.call(segment, overloads: overloads, on: subject, importing: nil, in: scope)
        let isInstance = isAtStart
        let inner = try result().expression
        try appendCall(.operation(call, on: isInstance ? nil : inner), of: call, segment)
        return true
    }

    /// `Model.Tax(of=Price)`: a function that is bound to nothing; false if there is none of the name.
    ///
    /// [OData-Protocol, section 11.5.4.1]
    private mutating func unboundFunction(_ segment: SegmentSyntax) throws(QueryError) -> Bool {
        guard isAtStart, !segment.parentheses.isEmpty else { return false }
        let overloads = binder.unboundFunctions(named: segment.name)
        guard !overloads.isEmpty else { return false }
        let call = try binder.call(segment, overloads: overloads, on: .init(), importing: nil, in: scope)
        try appendCall(.operation(call, on: nil), of: call, segment)
        return true
    }

    /// Whether nothing comes before.
    private var isAtStart: Bool { subject == nil && path.steps.isEmpty && path.variable == .it && prefix.isEmpty }

    /// Continues from the result of a function.
    private mutating func appendCall(
        _ result: QueryExpression, of call: OperationCall, _ segment: SegmentSyntax
    ) throws(QueryError) {
        subject = result
        path.steps = []
        type = call.operation.result?.type
        set = call.entitySet
        guard let key = segment.parentheses.dropFirst().first else { return }
        try binder.checkComposable(call, at: key.offset)
        try keys(segment, after: 1)
    }

    /// `type` as a collection where the path has led through one.
    private func lifted(_ type: EdmTypeReference) -> EdmTypeReference {
        self.type?.isCollection == true && !type.isCollection ? .collection(type) : type
    }

    private func checkSingle(_ name: NameSyntax) throws(QueryError) {
        guard type?.isCollection == true, !scope.leadsThroughCollections else { return }
        throw binder.error(
            .typeMismatch, "A path cannot lead through a collection.", at: name.offset,
            expected: "any(…), all(…) or $count")
    }
}

// MARK: Collections

extension PropertyPathBinder {
    private func element(at segment: SegmentSyntax) throws(QueryError) -> EdmTypeReference {
        if let element = type?.element { return element }
        if type == .untyped { return .untyped }
        throw binder.error(
            .typeMismatch, "What comes before \(segment.name.text) is not a collection.", at: segment.name.offset)
    }

    /// Whether the members are those of `$these`, which may have a type that `$apply` made.
    private var isCurrent: Bool {
        path.variable == .these && path.steps.allSatisfy { if case .filter = $0 { true } else { false } }
    }

    /// The scope of what is said about the members of the collection.
    private func inside(_ element: EdmTypeReference) -> BindingScope {
        let structured = isCurrent ? scope.type : binder.structuredType(element)
        var inner = scope.inside(structured, value: structured == nil ? element : nil, set: set)
        if isCurrent { inner.computed = scope.computed }
        return inner
    }

    /// The path, which must be one from a variable.
    private func variablePath(at segment: SegmentSyntax) throws(QueryError) -> PropertyPath {
        guard subject == nil else {
            throw binder.notImplemented("\(segment.name.text) on what a function gives", at: segment.name.offset)
        }
        return path
    }

    private mutating func count(_ options: OptionsSyntax?, at segment: SegmentSyntax) throws(QueryError) {
        let element = try element(at: segment)
        let path = try variablePath(at: segment)
        var filter: QueryExpression?
        if let options, let predicate = options.filter {
            filter = try binder.inside(options).boolean(predicate, in: inside(element))
        }
        var search: SearchExpression?
        if let text = options?.search { search = try binder.search(text, at: segment.name.offset) }
        end = (.count(path, filter: filter, search: search), .int64)
    }

    private mutating func aggregate(_ item: AggregateSyntax, at segment: SegmentSyntax) throws(QueryError) {
        let element = try element(at: segment)
        let path = try variablePath(at: segment)
        let bound = try binder.aggregation(item, in: inside(element))
        end = (.aggregate(path, bound), bound.type)
    }

    private mutating func filter(_ predicate: ExpressionSyntax, at segment: SegmentSyntax) throws(QueryError) {
        let element = try element(at: segment)
        step(.filter(try binder.boolean(predicate, in: inside(element))), type)
    }

    private mutating func lambda(
        _ operation: LambdaOperator, _ variable: NameSyntax?, _ predicate: ExpressionSyntax?,
        at segment: SegmentSyntax
    ) throws(QueryError) {
        let element = try element(at: segment)
        let path = try variablePath(at: segment)
        guard let variable, let predicate else {
            end = (.lambda(operation, path, variable: "", predicate: nil), .boolean)
            return
        }
        let structured = isCurrent ? scope.type : binder.structuredType(element)
        let inner = scope.adding(
            .init(name: variable.text, set: set, structured: structured, value: structured == nil ? element : nil))
        let bound = try binder.boolean(predicate, in: inner)
        end = (.lambda(operation, path, variable: variable.text, predicate: bound), .boolean)
    }
}
