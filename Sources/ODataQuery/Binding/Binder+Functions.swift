import ODataModel

/// Calls of canonical functions.
///
/// [OData-URL, sections 5.1.1.4 to 5.1.1.9]
extension Binder {
    func call(
        _ name: NameSyntax, _ arguments: [ExpressionSyntax], in scope: Scope
    ) throws(QueryError) -> Typed {
        let function = try function(name)
        let signature = function.signature
        guard (signature.required...signature.parameters.count).contains(arguments.count) else {
            throw error(
                .typeMismatch, "The function \(function.rawValue) has another number of arguments.", at: name.offset,
                expected: signature.description(of: function))
        }
        var bound: [Typed] = []
        for (argument, parameter) in zip(arguments, signature.parameters) {
            bound.append(try self.argument(argument, parameter, in: scope))
        }
        return (.call(function, bound.map(\.expression)), signature.result(bound.first?.type))
    }

    private func function(_ name: NameSyntax) throws(QueryError) -> CanonicalFunction {
        let word = name.text.lowercased()
        if let function = CanonicalFunction(rawValue: name.text) ?? .named(word) { return function }
        if name.isQualified || CanonicalFunction.unsupported.contains(word) {
            throw notImplemented("The function \(name.text)", at: name.offset)
        }
        throw unknown("function \(name.text)", name, among: CanonicalFunction.allCases.map(\.rawValue))
    }

    private func argument(
        _ syntax: ExpressionSyntax, _ parameter: FunctionSignature.Parameter, in scope: Scope
    ) throws(QueryError) -> Typed {
        let bound = try expression(syntax, in: scope)
        guard let type = bound.type else { return bound }
        if case .literal(let value, _) = bound.expression, parameter == .number, type.primitive?.integerRange != nil,
            let decimal = coerced(value, to: .decimal)
        {
            return (.literal(decimal, .decimal), .decimal)
        }
        guard let primitive = type.primitive, parameter.accepts(primitive) else {
            throw mismatch("The argument is of type \(describe(type)).", syntax, expected: parameter.description)
        }
        return bound
    }
}
