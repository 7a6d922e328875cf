import ODataModel

/// Resource paths.
///
/// [OData-ABNF, section 2: Resource Path]
extension SyntaxParser {
    /// One segment: `Products`, `Products(1)`, `$count`
    mutating func segment() throws(QueryError) -> SegmentSyntax {
        if isDigit() || isNext("-") || isNext("'") { throw notImplemented("A key as a path segment", at: offset) }
        var segment = try SegmentSyntax(
            name: isNext("$") ? contentOrSystemName() : name("the name of a resource"), key: nil, keyOffset: offset)
        segment.keyOffset = offset
        if isNext("(") {
            if segment.name.text.hasPrefix("$") || segment.name.isQualified {
                throw notImplemented("The path segment \(segment.name.text)(…)", at: segment.name.offset)
            }
            segment.key = try keyPredicate()
        }
        guard isAtEnd else { throw unexpected(segment.key == nil ? "'(', '/' or the end" : "'/' or the end") }
        return segment
    }

    /// `$metadata`, `$1`, `$my-content-id`
    private mutating func contentOrSystemName() -> NameSyntax {
        let start = offset
        while let byte = peek(), byte != UInt8(ascii: "(") || offset == start { offset += 1 }
        return NameSyntax(text: source.string(start..<offset), offset: start)
    }

    /// `keyPredicate`: `(1)`, `(OrderID=1,ProductID=2)`
    private mutating func keyPredicate() throws(QueryError) -> SegmentSyntax.Key {
        try expect("(")
        skipSpace()
        if take(")") { return .empty }
        guard !isNext("@") else { throw notImplemented("A parameter alias in a key", at: offset) }
        let start = offset
        if isNamedKey() {
            offset = start
            return .named(try compoundKey())
        }
        offset = start
        let value = try keyValue()
        skipSpace()
        try expect(")", "')'")
        return .single(value)
    }

    private mutating func isNamedKey() -> Bool {
        let stop = identifierEnd(from: offset)
        guard stop > offset else { return false }
        offset = stop
        skipSpace()
        return isNext("=")
    }

    /// `compoundKey`
    private mutating func compoundKey() throws(QueryError) -> [(name: NameSyntax, value: LiteralSyntax)] {
        var pairs: [(name: NameSyntax, value: LiteralSyntax)] = []
        repeat {
            try tally()
            let name = try name("the name of a key property")
            skipSpace()
            try expect("=")
            skipSpace()
            guard !isNext("@") else { throw notImplemented("A parameter alias in a key", at: offset) }
            pairs.append((name, try keyValue()))
        } while takeComma()
        skipSpace()
        try expect(")", "',' or ')'")
        return pairs
    }

    /// `keyPropertyValue`
    private mutating func keyValue() throws(QueryError) -> LiteralSyntax {
        let start = offset
        guard let value = try literal() else { throw unexpected("a key value, or names and values as in (A=1,B=2)") }
        return LiteralSyntax(value: value, offset: start)
    }
}
