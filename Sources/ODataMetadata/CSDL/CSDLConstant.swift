import ODataModel

/// Constants that JSON writes as mere strings or numbers, and the types that report what they are.
enum CSDLConstant {
    /// The type that `value` needs beside it in JSON: `PropertyPath`, `Date`, `Model.Color`; nil where JSON itself
    /// reports.
    static func hint(_ value: EdmAnnotation.Value) -> String? {
        switch value {
        case .constant(let type, let text): naturalNumber(text) == value ? nil : type.rawValue
        case .enumMember(let type, _): type.description
        case .path(.value, _): nil
        case .path(let kind, _): kind.rawValue
        default: nil
        }
    }

    /// The value that the string or number `text` means beside the hint `type`.
    static func value(_ text: String, type: String) -> EdmAnnotation.Value? {
        let name = type.hasPrefix("Edm.") ? String(type.dropFirst("Edm.".count)) : type
        if let kind = EdmAnnotation.PathKind(rawValue: name), kind != .value { return .path(kind, text) }
        if let primitive = EdmPrimitiveType(rawValue: name) {
            return hinted.contains(primitive) ? .constant(primitive, text) : nil
        }
        guard !type.hasPrefix("Edm."), !type.hasPrefix("Collection("), type.contains(".") else { return nil }
        let members = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return .enumMember(EdmQualifiedName(type), members)
    }

    /// What a JSON number means by itself: an integer, a decimal, or with an exponent a double.
    static func naturalNumber(_ digits: String) -> EdmAnnotation.Value? {
        guard isJSONNumber(digits) else { return nil }
        if digits.contains(where: { $0 == "e" || $0 == "E" }) { return .constant(.double, digits) }
        return Int64(digits).map { .int($0) } ?? .constant(.decimal, digits)
    }

    /// The text that JSON has for the value, and whether it is in quotes.
    static func text(_ value: EdmAnnotation.Value) -> (text: String, isQuoted: Bool)? {
        switch value {
        case .string(let text): (text, true)
        case .constant(let type, let text): (text, !(type == .decimal || type == .double) || !isJSONNumber(text))
        case .enumMember(_, let members): (members.joined(separator: ","), true)
        case .path(let kind, let text) where kind != .value: (text, true)
        default: nil
        }
    }

    /// [RFC 8259, section 6]
    private static func isJSONNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func takeDigits() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        func consume(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = consume("-")
        let startsWithZero = rest.first == 0x30
        let whole = takeDigits()
        guard whole > 0, whole == 1 || !startsWithZero else { return false }
        if consume("."), takeDigits() == 0 { return false }
        if consume("eE") {
            _ = consume("+-")
            if takeDigits() == 0 { return false }
        }
        return rest.isEmpty
    }

    private static let hinted: Set<EdmPrimitiveType> = [
        .binary, .date, .dateTimeOffset, .decimal, .double, .duration, .guid, .timeOfDay,
    ]
}
