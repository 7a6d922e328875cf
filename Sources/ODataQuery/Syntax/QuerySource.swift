/// The text given to the parser, percent-decoded after it was split where the structure of URLs says so.
///
/// Every byte of ``text`` comes from one byte or one `%XX` of ``raw``, in order, so that offsets can be told to the
/// caller as positions in what was given.
/// [OData-URL, section 2: URL Parsing]
struct QuerySource {
    /// `name=value`
    struct Option {
        var name: Range<Int>
        /// Nil without an equals sign.
        var value: Range<Int>?
    }

    let raw: [UInt8]
    private(set) var text: [UInt8]
    private(set) var segments: [Range<Int>] = []
    private(set) var options: [Option] = []
    private let isDecoded: Bool
    /// Whether white space around values is refused, as the grammar has it.
    let isStrict: Bool

    /// Text that is not percent-encoded.
    init(text: String, limits: QueryLimits) throws(QueryError) {
        raw = Array(text.utf8)
        self.text = raw
        isDecoded = false
        isStrict = false
        try check(limits)
    }

    /// `Products(1)/Category?$select=Name`
    init(url: String, limits: QueryLimits, isStrict: Bool = false) throws(QueryError) {
        self.isStrict = isStrict
        raw = Array(url.utf8)
        text = []
        isDecoded = true
        try check(limits)
        text.reserveCapacity(raw.count)
        try decode()
    }

    private func check(_ limits: QueryLimits) throws(QueryError) {
        guard raw.count <= limits.length else {
            throw QueryError(.limitExceeded, "The text has more than \(limits.length) bytes.")
        }
    }

    private mutating func decode() throws(QueryError) {
        var index = raw.first == UInt8(ascii: "/") ? 1 : 0
        if index == 1 { text.append(UInt8(ascii: "/")) }
        var start = index
        var equals: Int?
        var isQuery = false
        var needsValidation = false
        while index < raw.count {
            let byte = raw[index]
            switch byte {
            case UInt8(ascii: "%"):
                let decoded = try decodedByte(at: index)
                needsValidation = needsValidation || decoded >= 0x80
                text.append(decoded)
                index += 3
                continue
            case UInt8(ascii: "/") where !isQuery, UInt8(ascii: "?") where !isQuery:
                segments.append(start..<text.count)
                isQuery = byte == UInt8(ascii: "?")
                start = text.count + 1
            case UInt8(ascii: "&") where isQuery:
                endOption(from: start, equals: equals)
                start = text.count + 1
                equals = nil
            case UInt8(ascii: "=") where isQuery && equals == nil:
                equals = text.count
            case UInt8(ascii: "#") where isStrict:
                throw error(
                    .syntax, "A URL that is requested has no fragment.", at: text.count, expected: "%23 for the sign")
            default: break
            }
            text.append(byte)
            index += 1
        }
        if isQuery { endOption(from: start, equals: equals) } else { segments.append(start..<text.count) }
        // `Products/` is `Products`.
        if segments.last?.isEmpty == true, segments.dropLast().last?.isEmpty == false { segments.removeLast() }
        if needsValidation { try validate() }
    }

    private mutating func endOption(from start: Int, equals: Int?) {
        guard start < text.count else { return }
        let value = equals.map { ($0 + 1)..<text.count }
        options.append(Option(name: start..<(equals ?? text.count), value: value))
    }

    private func decodedByte(at index: Int) throws(QueryError) -> UInt8 {
        guard index + 2 < raw.count, let high = hexDigit(raw[index + 1]), let low = hexDigit(raw[index + 2]) else {
            throw error(
                .syntax, "A percent sign must be followed by two hexadecimal digits.", at: text.count,
                expected: "%25 for the sign itself")
        }
        return high << 4 | low
    }

    private func validate() throws(QueryError) {
        guard String(validating: text, as: UTF8.self) == nil else { return }
        throw QueryError(.syntax, "The percent-encoded bytes are not UTF-8.")
    }

    // MARK: Positions

    /// Unicode scalars of the given text before the decoded byte at `offset`.
    func position(of offset: Int) -> Int {
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

    func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    /// What stands at `offset`, for messages: a word, or one character.
    func found(at offset: Int, end: Int? = nil) -> String {
        let rest = text[min(offset, text.count)..<max(offset, min(end ?? text.count, text.count))]
        guard let first = rest.first else { return "the end" }
        let isWord = isIdentifierByte(first) || isDigit(first)
        let word = rest.prefix(40).prefix { isWord && (isIdentifierByte($0) || isDigit($0) || $0 == UInt8(ascii: ".")) }
        if !word.isEmpty { return "'\(String(decoding: word, as: UTF8.self))'" }
        let scalars = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        return "'\(String(String.UnicodeScalarView(scalars)))'"
    }

    func error(
        _ code: QueryError.Code, _ message: String, at offset: Int, end: Int? = nil, expected: String? = nil
    ) -> QueryError {
        QueryError(
            code, message, position: position(of: offset), found: found(at: offset, end: end), expected: expected)
    }
}

// MARK: Characters

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

@inline(__always)
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

/// The first character of an `odataIdentifier`: a letter or underscore; all that is not ASCII is taken for a letter.
@inline(__always)
func isIdentifierByte(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 }

func hexDigit(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - UInt8(ascii: "0") }
    let digit = (byte | 0x20) &- UInt8(ascii: "a")
    return digit < 6 ? digit + 10 : nil
}
