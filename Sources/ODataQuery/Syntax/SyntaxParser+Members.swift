import ODataModel

/// Paths in expressions, with the lambda or count that may end them.
///
/// [OData-URL, section 5.1.1.13: Lambda Operators]
extension SyntaxParser {
    /// `implicitVariableExpr`: `$it/Name`
    mutating func implicitVariableExpr() throws(QueryError) -> ExpressionSyntax {
        let name = systemName()
        guard name.text == "$it" else { throw notImplemented(name.text, at: name.offset) }
        return try memberExpr(name)
    }

    /// `memberExpr`, `firstMemberExpr`: a path with what may end it.
    mutating func memberExpr(_ first: NameSyntax) throws(QueryError) -> ExpressionSyntax {
        var member = MemberSyntax(names: [first])
        var height = 1
        while member.suffix == nil, take("/") {
            try tally()
            guard !isNext("$") else {
                member.suffix = try countSuffix()
                continue
            }
            guard !isNext("@") else { throw notImplemented("An annotation in a path", at: offset) }
            let name = try name("a property")
            if isNext("(") {
                let lambda = try lambdaExpr(name)
                member.suffix = lambda.suffix
                height += lambda.height
            } else {
                member.names.append(name)
            }
        }
        guard member.names.count <= limits.depth else {
            throw error(.limitExceeded, "The path has more than \(limits.depth) steps.", at: first.offset)
        }
        return try node(.member(member), at: first.offset, over: height - 1)
    }

    /// `/$count`
    private mutating func countSuffix() throws(QueryError) -> MemberSyntax.Suffix {
        let name = systemName()
        guard name.text.lowercased() == "$count" else {
            throw notImplemented("The path segment \(name.text)", at: name.offset)
        }
        guard !isNext("(") else { throw notImplemented("The segment $count with options", at: name.offset) }
        return .count
    }

    /// `anyExpr`, `allExpr`: `any(i:i/Quantity gt 5)`
    private mutating func lambdaExpr(
        _ name: NameSyntax
    ) throws(QueryError) -> (suffix: MemberSyntax.Suffix, height: Int) {
        guard let operation = LambdaOperator(rawValue: name.text.lowercased()) else {
            throw notImplemented("The function or key \(name.text)(…) in a path", at: name.offset)
        }
        try expect("(")
        skipSpace()
        if operation == .any, take(")") { return (.lambda(.any, variable: nil, predicate: nil), 1) }
        let variable = try self.name("a variable, as in \(name.text)(x:x/Name eq 'a')")
        skipSpace()
        try expect(":")
        let predicate = try commonExpr()
        skipSpace()
        try expect(")", "an operator or ')'")
        return (.lambda(operation, variable: variable, predicate: predicate), predicate.height + 1)
    }
}
