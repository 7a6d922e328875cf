/// Names of a model as names in Swift.
///
/// `ID` → `id`, `CustomerID` → `customerID`, `CUSTOMER_ID` → `customerID`, `URLPath` → `urlPath`.
enum SwiftName {
    /// The name of a property, parameter, method or member of an enumeration, without backticks.
    static func member(of text: String) -> String {
        let words = words(of: text)
        guard let first = words.first else { return "_" }
        return started(decapitalized(first) + words.dropFirst().map(capitalized).joined())
    }

    /// The name of a type: as it is, with an upper-case first letter.
    static func type(of text: String) -> String {
        let kept = String(text.map { isPart($0) || $0 == "_" ? $0 : "_" })
        return started(kept.prefix(1).uppercased() + kept.dropFirst())
    }

    /// A name of words for what has none of its own in the model: `CUAN_BLACKLIST` → `CuanBlacklist`.
    static func composed(of text: String) -> String {
        let words = words(of: text)
        return started(words.map { $0.contains(where: \.isLowercase) ? capitalized($0) : $0.capitalizedWord }.joined())
    }

    /// With backticks where it is a keyword.
    static func escaped(_ name: String) -> String { ReservedNames.keywords.contains(name) ? "`\(name)`" : name }

    /// The name of a parameter in a call, where nearly all keywords stand as they are.
    static func label(_ name: String) -> String {
        let plain = name.filter { $0 != "`" }
        return ["inout", "let", "var"].contains(plain) ? name : plain
    }

    /// The text as a string literal.
    static func literal(_ text: String) -> String {
        var literal = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case _ where scalar.value < 32: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return "\"\(literal)\""
    }

    /// The parts between underscores and other characters that no identifier has.
    private static func words(of text: String) -> [String] { text.split { !isPart($0) }.map(String.init) }

    private static func isPart(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { $0.properties.isXIDContinue } && character != "_"
    }

    /// Behind an underscore where the first character cannot be the first of an identifier.
    private static func started(_ name: String) -> String {
        name.unicodeScalars.first?.properties.isXIDStart == true ? name : "_" + name
    }

    /// Lower case up to where the next word begins: `URLPath` → `urlPath`.
    private static func decapitalized(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        let rest = word.dropFirst(capitals.count)
        let isPlural = rest.first == "s" && rest.dropFirst().first?.isLowercase != true
        guard capitals.count > 1, rest.first?.isLowercase == true, !isPlural else {
            return capitals.lowercased() + rest
        }
        return capitals.dropLast().lowercased() + capitals.suffix(1) + rest
    }

    /// `ID` → `ID`, `NAME` → `Name`, `unitPrice` → `UnitPrice`
    private static func capitalized(_ word: String) -> String {
        let isKept = word.contains(where: \.isLowercase) || ReservedNames.abbreviations.contains(word)
        return isKept ? word.prefix(1).uppercased() + word.dropFirst() : word.capitalizedWord
    }
}

extension String {
    /// `NAME` → `Name`
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
