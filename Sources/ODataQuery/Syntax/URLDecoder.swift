import ODataModel

/// Splits a URL where its structure says so, and decodes what is percent-encoded.
///
/// [OData-URL, section 2: URL Parsing]
package struct URLDecoder {
    package typealias Decoded = (
        text: [UInt8], segments: [Range<Int>], options: [QuerySource.Option], fragment: Range<Int>?,
        encodedSigns: Set<Int>
    )

    private let raw: [UInt8]
    private let dialect: QueryDialect
    private var index = 0
    private var text: [UInt8] = []
    /// Where the bytes of ``raw`` start that ``text`` does not hold yet: runs are copied whole, and text in which
    /// nothing is encoded not at all.
    private var copied = 0
    private var segments: [Range<Int>] = []
    private var options: [QuerySource.Option] = []
    private var fragment: Range<Int>?
    private var encodedSigns: Set<Int> = []
    /// Where the current segment or option starts.
    private var start = 0
    private var equals: Int?
    private var part = Part.path
    private var needsValidation = false
    /// Inside `$filter(…)` of a path slashes are part of the expression.
    private var filter = FilterSegment()
    /// Inside the quotes of a key slashes are part of it.
    private var key = QuotedKey()
    private var quote = OpenQuote()
    /// Where the last quote of the path is: none is open behind it. -1 if there is none.
    private lazy var lastQuote: Int = Self.lastQuote(in: raw[index...])

    private enum Part {
        case path, query, fragment
    }

    /// - Parameter start: the bytes before it are copied, not split.
    /// - Parameter isQuery: the text has no path, only query options.
    package init(_ raw: [UInt8], from start: Int = 0, isQuery: Bool = false, dialect: QueryDialect) {
        self.raw = raw
        self.dialect = dialect
        if isQuery { part = .query }
        index = min(start, raw.count)
        if index == 0, !isQuery, !dialect.isStrict, raw.first == UInt8(ascii: "/") { index = 1 }
        self.start = index
    }

    package mutating func decoded(splits: Bool) throws(QueryError) -> Decoded {
        if !splits { (index, start) = (0, 0) }
        while true {
            index = nextStructure
            guard index < raw.count else { break }
            switch raw[index] {
            case UInt8(ascii: "%"): try decode()
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"):
                try separator(raw[index], splits: splits)
            case UInt8(ascii: "="):
                if part == .query, equals == nil { equals = decodedCount }
                index += 1
            case UInt8(ascii: "+") where dialect.isLegacy && (part == .query || !splits):
                if isSignOfExponent() { index += 1 } else { replace(with: 0x20) }
            default: index += 1
            }
        }
        if splits { endPart() }
        copyRun()
        // `Products/` is `Products`.
        if !dialect.isStrict, segments.last?.isEmpty == true, segments.dropLast().last?.isEmpty == false {
            segments.removeLast()
        }
        if needsValidation { try validate() }
        return (text, segments, options, fragment, encodedSigns)
    }

    /// The bytes that are not just copied: `#`, `%`, `&`, `+`, `/`, `=` and `?`, a bit for each.
    private static let structure: UInt64 = "#%&+/=?".utf8.reduce(0) { $0 | 1 << UInt64($1) }

    /// Where the next byte is that is not just copied.
    private var nextStructure: Int {
        let structure = Self.structure
        return raw[index...].firstIndex { $0 < 64 && structure >> UInt64($0) & 1 == 1 } ?? raw.count
    }

    private mutating func separator(_ byte: UInt8, splits: Bool) throws(QueryError) {
        if splits, split(at: byte) {
            index += 1
            start = decodedCount
            return
        }
        if byte == UInt8(ascii: "#"), dialect.isStrict, part != .fragment { throw bareHash() }
        index += 1
    }

    /// The length of what is decoded so far.
    private var decodedCount: Int { text.count + index - copied }

    private func decoded(at offset: Int) -> UInt8 {
        offset < text.count ? text[offset] : raw[copied + offset - text.count]
    }

    /// Brings ``text`` up to the current byte.
    private mutating func copyRun() {
        if copied == 0, index == raw.count {
            text = raw
        } else {
            if text.isEmpty { text.reserveCapacity(raw.count) }
            text += raw[copied..<index]
        }
        copied = index
    }

    /// Takes `count` bytes for one.
    private mutating func replace(with byte: UInt8, count: Int = 1) {
        copyRun()
        text.append(byte)
        index += count
        copied = index
    }

    /// Ends the current segment or option if `byte` says so.
    private mutating func split(at byte: UInt8) -> Bool {
        switch (byte, part) {
        case (UInt8(ascii: "/"), .path):
            guard !isFilterOpen(), !isKeyOpen() else { return false }
            endPart()
        case (UInt8(ascii: "?"), .path):
            guard !isFilterOpen() else { return false }
            endPart()
            part = .query
        case (UInt8(ascii: "&"), .query): endPart(isFollowed: true)
        case (UInt8(ascii: "#"), .path), (UInt8(ascii: "#"), .query):
            guard isMetadata() else { return false }
            endPart()
            part = .fragment
        default: return false
        }
        return true
    }

    private mutating func isFilterOpen() -> Bool {
        guard start < decodedCount, decoded(at: start) == UInt8(ascii: "$") else { return false }
        copyRun()
        return filter.isOpen(text, from: start)
    }

    /// `Categories('a/b')`, as many clients send it. The grammar requires `%2F`.
    private mutating func isKeyOpen() -> Bool {
        guard !dialect.isStrict, index < lastQuote else { return false }
        copyRun()
        return key.isOpen(text, from: start)
    }

    private static func lastQuote(in path: ArraySlice<UInt8>) -> Int {
        let path = path.prefix { $0 != UInt8(ascii: "?") }
        return path.indices.last { index in
            path[index] == UInt8(ascii: "'") || path[index...].starts(with: "%27".utf8)
        } ?? -1
    }

    /// Only the context URL has a fragment that matters.
    private mutating func isMetadata() -> Bool {
        copyRun()
        let first = segments.first ?? start..<text.count
        return text[first].elementsEqual("$metadata".utf8)
    }

    /// `1.5E+10d`: a plus sign of a number of V2 is not a space.
    private mutating func isSignOfExponent() -> Bool {
        guard index >= 2, index + 1 < raw.count, isDigit(raw[index + 1]), isDigit(raw[index - 2]),
            raw[index - 1] | 0x20 == UInt8(ascii: "e")
        else { return false }
        copyRun()
        return !quote.isOpen(text, from: start)
    }

    /// - Parameter isFollowed: whether another option follows: then the grammar has one here.
    private mutating func endPart(isFollowed: Bool = false) {
        quote = OpenQuote()
        switch part {
        case .path:
            segments.append(start..<decodedCount)
            filter = FilterSegment()
            key = QuotedKey()
        case .query:
            let end = decodedCount
            guard start < end || (dialect.isStrict && (isFollowed || !options.isEmpty)) else { return }
            let value = equals.map { ($0 + 1)..<end }
            options.append(QuerySource.Option(name: start..<(equals ?? end), value: value))
            equals = nil
        case .fragment: fragment = start..<decodedCount
        }
    }

    private mutating func decode() throws(QueryError) {
        guard index + 2 < raw.count, let high = EdmValue.hexadecimalDigit(raw[index + 1]),
            let low = EdmValue.hexadecimalDigit(raw[index + 2])
        else {
            throw QueryError(
                .syntax, "A percent sign must be followed by two hexadecimal digits.", position: position, found: "'%'",
                expected: "%25 for the sign itself")
        }
        let decoded = high << 4 | low
        needsValidation = needsValidation || decoded >= 0x80
        if decoded == UInt8(ascii: "+") || decoded == UInt8(ascii: ";") { encodedSigns.insert(decodedCount) }
        replace(with: decoded, count: 3)
    }

    private func bareHash() -> QueryError {
        QueryError(
            .syntax, "A URL that is requested has no fragment.", position: position, found: "'#'",
            expected: "%23 for the sign")
    }

    /// Unicode scalars before the current byte.
    private var position: Int { raw[..<index].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }

    private func validate() throws(QueryError) {
        guard String(validating: text, as: UTF8.self) == nil else { return }
        throw QueryError(.syntax, "The percent-encoded bytes are not UTF-8.")
    }
}

/// Knows whether a segment `$filter(…)` is still open.
private struct FilterSegment {
    private var depth = 0
    /// The quote that is open.
    private var quote: UInt8?
    private var isEscaped = false
    private var seen: Int?

    /// Looks at the bytes of the segment that were not seen yet.
    mutating func isOpen(_ text: [UInt8], from start: Int) -> Bool {
        if seen == nil {
            guard text.count - start > 8, text[start..<(start + 8)].elementsEqual("$filter(".utf8) else { return false }
            seen = start
        }
        guard let seen else { return false }
        for byte in text[seen...] {
            switch (byte, quote) {
            case (UInt8(ascii: "'"), nil), (UInt8(ascii: "\""), nil): quote = byte
            case (_, byte): if !isEscaped { quote = nil }
            case (UInt8(ascii: "("), nil): depth += 1
            case (UInt8(ascii: ")"), nil): depth -= 1
            default: break
            }
            isEscaped = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") && !isEscaped
        }
        self.seen = text.count
        return depth > 0
    }
}

/// Knows whether a quote is open in the parentheses of a segment `Name(…)`.
private struct QuotedKey {
    private var isQuoted = false
    private var seen: Int?

    /// Looks at the bytes of the segment that were not seen yet.
    mutating func isOpen(_ text: [UInt8], from start: Int) -> Bool {
        if seen == nil {
            let name = text[start...].prefix { isIdentifierByte($0) || isDigit($0) || $0 == UInt8(ascii: ".") }
            guard !name.isEmpty, name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: "(") else {
                return false
            }
            seen = name.endIndex
        }
        guard let seen else { return false }
        for byte in text[seen...] where byte == UInt8(ascii: "'") { isQuoted.toggle() }
        self.seen = text.count
        return isQuoted
    }
}

/// Knows whether a string is open in a query of V2.
private struct OpenQuote {
    private var isQuoted = false
    private var seen: Int?

    /// Looks at the bytes of the option that were not seen yet.
    mutating func isOpen(_ text: [UInt8], from start: Int) -> Bool {
        for byte in text[(seen ?? start)...] where byte == UInt8(ascii: "'") { isQuoted.toggle() }
        seen = text.count
        return isQuoted
    }
}
