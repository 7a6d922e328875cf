/// Which values of a table may not be cut, by their form: a part of them would be another value.
///
/// Of a response there is only JSON, in which dates, GUIDs and some numbers are text.
enum ValueForm {
    /// Longer ones of these forms are text: what is left out of them is seen by their ellipsis.
    private static let limit = 48

    /// Whether it is a number, a date, a time, a duration, a GUID, a truth value or the id of an entity.
    static func isWhole(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= limit else { return false }
        if first.isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            return isNumber(text) || isTime(bytes) || isGUID(bytes) || isDuration(bytes)
        }
        return text == "true" || text == "false" || isGUID(bytes) || isDuration(bytes) || isEntityID(bytes)
    }

    /// `-20.5`, `1e-7`
    static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard rest.dropDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard rest.dropDigits() else { return false }
        }
        guard let exponent = rest.first else { return true }
        guard exponent | 0x20 == UInt8(ascii: "e") else { return false }
        rest.removeFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        return rest.dropDigits() && rest.isEmpty
    }

    /// `2023-10-13`, `2023-10-13T01:18:56.25+02:00`, `01:18:56`
    private static func isTime(_ bytes: String.UTF8View) -> Bool {
        bytes.allSatisfy { $0.isDigit || "-:.+TZ".utf8.contains($0) }
            && bytes.dropFirst().contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }
    }

    /// `01234567-89ab-cdef-0123-456789abcdef`
    private static func isGUID(_ bytes: String.UTF8View) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(\.isHexadecimal)
    }

    /// `-P1DT2H0.5S`
    private static func isDuration(_ bytes: String.UTF8View) -> Bool {
        let rest = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        return rest.first == UInt8(ascii: "P") && rest.contains(where: \.isDigit)
            && rest.dropFirst().allSatisfy { $0.isDigit || "DTHMS.".utf8.contains($0) }
    }

    /// `Products('P-0001')`, `Order_Details(OrderID=10248,ProductID=11)`
    private static func isEntityID(_ bytes: String.UTF8View) -> Bool {
        let name = bytes.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
        return bytes.last == UInt8(ascii: ")") && !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: "(")
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isHexadecimal: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

extension Substring.UTF8View {
    /// Drops digits; false if there are none.
    fileprivate mutating func dropDigits() -> Bool {
        let digits = prefix(while: \.isDigit)
        self = self[digits.endIndex...]
        return !digits.isEmpty
    }
}
