extension EdmEnumType {
    /// The number that `text` stands for: a member name, a number, or for flags a list of them with commas.
    ///
    /// Nil where a name is unknown, or where there is more than one and this is not a type of flags.
    public func number(of text: String) -> Int64? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard isFlags || parts.count == 1 else { return nil }
        var sum: Int64 = 0
        for part in parts {
            let name = part.filter { $0 != " " }
            guard let number = members.first(where: { $0.name == name })?.value ?? Int64(name) else { return nil }
            sum |= number
        }
        return sum
    }

    /// The number of an enumeration value, of its text or of a number; nil for other values.
    public func number(of value: EdmValue) -> Int64? {
        switch value {
        case .enumeration(_, let text), .string(let text): number(of: text)
        case .integer(let number): number
        default: nil
        }
    }

    /// The member with the number; for flags the members that it consists of: `Red,Striped`. The number itself where
    /// there are none.
    public func text(of number: Int64) -> String {
        if let member = members.first(where: { $0.value == number }) { return member.name }
        guard isFlags, number != 0 else { return "\(number)" }
        let parts = members.filter { $0.value != 0 && number & $0.value == $0.value }
        let isWhole = parts.reduce(0) { $0 | $1.value } == number
        return isWhole ? parts.map(\.name).joined(separator: ",") : "\(number)"
    }
}
