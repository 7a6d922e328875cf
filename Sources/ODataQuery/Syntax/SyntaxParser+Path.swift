import ODataModel

/// Resource paths.
///
/// [OData-ABNF, section 1: Resource Path]
extension SyntaxParser {
    /// The segments of a URL, each form-encoded or not by itself: `/$filter(City+eq+'Buenos+Aires')`.
    package static func resourcePath(
        _ source: QuerySource, limits: QueryLimits
    ) throws(QueryError) -> [SegmentSyntax] {
        guard source.segments.count <= limits.depth else {
            throw QueryError(.limitExceeded, "The path has more than \(limits.depth) segments.")
        }
        var segments: [SegmentSyntax] = []
        for range in source.segments {
            let last = segments.last
            segments.append(
                try source.reading(range) { source throws(QueryError) in
                    var parser = SyntaxParser(source, range: range, limits: limits)
                    return try parser.segment(after: last, isFirst: last == nil)
                }.result)
        }
        return source.dialect.isLegacy ? segments.withoutLinks() : segments
    }

    /// One segment: `Products`, `Products(1)`, `$count`
    package mutating func segment(after last: SegmentSyntax?, isFirst: Bool) throws(QueryError) -> SegmentSyntax {
        try checkOrder(after: last)
        if isNext("$") { return try systemPathSegment(isFirst: isFirst) }
        let name = nameEnd(from: offset)
        if !isFirst, name < end, name == offset || source.text[name] != UInt8(ascii: "(") { return textSegment() }
        var segment = SegmentSyntax(name: try self.name("the name of a resource"), kind: .name)
        while isNext("(") { segment.parentheses.append(try pathParentheses()) }
        guard isAtEnd else {
            let slash = isNext("/") ? "'/' as it is, not as %2F," : "'/'"
            throw unexpected((segment.parentheses.isEmpty ? "'(', " : "") + slash + " or the end")
        }
        return segment
    }

    /// What may follow a system segment.
    private func checkOrder(after last: SegmentSyntax?) throws(QueryError) {
        switch last?.kind {
        case .count, .ref, .value, .query:
            throw error(.syntax, "Nothing can follow here.", at: offset, expected: "the end of the path")
        default: break
        }
    }

    /// A key as a segment, or the position of a member.
    private mutating func textSegment() -> SegmentSyntax {
        defer { offset = end }
        return SegmentSyntax(name: NameSyntax(text: source.string(offset..<end), offset: offset), kind: .text)
    }

    private mutating func systemPathSegment(isFirst: Bool) throws(QueryError) -> SegmentSyntax {
        let name = contentOrSystemName()
        let kind: SegmentSyntax.Kind
        switch name.text {
        case "$count": kind = .count(nil)
        case "$ref": kind = .ref
        case "$value": kind = .value
        case "$each": kind = .each
        case "$query": kind = .query
        case "$filter": kind = .filter(try parenthesized("an expression in parentheses"))
        case "$all" where isFirst: kind = .all
        case "$crossjoin" where isFirst: kind = .crossjoin(try crossjoin())
        case "$links" where dialect.isLegacy && !isFirst: kind = .reference
        case _ where isFirst: kind = .reference
        default:
            throw error(
                .syntax, "There is no segment \(name.text).", at: name.offset,
                expected: "$count, $ref, $value, $query, $each or $filter(…)")
        }
        var segment = SegmentSyntax(name: name, kind: kind)
        if case .filter = kind {
            while isNext("(") { segment.parentheses.append(try pathParentheses()) }
        }
        guard isAtEnd else { throw unexpected("'/' or the end") }
        return segment
    }

    /// `$metadata`, `$1`, `$my-content-id`
    private mutating func contentOrSystemName() -> NameSyntax {
        let start = offset
        while let byte = peek(), byte != UInt8(ascii: "(") || offset == start { offset += 1 }
        return NameSyntax(text: source.string(start..<offset), offset: start)
    }

    /// `(Products,Sales)`
    private mutating func crossjoin() throws(QueryError) -> [NameSyntax] {
        try expect("(")
        var names: [NameSyntax] = []
        repeat {
            try tally()
            names.append(try identifier("the name of an entity set"))
        } while takeLooseComma()
        try expect(")", "',' or ')'")
        return names
    }
}
