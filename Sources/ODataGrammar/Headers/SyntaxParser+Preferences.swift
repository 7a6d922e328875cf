import ODataQuery

/// The header `Prefer`.
///
/// [OData-ABNF, `prefer`, `preference`; RFC 7240]
extension SyntaxParser {
    /// `preference *( OWS "," OWS preference )`
    mutating func preferences() throws(QueryError) -> [Preference] {
        var preferences: [Preference] = []
        repeat {
            try tally()
            skipBlanks()
            preferences.append(try preference())
            skipBlanks()
        } while consume(",")
        return preferences
    }

    /// `preference`: one that the protocol knows, and in lenient texts any of RFC 7240.
    mutating func preference() throws(QueryError) -> Preference {
        let start = offset
        let written = token().lowercased()
        let name = written.hasPrefix("odata.") ? String(written.dropFirst(6)) : written
        guard !name.isEmpty else { throw unexpected("a preference") }
        let form = PreferenceForm.known[name]
        if dialect.isStrict, form == nil || (written != name && form?.hasPrefix == false) {
            offset = start
            throw unexpected("a preference of the protocol, such as return=minimal")
        }
        return try value(of: name, form?.value ?? .any)
    }

    /// What follows the name of a preference.
    mutating func value(of name: String, _ form: PreferenceForm.Value) throws(QueryError) -> Preference {
        var preference = Preference(name: name)
        switch form {
        case .none: break
        case .any:
            if takeEquals() { preference.value = try tokenOrQuoted() }
            preference.parameters = try parameters()
        case .optionalBoolean: if takeEquals() { preference.value = try word(["true", "false"], ignoringCase: true) }
        case .number(let first): preference.value = try equalsNumber(first)
        case .words(let words, let ignoringCase):
            try expectEquals()
            preference.value = try word(words, ignoringCase: ignoringCase)
        case .annotations:
            preference.value = try equalsQuoted { parser throws(QueryError) in try parser.annotationsList() }
        case .callback: preference.parameters = [try callbackURL()]
        }
        return preference
    }

    // MARK: Values

    private mutating func takeEquals() -> Bool {
        let start = offset
        skipBlanks()
        guard consume("=") else {
            offset = start
            return false
        }
        skipBlanks()
        return true
    }

    private mutating func expectEquals() throws(QueryError) {
        guard takeEquals() else { throw unexpected("'='") }
    }

    private mutating func word(_ words: [String], ignoringCase: Bool) throws(QueryError) -> String {
        let start = offset
        let word = token()
        let wanted = ignoringCase ? word.lowercased() : word
        guard words.contains(wanted) else {
            offset = start
            throw unexpected(words.joined(separator: " or "))
        }
        return wanted
    }

    private mutating func equalsNumber(_ first: Int) throws(QueryError) -> String {
        try expectEquals()
        let start = offset
        guard !(first == 1 && isNext("0")) else { throw unexpected("a whole number from 1") }
        while isDigit() { offset += 1 }
        guard offset > start else { throw unexpected("a whole number from \(first)") }
        return source.string(start..<offset)
    }

    private mutating func equalsQuoted(
        _ content: (inout SyntaxParser) throws(QueryError) -> Void
    ) throws(QueryError) -> String {
        try expectEquals()
        try expect("\"", "a value in double quotes")
        let start = offset
        try content(&self)
        let text = source.string(start..<offset)
        try expect("\"", "',' or a closing '\"'")
        return text
    }

    private mutating func tokenOrQuoted() throws(QueryError) -> String {
        guard consume("\"") else { return token() }
        var bytes: [UInt8] = []
        while let byte = peek(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), peek(1) != nil { offset += 1 }
            if let byte = peek() { bytes.append(byte) }
            offset += 1
        }
        try expect("\"", "a closing '\"'")
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func parameters() throws(QueryError) -> [Preference.Parameter] {
        var parameters: [Preference.Parameter] = []
        while isSemicolonAhead {
            skipBlanks()
            offset += 1
            skipBlanks()
            let name = token().lowercased()
            guard !name.isEmpty else { continue }
            parameters.append(.init(name: name, value: takeEquals() ? try tokenOrQuoted() : nil))
        }
        return parameters
    }

    private var isSemicolonAhead: Bool {
        var ahead = self
        ahead.skipBlanks()
        return ahead.isNext(";")
    }

    /// `; url="http://host/token"`
    private mutating func callbackURL() throws(QueryError) -> Preference.Parameter {
        skipBlanks()
        try expect(";", "';' and a URL")
        skipBlanks()
        _ = try word(["url"], ignoringCase: true)
        let url = try equalsQuoted { parser throws(QueryError) in try parser.uri() }
        return .init(name: "url", value: url)
    }

    // MARK: Annotations

    /// `annotationsList`
    mutating func annotationsList() throws(QueryError) {
        repeat {
            try tally()
            try annotationIdentifier()
        } while consume(",")
    }

    /// `annotationIdentifier`: `*`, `-Core.*`, `Measures.Currency#Reporting`
    mutating func annotationIdentifier() throws(QueryError) {
        _ = consume("-")
        if !consume("*") {
            let name = try name("'*' or the name of a term with its namespace")
            if isNext("."), isNext("*", 1) {
                offset += 2
            } else if !name.isQualified {
                throw unexpected("'.' and the name of a term or '*'")
            }
        }
        if consume("#") { _ = try identifier("a qualifier") }
    }
}

/// What follows the name of a preference of the protocol.
struct PreferenceForm {
    enum Value {
        case none, any, optionalBoolean, annotations, callback
        /// The least number.
        case number(Int)
        case words([String], ignoringCase: Bool)
    }

    var value: Value
    /// Whether the name may be written with `odata.`.
    var hasPrefix: Bool

    static let known: [String: PreferenceForm] = [
        "allow-entityreferences": .init(value: .none, hasPrefix: true),
        "callback": .init(value: .callback, hasPrefix: true),
        "continue-on-error": .init(value: .optionalBoolean, hasPrefix: true),
        "include-annotations": .init(value: .annotations, hasPrefix: true),
        "maxpagesize": .init(value: .number(1), hasPrefix: true),
        "omit-values": .init(value: .words(["nulls", "defaults"], ignoringCase: true), hasPrefix: false),
        "respond-async": .init(value: .none, hasPrefix: false),
        "return": .init(value: .words(["representation", "minimal"], ignoringCase: false), hasPrefix: false),
        "track-changes": .init(value: .none, hasPrefix: true),
        "wait": .init(value: .number(0), hasPrefix: false),
    ]
}
