import ODataModel

/// `$search`
///
/// [OData-ABNF, `search`, `searchExpr`; OData-URL, section 5.1.8]
extension SyntaxParser {
    package mutating func search() throws(QueryError) -> OptionsSyntax.Search {
        skipSpace()
        return isNext("'") ? .incomplete(try quotedText()) : .expression(try searchExpr())
    }

    /// `searchExpr`: what `OR` connects.
    package mutating func searchExpr() throws(QueryError) -> SearchExpression {
        try enter()
        defer { leave() }
        var terms = [try searchAndExpr()]
        while takeSearchOperator("OR") { terms.append(try searchAndExpr()) }
        return terms.count == 1 ? terms[0] : .or(terms)
    }

    /// `searchOrExpr`, `searchAndExpr` with what they start with: ` OR a`, ` AND a`, ` a`
    package mutating func searchOperation(_ word: StaticString, isOptional: Bool) throws(QueryError) -> SearchExpression
    {
        if !takeSearchOperator(word) {
            guard isOptional, isSearchTermAhead else { throw unexpected("white space and \(word)") }
            skipSpace()
        }
        return try searchExpr()
    }

    /// `searchAndExpr`: with `AND`, or with nothing but white space between the terms.
    private mutating func searchAndExpr() throws(QueryError) -> SearchExpression {
        var terms = [try searchTerm()]
        while true {
            if !takeSearchOperator("AND") {
                guard isSearchTermAhead else { break }
                skipSpace()
            }
            terms.append(try searchTerm())
        }
        return terms.count == 1 ? terms[0] : .and(terms)
    }

    /// Whether white space and a term follow, and no `OR` that is an operator.
    private var isSearchTermAhead: Bool {
        var ahead = self
        guard ahead.skipSpace(), ahead.isSearchTerm else { return false }
        ahead.offset = offset
        return !ahead.takeSearchOperator("OR")
    }

    private var isSearchTerm: Bool {
        guard let byte = peek() else { return false }
        return byte == UInt8(ascii: "(") || byte == UInt8(ascii: "\"") || isSearchByte(byte) || isEncodedSemicolonNext
    }

    /// `%3B`: a semicolon as it is ends what is in parentheses.
    private var isEncodedSemicolonNext: Bool { isNext(";") && source.encodedSigns.contains(offset) }

    /// ` OR `, if something follows it.
    private mutating func takeSearchOperator(_ word: StaticString) -> Bool {
        let start = offset
        guard skipSpace(), takeSearchWord(word), skipSpace(), isSearchTerm else {
            offset = start
            return false
        }
        return true
    }

    private mutating func takeSearchWord(_ word: StaticString) -> Bool {
        for index in 0..<word.utf8CodeUnitCount where peek(index) != word.utf8Start[index] { return false }
        offset += word.utf8CodeUnitCount
        return true
    }

    /// `searchParenExpr`, `searchNegateExpr`, `searchPhrase`, `searchWord`
    private mutating func searchTerm() throws(QueryError) -> SearchExpression {
        try tally()
        let start = offset
        if takeSearchWord("NOT"), skipSpace(), isSearchTerm {
            try enter()
            defer { leave() }
            return .not(try searchTerm())
        }
        offset = start
        if consume("(") {
            skipSpace()
            let inner = try searchExpr()
            skipSpace()
            try expect(")", "a word or ')'")
            return inner
        }
        return isNext("\"") ? try searchPhrase() : try searchWord()
    }

    private mutating func searchPhrase() throws(QueryError) -> SearchExpression {
        let start = offset
        try expect("\"")
        while let byte = peek(), byte != UInt8(ascii: "\"") { offset += 1 }
        let phrase = source.string((start + 1)..<offset)
        guard consume("\""), !phrase.isEmpty else {
            throw error(.syntax, "The phrase that starts here does not end.", at: start, expected: "a closing '\"'")
        }
        return .phrase(phrase)
    }

    private mutating func searchWord() throws(QueryError) -> SearchExpression {
        let start = offset
        guard let first = peek(), isSearchByte(first) || isEncodedSemicolonNext else {
            throw unexpected("a word, a phrase or '('")
        }
        while let byte = peek(), isSearchByte(byte) || byte == UInt8(ascii: "'") || isEncodedSemicolonNext {
            if offset > start, isSeparatorNext { throw unexpected("white space between words, or %2B for a plus sign") }
            offset += 1
        }
        return .word(source.string(start..<offset))
    }

    /// Whether plus signs and then another word are next: nothing else indicates that they stand for blanks.
    private var isSeparatorNext: Bool {
        guard source.isPlusSign(at: offset) else { return false }
        var ahead = self
        while ahead.consume("+") {}
        return ahead.isSearchTerm
    }

    /// `searchChar`: anything but white space, quotes, parentheses and semicolons.
    private func isSearchByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ";"):
            false
        default: true
        }
    }
}
