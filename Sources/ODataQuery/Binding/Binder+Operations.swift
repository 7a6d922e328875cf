import ODataModel

/// Calls of functions and actions of the model.
///
/// [OData-URL, sections 4.4 and 5.1.1.12; OData-Protocol, section 11.5]
extension Binder {
    /// What a call is bound to.
    struct Subject {
        var type: EdmTypeReference?
        var set: EdmEntitySet?
    }

    /// The overloads of the operations with a name, qualified or not.
    private func operations(named name: NameSyntax) -> [EdmOperationDeclaration] {
        guard !name.isQualified else { return model.operations(named: resolved(EdmQualifiedName(name.text))) }
        return model.schemas.flatMap { schema in
            model.operations(named: EdmQualifiedName(namespace: schema.namespace, name: name.text))
        }
    }

    /// The overloads of the bound operations with a name, qualified or not, that `subject` can be bound to.
    func operations(named name: NameSyntax, on subject: Subject) -> [EdmOperationDeclaration] {
        operations(named: name).filter { operation in
            guard operation.isBound, let wanted = operation.bindingType, let type = subject.type else { return false }
            return isBindable(type, to: wanted)
        }
    }

    /// The overloads of the functions with a name, qualified or not, that are bound to nothing.
    func unboundFunctions(named name: NameSyntax) -> [EdmOperationDeclaration] {
        operations(named: name).filter { !$0.isBound && $0.kind == .function }
    }

    /// Those imported from V2, which does not have it, can be followed by what fits.
    ///
    /// - Throws: If nothing may follow the call in a path.
    func checkComposable(_ call: OperationCall, at offset: Int) throws(QueryError) {
        let operation = call.operation
        guard operation.kind == .function, !operation.isComposable,
            call.importName.flatMap({ model.operationImport(named: $0) })?.httpMethod == nil
        else { return }
        throw error(
            .syntax, "The function \(operation.name) is not composable: nothing can follow its call.", at: offset)
    }

    private func isBindable(_ type: EdmTypeReference, to wanted: EdmTypeReference) -> Bool {
        switch (type, wanted) {
        case (.collection(let type), .collection(let wanted)): return isBindable(type, to: wanted)
        case (.collection, _), (_, .collection): return false
        default: break
        }
        if type == wanted || wanted == .untyped || type == .untyped { return true }
        if wanted == .entity(EdmQualifiedName(namespace: "Edm", name: "EntityType")) {
            if case .entity = type { return true }
        }
        guard let type = structuredType(type), let wanted = structuredType(wanted) else { return false }
        return type.isKind(of: wanted)
    }

    /// The call of the overload that fits the arguments.
    func call(
        _ segment: SegmentSyntax, overloads: [EdmOperationDeclaration], on subject: Subject,
        importing declared: EdmOperationImport?,
        in scope: BindingScope
    ) throws(QueryError) -> OperationCall {
        let arguments = try arguments(of: segment, overloads: overloads)
        let given = Set(arguments.map(\.name.text))
        guard let operation = overload(in: overloads, given: given, on: subject) else {
            throw misfit(segment, overloads)
        }
        if operation.kind == .action, let first = arguments.first {
            throw error(.syntax, "The parameters of an action go into the body.", at: first.name.offset)
        }
        var bound: [OperationCall.Argument] = []
        for parameter in operation.arguments {
            guard let argument = arguments.first(where: { $0.name.text == parameter.name }) else { continue }
            bound.append(.init(name: parameter.name, value: try value(of: argument, for: parameter, in: scope)))
        }
        return OperationCall(
            operation, importName: declared?.name, arguments: bound,
            entitySet: resultSet(of: operation, importing: declared, on: subject))
    }

    /// The most specific binding type wins, then the overload with the fewest parameters that are not given.
    private func overload(in overloads: [EdmOperationDeclaration], given: Set<String>, on subject: Subject)
        -> EdmOperationDeclaration?
    {
        let fitting = overloads.filter { operation in
            if operation.kind == .action { return true }
            let names = Set(operation.arguments.map(\.name))
            let required = Set(operation.arguments.filter { !$0.isOptional }.map(\.name))
            return given.isSubset(of: names) && required.isSubset(of: given)
        }
        func rank(_ operation: EdmOperationDeclaration) -> (Int, Int) {
            let depth = structuredType(operation.bindingType)?.lineage.count ?? 0
            return (-depth, operation.arguments.count)
        }
        return fitting.min { rank($0) < rank($1) }
    }

    private func misfit(_ segment: SegmentSyntax, _ overloads: [EdmOperationDeclaration]) -> QueryError {
        let forms = overloads.prefix(4).map { operation in
            "\(segment.name.text)(" + operation.arguments.map { "\($0.name)=…" }.joined(separator: ",") + ")"
        }
        return error(
            .unknownName, "No overload of \(segment.name.text) takes these parameters.", at: segment.name.offset,
            expected: forms.joined(separator: " or "))
    }

    /// The named arguments in the first parentheses, or in query options of the same name.
    func arguments(
        of segment: SegmentSyntax, overloads: [EdmOperationDeclaration]
    ) throws(QueryError) -> [ArgumentSyntax] {
        switch segment.parentheses.first?.content {
        case nil: return try implicitArguments(overloads)
        case .empty: return []
        case .named(let arguments):
            for (index, argument) in arguments.enumerated()
            where arguments[..<index].contains(where: { $0.name == argument.name }) {
                throw error(.syntax, "The parameter \(argument.name.text) is given twice.", at: argument.name.offset)
            }
            return arguments
        case .single(let value):
            throw error(.syntax, "Parameters have names.", at: value.offset, expected: "a name and '='")
        }
    }

    /// `Top?count=3`, `Top?@count=3`
    ///
    /// [OData-Protocol, section 11.5.4.1.1: Inline Parameter Syntax]
    private func implicitArguments(_ overloads: [EdmOperationDeclaration]) throws(QueryError) -> [ArgumentSyntax] {
        let names = Set(overloads.filter { $0.kind == .function }.flatMap { $0.arguments.map(\.name) })
        var arguments: [ArgumentSyntax] = []
        for option in custom where names.contains(option.name.text) {
            guard let range = option.value else { continue }
            let value = try source.reading(range) { source throws(QueryError) in
                try SyntaxParser.parameterValue(range, of: source, limits: limits)
            }.result
            arguments.append(ArgumentSyntax(name: option.name, value: value))
        }
        for name in names.sorted() where !arguments.contains(where: { $0.name.text == name }) {
            guard let offset = value(ofAlias: name)?.syntax.offset else { continue }
            let name = NameSyntax(text: name, offset: offset)
            let path = PathSyntax(start: .alias(name), segments: [], offset: offset)
            arguments.append(
                ArgumentSyntax(name: name, value: ExpressionSyntax(kind: .path(path), offset: offset, height: 1)))
        }
        return arguments
    }

    private func value(
        of argument: ArgumentSyntax, for parameter: EdmOperationDeclaration.Parameter, in scope: BindingScope
    ) throws(QueryError) -> QueryExpression {
        let bound = try expression(argument.value, in: scope)
        guard case .literal(let value, _) = bound.expression else { return bound.expression }
        if value.isNull {
            guard parameter.isNullable else {
                throw error(
                    .typeMismatch, "The parameter \(parameter.name) cannot be null.", at: argument.value.offset,
                    expected: "a value of \(parameter.type)")
            }
            return .literal(.null, nil)
        }
        guard let converted = coerced(value, to: parameter.type) else {
            throw error(
                .typeMismatch, "The parameter \(parameter.name) has another type.", at: argument.value.offset,
                expected: "a value of \(parameter.type)")
        }
        return .literal(converted, parameter.type)
    }

    /// The set of the entities that an operation gives.
    private func resultSet(
        of operation: EdmOperationDeclaration, importing declared: EdmOperationImport?, on subject: Subject
    ) -> EdmEntitySet? {
        if let name = declared?.entitySet { return model.entitySet(named: name) }
        guard let path = operation.entitySetPath else { return onlySet(of: operation.result?.type) }
        var set = subject.set
        var type = structuredType(subject.type)
        var complex = ComplexPath()
        for name in path.split(separator: "/").dropFirst().map(String.init) {
            if let navigation = type?.navigationProperty(named: name) {
                set = complex.follow(navigation, of: type, from: set, in: model)
                type = model.target(of: navigation)
            } else if let property = type?.property(named: name) {
                complex.follow(property, of: type)
                type = structuredType(property.type)
            } else if name.contains(".") {
                type = model.structuredType(named: EdmQualifiedName(name)) ?? type
            }
        }
        return set
    }

    private func onlySet(of type: EdmTypeReference?) -> EdmEntitySet? {
        guard let type = structuredType(type), type.kind == .entity else { return nil }
        let candidates = model.entitySets.filter { $0.kind == .entitySet && type.isKind(of: $0.type) }
        return candidates.count == 1 ? candidates.first : nil
    }
}
