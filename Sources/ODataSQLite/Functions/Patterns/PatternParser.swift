/// Reads a regular expression. [ECMAScript, section 22.2.1: Patterns]
struct PatternParser {
    typealias Fault = Pattern.Fault

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private let flags: PatternFlags
    private var depth = 0

    static let maxDepth = 100
    static let maxCount = 1000

    init(_ source: String, flags: PatternFlags) {
        scalars = Array(source.unicodeScalars)
        self.flags = flags
    }

    mutating func parse() throws(Fault) -> PatternNode {
        let node = try alternatives()
        guard position == scalars.count else { throw fault("a ')' without its '('") }
        return node
    }

    private func fault(_ what: String, isUnsupported: Bool = false) -> Fault {
        Fault(message: "\(what) at position \(position)", isUnsupported: isUnsupported)
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func takeAny() -> Unicode.Scalar? {
        defer { position += 1 }
        return next
    }

    private mutating func alternatives() throws(Fault) -> PatternNode {
        var nodes = [try sequence()]
        while consume("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(Fault) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" { nodes.append(try quantified()) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    // MARK: Quantifiers

    private mutating func quantified() throws(Fault) -> PatternNode {
        let start = position
        let node = try atom()
        guard let (least, most) = try quantifier() else { return node }
        if case .assertion = node { throw Fault(message: "a quantifier with nothing before it at position \(start)") }
        // `*?` finds the same texts as `*`.
        _ = consume("?")
        return .repeated(node, least: least, most: most)
    }

    private mutating func quantifier() throws(Fault) -> (Int, Int?)? {
        if consume("*") { return (0, nil) }
        if consume("+") { return (1, nil) }
        if consume("?") { return (0, 1) }
        let start = position
        guard consume("{") else { return nil }
        guard let least = number() else {
            position = start
            return nil
        }
        var most: Int? = least
        if consume(",") { most = number() }
        guard consume("}") else {
            position = start
            return nil
        }
        if let most, most < least { throw fault("a range of repetitions that is out of order") }
        guard max(least, most ?? 0) <= Self.maxCount else { throw fault("more than \(Self.maxCount) repetitions") }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = next, let digit = scalar.digit {
            value = min((value ?? 0) * 10 + digit, 1_000_000)
            position += 1
        }
        return value
    }

    // MARK: Atoms

    private mutating func atom() throws(Fault) -> PatternNode {
        guard let scalar = takeAny() else { return .empty }
        switch scalar {
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case ".": return .set(.any(isDotAll: flags.isDotAll))
        case "(": return try group()
        case "[": return .set(try characterClass())
        case "*", "+", "?":
            position -= 1
            throw fault("a quantifier with nothing before it")
        case "\\": return try escape()
        case "{":
            position -= 1
            if try quantifier() != nil { throw fault("a quantifier with nothing before it") }
            position += 1
            return .set(literal(scalar))
        default: return .set(literal(scalar))
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> Pattern.CharacterSet {
        Pattern.CharacterSet(scalar).folding(flags.ignoresCase)
    }

    private mutating func group() throws(Fault) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { throw fault("too many nested groups") }
        if consume("?") { try groupKind() }
        let node = try alternatives()
        guard consume(")") else { throw fault("a '(' without its ')'") }
        return node
    }

    /// `(?:`, `(?<name>`
    private mutating func groupKind() throws(Fault) {
        if consume(":") { return }
        let isBehind = consume("<")
        switch next {
        case "=", "!": throw fault("a lookaround assertion, which is not supported,", isUnsupported: true)
        case _ where isBehind: break
        case let next?:
            throw fault("a group that begins with '(?\(next)', which is not supported,", isUnsupported: true)
        case nil: throw fault("a '(' without its ')'")
        }
        while let scalar = takeAny() { if scalar == ">" { return } }
        throw fault("a group's name without an end")
    }

    private mutating func escape() throws(Fault) -> PatternNode {
        guard let scalar = next else { throw fault("a '\\' at the end") }
        switch scalar {
        case "b", "B":
            position += 1
            return .assertion(scalar == "b" ? .wordBoundary : .notWordBoundary)
        case "1"..."9", "k": throw fault("a backreference, which is not supported,", isUnsupported: true)
        default: return .set(try escapedSet().folding(flags.ignoresCase))
        }
    }

    // MARK: Classes

    private mutating func characterClass() throws(Fault) -> Pattern.CharacterSet {
        var set = Pattern.CharacterSet()
        set.isInverted = consume("^")
        while !consume("]") {
            guard next != nil else { throw fault("a '[' without its ']'") }
            let low = try classAtom()
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set.add(low)
                continue
            }
            position += 1
            let high = try classAtom()
            guard let first = low.single, let last = high.single else {
                set.add(low)
                set.add(Pattern.CharacterSet("-"))
                set.add(high)
                continue
            }
            guard first <= last else { throw fault("a range of characters that is out of order") }
            set.ranges.append(first...last)
        }
        return set.folding(flags.ignoresCase)
    }

    private mutating func classAtom() throws(Fault) -> Pattern.CharacterSet {
        guard let scalar = takeAny() else { throw fault("a '[' without its ']'") }
        guard scalar == "\\" else { return Pattern.CharacterSet(scalar) }
        if consume("b") { return Pattern.CharacterSet("\u{8}") }
        if consume("-") { return Pattern.CharacterSet("-") }
        return try escapedSet()
    }

    /// What follows a `\`.
    private mutating func escapedSet() throws(Fault) -> Pattern.CharacterSet {
        guard let scalar = takeAny() else { throw fault("a '\\' at the end") }
        switch scalar {
        case "d": return .digits
        case "D": return .digits.inverted
        case "w": return .words
        case "W": return .words.inverted
        case "s": return .spaces
        case "S": return .spaces.inverted
        case "t": return .init("\t")
        case "n": return .init("\n")
        case "r": return .init("\r")
        case "v": return .init("\u{B}")
        case "f": return .init("\u{C}")
        case "0": return .init("\0")
        case "c": return try control()
        case "x": return try hexadecimal(2, else: scalar)
        case "u": return try codePoint()
        case "p", "P": return try category(isInverted: scalar == "P")
        default: return .init(scalar)
        }
    }

    private mutating func control() throws(Fault) -> Pattern.CharacterSet {
        guard let letter = takeAny(), letter.isASCII, letter.properties.isAlphabetic,
            let scalar = Unicode.Scalar(letter.value % 32)
        else { throw fault("no letter after '\\c'") }
        return .init(scalar)
    }

    private mutating func hexadecimal(
        _ count: Int, else scalar: Unicode.Scalar
    ) throws(Fault) -> Pattern.CharacterSet {
        guard position + count <= scalars.count,
            let value = UInt32(hexadecimal: scalars[position..<position + count])
        else { return .init(scalar) }
        position += count
        var set = Pattern.CharacterSet()
        set.ranges = [value...value]
        return set
    }

    private mutating func codePoint() throws(Fault) -> Pattern.CharacterSet {
        guard consume("{") else { return try utf16Unit() }
        let start = position
        while let scalar = next, scalar != "}" {
            position += 1
            _ = scalar
        }
        guard let value = UInt32(hexadecimal: scalars[start..<position]), value <= 0x10FFFF, consume("}") else {
            throw fault("no code point after '\\u'")
        }
        var set = Pattern.CharacterSet()
        set.ranges = [value...value]
        return set
    }

    /// `\uD83D\uDE00` is one scalar.
    private mutating func utf16Unit() throws(Fault) -> Pattern.CharacterSet {
        let high = try hexadecimal(4, else: "u")
        guard let first = high.single, (0xD800...0xDBFF).contains(first), position + 6 <= scalars.count,
            scalars[position] == "\\", scalars[position + 1] == "u",
            let second = UInt32(hexadecimal: scalars[position + 2..<position + 6]),
            (0xDC00...0xDFFF).contains(second)
        else { return high }
        position += 6
        let value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        var set = Pattern.CharacterSet()
        set.ranges = [value...value]
        return set
    }

    /// `\p{Lu}`, `\p{General_Category=Letter}`
    private mutating func category(isInverted: Bool) throws(Fault) -> Pattern.CharacterSet {
        guard consume("{") else { throw fault("no property after '\\p'") }
        var name = ""
        while let scalar = takeAny(), scalar != "}" { name.unicodeScalars.append(scalar) }
        for lead in ["General_Category=", "gc="] where name.hasPrefix(lead) {
            name = String(name.dropFirst(lead.count))
        }
        guard let short = UnicodeCategory.short(name) else {
            throw fault("the property \(name), which is not supported,", isUnsupported: true)
        }
        var set = Pattern.CharacterSet()
        if isInverted { set.excludedCategories = [short] } else { set.categories = [short] }
        return set
    }
}

extension Unicode.Scalar {
    fileprivate var digit: Int? { ("0"..."9").contains(self) ? Int(value - 48) : nil }
}

extension UInt32 {
    fileprivate init?(hexadecimal scalars: ArraySlice<Unicode.Scalar>) {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        guard !text.isEmpty, text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16) else { return nil }
        self = value
    }
}
