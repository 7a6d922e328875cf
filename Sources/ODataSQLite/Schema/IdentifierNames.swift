/// Converts names to unique OData identifiers.
///
/// [OData-CSDLXML, section 15.2: Simple Identifier]
struct IdentifierNames {
    private var taken: Set<String>

    init(reserved: Set<String> = []) {
        taken = reserved
    }

    /// `Order Details` → `Order_Details`, or `Order_Details_2` if that exists.
    mutating func name(for text: String) -> String {
        let identifier = Self.identifier(text)
        guard !taken.insert(identifier).inserted else { return identifier }
        var number = 2
        while !taken.insert("\(identifier)_\(number)").inserted { number += 1 }
        return "\(identifier)_\(number)"
    }

    /// The first of `candidates` that is free; else the last one with a number.
    mutating func name(among candidates: [String]) -> String {
        for candidate in candidates {
            let identifier = Self.identifier(candidate)
            if taken.insert(identifier).inserted { return identifier }
        }
        return name(for: candidates.last ?? "_")
    }

    /// Runs of characters that an identifier cannot have become one `_`.
    static func identifier(_ text: String) -> String {
        var result = ""
        var gap = false
        for scalar in text.unicodeScalars {
            guard isPart(scalar) else {
                gap = true
                continue
            }
            if gap, !result.isEmpty { result += "_" }
            gap = false
            if result.isEmpty, !isStart(scalar) { result += "_" }
            result.unicodeScalars.append(scalar)
        }
        return result.isEmpty ? "_" : String(result.prefix(120))
    }

    private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            return true
        default: return false
        }
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if isStart(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation: return true
        default: return false
        }
    }
}
