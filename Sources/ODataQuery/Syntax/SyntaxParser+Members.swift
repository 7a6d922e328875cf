import ODataModel

/// Paths in expressions.
///
/// [OData-ABNF, section 4: `firstMemberExpr`, `rootExpr`, `propertyPathExpr` and the rules below them]
extension SyntaxParser {
    /// `implicitVariableExpr`, `rootExpr`, `currCollectionExpr`: `$it/Name`, `$root/Products(1)/Name`
    package mutating func implicitVariableExpr() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        let name = systemName()
        switch name.text {
        case "$it": return try path(.it, at: start)
        case "$this": return try path(.this, at: start)
        case "$these":
            guard isNext("/") else { throw unexpected("'/' and what is to be known of the input set") }
            return try path(.these, at: start)
        case "$root":
            guard isNext("/") else { throw unexpected("'/' and an entity set or singleton") }
            return try path(.root, at: start)
        default: return try unexpectedVariable(start)
        }
    }

    private mutating func unexpectedVariable(_ start: Int) throws(QueryError) -> ExpressionSyntax {
        offset = start
        throw unexpected("$it, $this, $these or $root")
    }

    /// `parameterAlias` or an annotation: `@p`, `@p/Name`, `@Core.Messages/$count`
    package mutating func aliasExpr() throws(QueryError) -> ExpressionSyntax {
        let start = offset
        let name = try annotationSign()
        if name.isQualified || name.text.utf8.contains(UInt8(ascii: "#")) {
            return try path(.relative, from: [SegmentSyntax(name: name, kind: .annotation)], at: start)
        }
        return try path(.alias(name), at: start)
    }

    /// `annotationInQuery`: `@Core.Messages`
    package mutating func annotationSign() throws(QueryError) -> NameSyntax {
        try expect("@")
        return try annotationName()
    }

    /// `memberExpr`: a path that starts with a name.
    package mutating func firstMemberExpr() throws(QueryError) -> ExpressionSyntax {
        if let call = try subjectCallExpr() { return call }
        let start = offset
        var height = 0
        let first = [try pathSegment(isFirst: true, &height)]
        return try path(.relative, from: first, at: start, height: height)
    }

    /// `sap.islocal(Customer)`, which SAP's stores take for `Customer/sap.islocal()`: the call of a bound function with
    /// what it is bound to as its argument. Nil (and nothing taken) if there is something else.
    private mutating func subjectCallExpr() throws(QueryError) -> ExpressionSyntax? {
        let stop = nameEnd(from: offset)
        guard !isStrict, stop < end, source.text[stop] == UInt8(ascii: "(") else { return nil }
        let name = NameSyntax(text: source.string(offset..<stop), offset: offset)
        guard name.isQualified, !name.text.hasPrefix("geo.") else { return nil }
        var ahead = self
        ahead.offset = stop + 1
        ahead.skipSpace()
        guard !ahead.isNext(")"), !ahead.isNext("@"), !ahead.isNamed() else { return nil }
        try ahead.enter()
        guard let subject = try? ahead.operand(), case .path(var path) = subject.kind else { return nil }
        ahead.skipSpace()
        guard ahead.consume(")") else { return nil }
        ahead.leave()
        let parentheses = ParenthesesSyntax(content: .empty, offset: stop)
        path.segments.append(SegmentSyntax(name: name, kind: .name, parentheses: [parentheses]))
        self = ahead
        return try node(.path(path), at: name.offset, over: subject.height)
    }

    /// What follows the start of a path.
    package mutating func path(
        _ root: consuming PathSyntax.Start, from segments: consuming [SegmentSyntax] = [], at start: Int,
        height: Int = 0
    ) throws(QueryError) -> ExpressionSyntax {
        var height = height
        while isNext("/"), try mayContinue(segments.last) {
            offset += 1
            try tally()
            segments.append(try pathSegment(isFirst: false, &height))
        }
        guard segments.count <= limits.depth else {
            throw error(.limitExceeded, "The path has more than \(limits.depth) steps.", at: start)
        }
        return try node(.path(PathSyntax(start: root, segments: segments, offset: start)), at: start, over: height)
    }

    /// Nothing follows `$count`, `any`, `all` and `aggregate`.
    private func mayContinue(_ last: SegmentSyntax?) throws(QueryError) -> Bool {
        switch last?.kind {
        case .count, .lambda, .aggregate: false
        default: true
        }
    }

    private mutating func pathSegment(isFirst: Bool, _ height: inout Int) throws(QueryError) -> SegmentSyntax {
        switch peek() {
        case UInt8(ascii: "$"): return try systemSegment(&height)
        case UInt8(ascii: "@"): return SegmentSyntax(name: try annotationSign(), kind: .annotation)
        case let byte? where !isFirst && ODataQuery.isDigit(byte): return keySegment()
        default: break
        }
        let name = try name(isFirst ? "an expression" : "a property")
        guard isNext("(") else { return SegmentSyntax(name: name, kind: .name) }
        if !isFirst || name.text == "aggregate" {
            switch name.text {
            case "any", "all": return try lambdaExpr(name, &height)
            case "aggregate": return try aggregateFunction(name, &height)
            default: break
            }
            if let lambda = LambdaOperator(rawValue: name.text.lowercased()) {
                return try lambdaExpr(NameSyntax(text: lambda.rawValue, offset: name.offset), &height)
            }
        } else if name.text == "any" || name.text == "all" {
            throw error(
                .syntax, "\(name.text) needs a path before it.", at: name.offset, expected: "Items/\(name.text)(…)")
        }
        var segment = SegmentSyntax(name: name, kind: .name)
        while isNext("(") { segment.parentheses.append(try parentheses(of: name, isFirst: isFirst, &height)) }
        return segment
    }

    /// `Employees/1`
    private mutating func keySegment() -> SegmentSyntax {
        let start = offset
        while let byte = peek(), isIdentifierByte(byte) || ODataQuery.isDigit(byte) || byte == UInt8(ascii: "-") {
            offset += 1
        }
        return SegmentSyntax(name: NameSyntax(text: source.string(start..<offset), offset: start), kind: .text)
    }

    /// `/$count`, `/$filter(…)`
    private mutating func systemSegment(_ height: inout Int) throws(QueryError) -> SegmentSyntax {
        let start = offset
        let name = systemName()
        switch name.text {
        case "$count":
            guard isNext("(") else { return SegmentSyntax(name: name, kind: .count(nil)) }
            let options = try nestedOptions(ExpandItem.Form.count)
            height = max(height, options.filter?.height ?? 0)
            return SegmentSyntax(name: name, kind: .count(options))
        case "$filter":
            let filter = try parenthesized("an expression in parentheses")
            height = max(height, filter.height)
            var segment = SegmentSyntax(name: name, kind: .filter(filter))
            while isNext("(") { segment.parentheses.append(try parentheses(of: name, isFirst: false, &height)) }
            return segment
        default:
            offset = start
            throw unexpected("a property, $count or $filter(…)")
        }
    }

    /// `(` an expression `)`
    mutating func parenthesized(_ expected: String) throws(QueryError) -> ExpressionSyntax {
        try expect("(", expected)
        skipLooseSpace()
        let inner = try commonExpr()
        skipLooseSpace()
        try expect(")", "an operator or ')'")
        return inner
    }

    /// `anyExpr`, `allExpr`: `any(i:i/Quantity gt 5)`
    package mutating func lambdaExpr(_ name: NameSyntax, _ height: inout Int) throws(QueryError) -> SegmentSyntax {
        let operation: LambdaOperator = name.text == "all" ? .all : .any
        try expect("(")
        skipSpace()
        if operation == .any, consume(")") {
            return SegmentSyntax(name: name, kind: .lambda(.any, variable: nil, predicate: nil))
        }
        let variable = try identifier("a variable, as in \(name.text)(x:x/Name eq 'a')")
        skipSpace()
        try expect(":")
        skipSpace()
        let predicate = try commonExpr()
        skipSpace()
        try expect(")", "an operator or ')'")
        height = max(height, predicate.height)
        return SegmentSyntax(name: name, kind: .lambda(operation, variable: variable, predicate: predicate))
    }

    /// `aggregate(Amount with sum)`
    private mutating func aggregateFunction(_ name: NameSyntax, _ height: inout Int) throws(QueryError) -> SegmentSyntax
    {
        try expect("(")
        skipSpace()
        let aggregate = try aggregateExpr(needsAlias: false)
        skipSpace()
        try expect(")", "')'")
        height = max(height, aggregate.expression.height)
        return SegmentSyntax(name: name, kind: .aggregate(aggregate))
    }
}
