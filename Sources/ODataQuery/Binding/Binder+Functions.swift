import ODataModel

/// Calls of canonical functions.
///
/// [OData-URL, sections 5.1.1.4 to 5.1.1.11]
extension Binder {
    func call(
        _ name: NameSyntax, _ arguments: [ExpressionSyntax], in scope: BindingScope
    ) throws(QueryError) -> Typed {
        let function = try function(name)
        let signature = function.signature
        guard (signature.required...signature.parameters.count).contains(arguments.count) else {
            throw error(
                .typeMismatch, "The function \(function.rawValue) has another number of arguments.", at: name.offset,
                expected: signature.description(of: function))
        }
        var bound: [Typed] = []
        bound.reserveCapacity(arguments.count)
        for (argument, parameter) in zip(arguments, signature.parameters) {
            bound.append(try self.argument(argument, parameter, after: bound.first?.type, in: scope))
        }
        return (.call(function, bound.map(\.expression)), signature.result(bound.first?.type))
    }

    private func function(_ name: NameSyntax) throws(QueryError) -> CanonicalFunction {
        if let function = CanonicalFunction(rawValue: name.text) ?? .named(name.text.lowercased()) { return function }
        throw unknown("function \(name.text)", name, among: CanonicalFunction.version4.map(\.rawValue))
    }

    private func argument(
        _ syntax: ExpressionSyntax, _ parameter: FunctionSignature.Parameter, after first: EdmTypeReference?,
        in scope: BindingScope
    ) throws(QueryError) -> Typed {
        let bound =
            parameter == .collection
            ? try expression(syntax, in: scope.throughCollections) : try expression(syntax, in: scope)
        guard let type = bound.type else { return bound }
        if case .literal(let value, _) = bound.expression, parameter == .number, type.primitive?.integerRange != nil,
            let decimal = coerced(value, to: .decimal)
        {
            return (.literal(decimal, .decimal), .decimal)
        }
        // The second argument goes with the first: a string with a string.
        let accepted: FunctionSignature.Parameter =
            switch parameter {
            case .member where first?.isCollection != true: .string
            case .text where first == .string: .string
            case .text where first?.isCollection == true: .collection
            default: parameter
            }
        guard accepted.accepts(type), !bound.expression.isObject || parameter.acceptsObjects(after: first) else {
            throw mismatch("The argument is of type \(describe(type)).", syntax, expected: accepted.description)
        }
        guard !isOtherSpace(first, type) else {
            throw mismatch(
                "The argument is of type \(describe(type)).", syntax, expected: "one as the first, \(describe(first))")
        }
        return bound
    }
}
