import ODataModel

/// Paths inside expressions.
///
/// [OData-URL, sections 5.1.1.13 to 5.1.1.15]
extension Binder {
    func member(_ syntax: PathSyntax, in scope: Scope) throws(QueryError) -> Typed {
        let walked = try path(syntax, in: scope)
        let type = walked.path.type
        switch syntax.segments.last?.kind {
        case .count(let options):
            guard options == nil else {
                throw notImplemented("The segment $count with options", at: syntax.offset)
            }
            guard type?.isCollection == true else { throw notCollection(syntax) }
            return (.count(walked.path), .int64)
        case .lambda(let operation, let variable, let predicate):
            guard type?.isCollection == true else { throw notCollection(syntax) }
            guard let variable, let predicate else {
                return (.lambda(operation, walked.path, variable: "", predicate: nil), .boolean)
            }
            guard !variable.isQualified else {
                throw error(.syntax, "A variable has no dots.", at: variable.offset)
            }
            let inner = scope.adding(lambdaVariable(variable.text, over: type, set: walked.set))
            let bound = try boolean(predicate, in: inner)
            return (.lambda(operation, walked.path, variable: variable.text, predicate: bound), .boolean)
        default: return (.path(walked.path), type)
        }
    }

    /// The structured type that `type` refers to, or is a collection of.
    func structuredType(_ type: TypeReference?) -> StructuredType? {
        switch type {
        case .entity(let name), .complex(let name): model.structuredType(named: name)
        case .collection(let element): structuredType(element)
        default: nil
        }
    }

    private func lambdaVariable(_ name: String, over type: TypeReference?, set: EntitySet?) -> Scope.Variable {
        guard case .collection(let element) = type else { return .init(name: name) }
        let structured = structuredType(element)
        return .init(name: name, set: set, structured: structured, value: structured == nil ? element : nil)
    }

    // MARK: Steps

    private func path(
        _ syntax: PathSyntax, in scope: Scope
    ) throws(QueryError) -> (path: PropertyPath, set: EntitySet?) {
        var names = try plainNames(syntax)[...]
        var path = try start(syntax, &names, in: scope)
        var type = path.variableType
        var set = path.variableSet
        for (index, name) in zip(names.indices, names) {
            guard let current = type else {
                throw error(.typeMismatch, "What comes before \(name.text) has no properties.", at: name.offset)
            }
            if index > names.startIndex, path.type?.isCollection == true { throw insideCollection(name) }
            let step = try step(name, from: current, set: &set)
            path.steps.append(step)
            type = structuredType(path.type)
        }
        return (path, set)
    }

    /// The names of a path that has nothing else, but for what may end it.
    private func plainNames(_ syntax: PathSyntax) throws(QueryError) -> [NameSyntax] {
        var names: [NameSyntax] = []
        for (index, segment) in syntax.segments.enumerated() {
            switch segment.kind {
            case .name where segment.parentheses.isEmpty: names.append(segment.name)
            case .count, .lambda: if index + 1 == syntax.segments.count { continue }
            default: break
            }
            guard names.count > index else {
                throw notImplemented("The segment \(segment.name.text) in a path", at: segment.name.offset)
            }
        }
        return names
    }

    private func start(
        _ syntax: PathSyntax, _ names: inout ArraySlice<NameSyntax>, in scope: Scope
    ) throws(QueryError) -> PropertyPath {
        let root = PropertyPath(variableSet: scope.set, variableType: scope.type, steps: [])
        switch syntax.start {
        case .relative: break
        case .it:
            guard !scope.isExpanded else { throw notImplemented("$it inside $expand", at: syntax.offset) }
            return root
        case .alias: throw notImplemented("A parameter alias", at: syntax.offset)
        case .this, .these, .root:
            throw notImplemented("\(source.found(at: syntax.offset + 1)) in a path", at: syntax.offset)
        }
        guard let first = names.first else { return root }
        guard let variable = scope.variable(named: first.text) else { return root }
        names = names.dropFirst()
        var path = PropertyPath(
            variable: .lambda(variable.name), variableSet: variable.set, variableType: variable.structured, steps: [])
        path.valueType = variable.value
        return path
    }

    private func step(
        _ name: NameSyntax, from type: StructuredType, set: inout EntitySet?
    ) throws(QueryError) -> PropertyPath.Step {
        if let property = type.property(named: name.text) { return .property(property) }
        guard let navigation = type.navigationProperty(named: name.text), let target = model.target(of: navigation)
        else { throw unknownMember(name, of: type) }
        set = model.targetSet(of: navigation, from: set)
        return .navigation(navigation, set, target)
    }

    // MARK: Errors

    private func insideCollection(_ name: NameSyntax) -> QueryError {
        error(
            .typeMismatch, "A path cannot lead through a collection.", at: name.offset,
            expected: "any(…), all(…) or $count")
    }

    private func notCollection(_ syntax: PathSyntax) -> QueryError {
        let name = syntax.segments.dropLast().last?.name ?? NameSyntax(text: "", offset: syntax.offset)
        return error(.typeMismatch, "\(name.text) is not a collection.", at: name.offset)
    }
}
