/// The words, braces and string literals of a Swift source, without comments.
///
/// It reads as much of the language as is needed to tell which function stands in which type: strings with what is
/// interpolated, raw strings, patterns between `#/` and `/#`, comments inside comments, names in backticks.
struct SwiftTokens: IteratorProtocol {
    enum Token: Equatable {
        case word(String)
        case string(String)
        /// Any other character: `{`, `}`, `@`, `(`, `.`
        case sign(UInt8)
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            let byte = bytes[position]
            if isNext("//") {
                skip { $0 != UInt8(ascii: "\n") }
            } else if isNext("/*") {
                skipComment()
            } else if isNext("#/") {
                skipPattern()
            } else if let pounds = poundsOfString {
                return .string(string(pounds: pounds))
            } else if Self.isWord(byte) || byte == UInt8(ascii: "`") {
                return .word(word())
            } else {
                position += 1
                if byte > UInt8(ascii: " ") { return .sign(byte) }
            }
        }
        return nil
    }

    private func isNext(_ text: String) -> Bool {
        bytes[position...].starts(with: text.utf8)
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while position < bytes.count, condition(bytes[position]) { position += 1 }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                position += 2
            } else if isNext("*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func skipPattern() {
        repeat { position += 1 } while position < bytes.count && !isNext("/#")
        position = min(position + 2, bytes.count)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...:
            true
        default: false
        }
    }

    /// `name` or `` `any text` ``, without the backticks.
    private mutating func word() -> String {
        let isQuoted = bytes[position] == UInt8(ascii: "`")
        if isQuoted { position += 1 }
        let start = position
        skip { isQuoted ? $0 != UInt8(ascii: "`") : Self.isWord($0) }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        if isQuoted { position = min(position + 1, bytes.count) }
        return word
    }

    /// 2 for `##"…"##`; nil where no string begins.
    private var poundsOfString: Int? {
        let pounds = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let quote = position + pounds
        return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? pounds : nil
    }

    private mutating func string(pounds: Int) -> String {
        position += pounds
        let quotes = isNext("\"\"\"") ? "\"\"\"" : "\""
        let suffix = String(repeating: "#", count: pounds)
        position += quotes.utf8.count
        let start = position
        while position < bytes.count, !isNext(quotes + suffix) {
            if isNext("\\" + suffix + "(") {
                position += 2 + pounds
                skipInterpolation()
            } else {
                position += isNext("\\" + suffix) ? 2 + pounds : 1
            }
        }
        let text = String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
        position = min(position + quotes.utf8.count + pounds, bytes.count)
        return text
    }

    private mutating func skipInterpolation() {
        var depth = 1
        while depth > 0, let token = next() {
            if token == .sign(UInt8(ascii: "(")) { depth += 1 }
            if token == .sign(UInt8(ascii: ")")) { depth -= 1 }
        }
    }
}
