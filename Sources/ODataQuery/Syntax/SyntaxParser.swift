import ODataModel

/// Reads the grammar of OData URLs, one method per rule, over one piece of the text.
///
/// [OData-ABNF]
package struct SyntaxParser {
    package let source: QuerySource
    package let limits: QueryLimits
    package var offset: Int
    package let end: Int
    /// Whether only white space that the grammar names is let pass.
    package var isStrict: Bool { dialect.isStrict }
    package var dialect: QueryDialect { source.dialect }
    private var depth = 0
    private var count = 0

    package init(_ source: QuerySource, range: Range<Int>? = nil, limits: QueryLimits) {
        self.source = source
        self.limits = limits
        offset = range?.lowerBound ?? 0
        end = range?.upperBound ?? source.text.count
    }

    // MARK: Characters

    package var isAtEnd: Bool { offset >= end }

    /// The byte `distance` after the current one.
    @inline(__always)
    package func peek(_ distance: Int = 0) -> UInt8? {
        let index = offset + distance
        return index < end ? source.text[index] : nil
    }

    @inline(__always)
    package func isNext(_ character: Unicode.Scalar, _ distance: Int = 0) -> Bool {
        peek(distance) == UInt8(ascii: character)
    }

    package func isDigit(_ distance: Int = 0) -> Bool { peek(distance).map { ODataQuery.isDigit($0) } ?? false }

    @inline(__always)
    package mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        offset += 1
        return true
    }

    package mutating func expect(
        _ character: Unicode.Scalar, _ expected: @autoclosure () -> String? = nil
    ) throws(QueryError) {
        guard consume(character) else { throw unexpected(expected() ?? "'\(character)'") }
    }

    /// Whether white space is next.
    @inline(__always)
    var isSpaceNext: Bool {
        switch peek() {
        case 0x20, 0x09: true
        default: false
        }
    }

    /// `BWS`: takes white space. False if there is none.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        while isSpaceNext { offset += 1 }
        return offset > start
    }

    /// A comma with optional white space around it.
    mutating func takeComma() -> Bool {
        let start = offset
        skipSpace()
        guard consume(",") else {
            offset = start
            return false
        }
        skipSpace()
        return true
    }

    /// White space where the grammar has none, but clients write some.
    mutating func skipLooseSpace() { if !isStrict { skipSpace() } }

    /// A comma where the grammar has no white space around it.
    package mutating func takeLooseComma() -> Bool { isStrict ? consume(",") : takeComma() }

    package mutating func expectEnd(_ expected: @autoclosure () -> String) throws(QueryError) {
        skipLooseSpace()
        guard isAtEnd else { throw unexpected(expected()) }
    }

    /// `RWS`
    package mutating func expectSpace(_ expected: String) throws(QueryError) {
        guard skipSpace() else { throw unexpected(expected) }
    }

    /// Takes `word` if it is next, as a whole word.
    ///
    /// - Parameter ignoresCase: as with what the grammar has without `%s`; `word` is of small letters then.
    mutating func takeWord(_ word: StaticString, ignoresCase: Bool = false) -> Bool {
        let stop = identifierEnd(from: offset)
        guard stop - offset == word.utf8CodeUnitCount else { return false }
        let letterCase: UInt8 = ignoresCase ? 0x20 : 0
        for index in 0..<word.utf8CodeUnitCount
        where source.text[offset + index] | letterCase != word.utf8Start[index] {
            return false
        }
        offset = stop
        return true
    }

    // MARK: Names

    /// The end of the `odataIdentifier` at `start`; `start` itself if there is none.
    func identifierEnd(from start: Int) -> Int {
        guard start < end, isIdentifierByte(source.text[start]) else { return start }
        var index = start + 1
        while index < end, isIdentifierByte(source.text[index]) || ODataQuery.isDigit(source.text[index]) {
            index += 1
        }
        return index
    }

    /// `odataIdentifier`, or a name qualified with dots.
    package mutating func name(_ expected: String) throws(QueryError) -> NameSyntax {
        let start = offset
        let stop = nameEnd(from: start)
        guard stop > start else { throw unexpected(expected) }
        offset = stop
        return NameSyntax(text: source.string(start..<stop), offset: start)
    }

    /// A name, qualified or not; nil if there is none.
    mutating func optionalName() -> NameSyntax? {
        let start = offset
        let stop = nameEnd(from: start)
        guard stop > start else { return nil }
        offset = stop
        return NameSyntax(text: source.string(start..<stop), offset: start)
    }

    /// The end of the name, qualified or not, at `start`.
    package func nameEnd(from start: Int) -> Int {
        var stop = identifierEnd(from: start)
        while stop > start, stop < end, source.text[stop] == UInt8(ascii: ".") {
            let next = identifierEnd(from: stop + 1)
            guard next > stop + 1 else { break }
            stop = next
        }
        return stop
    }

    /// The bytes of a word of up to eight letters as one number; 0 for longer ones.
    package func word(_ range: Range<Int>) -> UInt64 { packed(source.text[range]) }

    /// `odataIdentifier`
    package mutating func identifier(_ expected: @autoclosure () -> String) throws(QueryError) -> NameSyntax {
        let start = offset
        let stop = identifierEnd(from: start)
        guard stop > start else { throw unexpected(expected()) }
        offset = stop
        return NameSyntax(text: source.string(start..<stop), offset: start)
    }

    /// `annotationInQuery` from after the sign: `Core.Messages`, `Currency#Reporting`
    mutating func annotationName() throws(QueryError) -> NameSyntax {
        var name = try name("the name of a term")
        if isNext("#") {
            offset += 1
            name.text += "#" + (try identifier("a qualifier")).text
        }
        return name
    }

    /// `$count`, `$it`
    mutating func systemName() -> NameSyntax {
        let start = offset
        offset = max(identifierEnd(from: start + 1), min(start + 1, end))
        return NameSyntax(text: source.string(start..<offset), offset: start)
    }

    // MARK: Limits

    mutating func enter() throws(QueryError) {
        depth += 1
        guard depth <= limits.depth else {
            throw error(.limitExceeded, "The query is nested more than \(limits.depth) levels deep.", at: offset)
        }
    }

    mutating func leave() { depth -= 1 }

    package mutating func tally() throws(QueryError) {
        count += 1
        guard count <= limits.count else {
            throw error(.limitExceeded, "The query has more than \(limits.count) parts.", at: offset)
        }
    }

    // MARK: Errors

    package func error(
        _ code: QueryError.Code, _ message: String, at offset: Int, expected: String? = nil
    ) -> QueryError {
        source.error(code, message, at: offset, end: end, expected: expected)
    }

    package func unexpected(_ expected: String) -> QueryError {
        error(.syntax, "The text cannot be read from here.", at: offset, expected: expected)
    }
}

/// See ``SyntaxParser/word(_:)``.
func packed(_ bytes: some Collection<UInt8>) -> UInt64 {
    guard bytes.count <= 8 else { return 0 }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
}
