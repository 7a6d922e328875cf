/// The text given to the parser, percent-decoded after it was split where the structure of URLs says so.
///
/// Every byte of ``text`` comes from one byte or one `%XX` of ``raw``, in order, so that offsets can be returned to the
/// caller as positions in what was given.
/// [OData-URL, section 2: URL Parsing]
package final class QuerySource: Sendable {
    /// `name=value`
    package struct Option {
        package var name: Range<Int>
        /// Nil without an equals sign.
        package var value: Range<Int>?
    }

    package let raw: [UInt8]
    package let text: [UInt8]
    package let segments: [Range<Int>]
    package let options: [Option]
    /// What follows the sign `#`.
    let fragment: Range<Int>?
    /// Where ``text`` has a `+` that was `%2B`, and so never stands for a blank, or a `;` that was `%3B`, and so is a
    /// character of a word in `$search`.
    let encodedSigns: Set<Int>
    /// Where ``text`` has a blank that was a `+`.
    let formBlanks: Set<Int>
    /// Whether the text given was percent-encoded.
    let isDecoded: Bool
    package let dialect: QueryDialect

    private init(_ raw: [UInt8], _ decoded: URLDecoder.Decoded?, _ dialect: QueryDialect) {
        self.raw = raw
        text = decoded?.text ?? raw
        segments = decoded?.segments ?? []
        options = decoded?.options ?? []
        fragment = decoded?.fragment
        encodedSigns = decoded?.encodedSigns ?? []
        formBlanks = []
        isDecoded = decoded != nil
        self.dialect = dialect
    }

    /// `other` with some of its bytes replaced.
    package init(_ other: QuerySource, text: [UInt8], formBlanks: Set<Int>) {
        raw = other.raw
        self.text = text
        segments = other.segments
        options = other.options
        fragment = other.fragment
        encodedSigns = other.encodedSigns
        self.formBlanks = formBlanks
        isDecoded = other.isDecoded
        dialect = other.dialect
    }

    /// Text that is not percent-encoded.
    package convenience init(text: String, limits: QueryLimits, dialect: QueryDialect = .lenient) throws(QueryError) {
        self.init(try Self.bytes(text, limits), nil, dialect)
    }

    /// Percent-encoded text that is not split: the value of an option, or a part of it.
    package convenience init(value: String, limits: QueryLimits, dialect: QueryDialect = .lenient) throws(QueryError) {
        let raw = try Self.bytes(value, limits)
        var decoder = URLDecoder(raw, dialect: dialect)
        self.init(raw, try decoder.decoded(splits: false), dialect)
    }

    /// `Products(1)/Category?$select=Name`
    ///
    /// - Parameter start: where the part relative to the service root starts, in bytes.
    package convenience init(
        url: String, from start: Int = 0, limits: QueryLimits, dialect: QueryDialect = .lenient
    ) throws(QueryError) {
        let raw = try Self.bytes(url, limits)
        var decoder = URLDecoder(raw, from: start, dialect: dialect)
        self.init(raw, try decoder.decoded(splits: true), dialect)
    }

    /// `$select=Name&$top=5`
    package convenience init(query: String, limits: QueryLimits, dialect: QueryDialect = .lenient) throws(QueryError) {
        let raw = try Self.bytes(query, limits)
        var decoder = URLDecoder(raw, isQuery: true, dialect: dialect)
        self.init(raw, try decoder.decoded(splits: true), dialect)
    }

    private static func bytes(_ text: String, _ limits: QueryLimits) throws(QueryError) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count <= limits.length else {
            throw QueryError(.limitExceeded, "The text has more than \(limits.length) bytes.")
        }
        return bytes
    }

    // MARK: Positions

    /// Unicode scalars of the given text before the decoded byte at `offset`.
    package func position(of offset: Int) -> Int {
        var index = 0
        var decoded = 0
        var scalars = 0
        while decoded < offset, index < raw.count {
            if isDecoded, raw[index] == UInt8(ascii: "%") {
                index += 3
                scalars += 3
            } else {
                if raw[index] & 0xC0 != 0x80 { scalars += 1 }
                index += 1
            }
            decoded += 1
        }
        return scalars
    }

    package func string(_ range: Range<Int>) -> String {
        text.withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }

    /// What is at `offset`, for messages: a word, `$` and `@` before it included, or one character.
    package func found(at offset: Int, end: Int? = nil) -> String {
        let rest = text[min(offset, text.count)..<max(offset, min(end ?? text.count, text.count))]
        guard let first = rest.first else { return "the end" }
        let isSign = first == UInt8(ascii: "$") || first == UInt8(ascii: "@")
        let name = isSign ? rest.dropFirst() : rest
        let isWord = name.first.map { isIdentifierByte($0) || isDigit($0) } ?? false
        let word = name.prefix(40).prefix { isWord && (isIdentifierByte($0) || isDigit($0) || $0 == UInt8(ascii: ".")) }
        if !word.isEmpty { return "'\(String(decoding: rest[..<word.endIndex], as: UTF8.self))'" }
        let scalars = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        return "'\(String(String.UnicodeScalarView(scalars)))'"
    }

    package func error(
        _ code: QueryError.Code, _ message: String, at offset: Int, end: Int? = nil, expected: String? = nil
    ) -> QueryError {
        QueryError(
            code, message, position: position(of: offset), found: found(at: offset, end: end), expected: expected)
    }
}

// MARK: Characters

@inline(__always)
package func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

@inline(__always)
package func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

/// The first character of an `odataIdentifier`: a letter or underscore; all that is not ASCII is taken for a letter.
@inline(__always)
func isIdentifierByte(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 }
