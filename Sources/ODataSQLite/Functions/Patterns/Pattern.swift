/// A regular expression of ECMAScript that is matched in a time proportional to the text: all alternatives are followed
/// at once. Backreferences and lookaround assertions, which cannot be matched in this way, are rejected.
///
/// [ECMAScript, section 22.2; OData-URL, section 5.1.1.7.1]
struct Pattern: Sendable {
    /// The reason why a text cannot be used as a pattern.
    struct Fault: Error {
        var message: String
        /// Whether it is a valid pattern of ECMAScript that is not supported.
        var isUnsupported = false
    }

    enum Step: Sendable {
        case take(CharacterSet)
        case test(Assertion)
        /// Both alternatives are followed.
        case split(Int, Int)
        case jump(Int)
        case accept
    }

    enum Assertion: Sendable {
        case start, end, wordBoundary, notWordBoundary
    }

    /// Scalars, as ranges that may overlap.
    struct CharacterSet: Sendable {
        var ranges: [ClosedRange<UInt32>] = []
        var isInverted = false
        /// General categories of Unicode, by their first letters: `L`, `Lu`.
        var categories: [String] = []
        var excludedCategories: [String] = []
    }

    static let maxSteps = 20_000
    /// The maximum number of steps of one match.
    static let maxWork = 50_000_000

    let steps: [Step]
    let flags: PatternFlags

    init(_ source: String, flags text: String = "") throws(Fault) {
        flags = try PatternFlags(text)
        var parser = PatternParser(source, flags: flags)
        let node = try parser.parse()
        var compiler = PatternCompiler()
        try compiler.append(node)
        steps = compiler.steps + [.accept]
    }
}

/// `i`: case does not count. `m`: `^` and `$` match at line ends. `s`: `.` matches line ends. `u` and `v` add nothing, since
/// texts are Unicode scalars here in any case; `g`, `y` and `d` do not matter for whether there is a match.
struct PatternFlags: Sendable {
    var ignoresCase = false
    var isMultiline = false
    var isDotAll = false
    var isSticky = false

    init(_ text: String) throws(Pattern.Fault) {
        var seen: Set<Character> = []
        for flag in text {
            guard seen.insert(flag).inserted else { throw Pattern.Fault(message: "the flag \(flag) is repeated") }
            switch flag {
            case "i": ignoresCase = true
            case "m": isMultiline = true
            case "s": isDotAll = true
            case "y": isSticky = true
            case "u", "v", "g", "d": break
            default: throw Pattern.Fault(message: "there is no flag \(flag)")
            }
        }
    }
}
