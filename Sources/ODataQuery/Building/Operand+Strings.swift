import ODataModel

/// [OData-URL, section 5.1.1.5]
extension Operand<String> {
    /// `contains(Name,'ai')`
    public func contains(_ part: String) -> Condition { contains(constant(part)) }
    /// `contains(Name,Unit)`
    public func contains(_ part: Operand) -> Condition { call("contains", part) }
    /// `startswith(Name,'Ch')`
    public func hasPrefix(_ part: String) -> Condition { hasPrefix(constant(part)) }
    /// `startswith(Name,Unit)`
    public func hasPrefix(_ part: Operand) -> Condition { call("startswith", part) }
    /// `endswith(Name,'ai')`
    public func hasSuffix(_ part: String) -> Condition { hasSuffix(constant(part)) }
    /// `endswith(Name,Unit)`
    public func hasSuffix(_ part: Operand) -> Condition { call("endswith", part) }
    /// `matchesPattern(Name,'^Ch')`
    public func matches(_ pattern: String) -> Condition { call("matchesPattern", constant(pattern)) }
    /// `length(Name)`
    public var count: Operand<Int32> { call("length") }
    /// `indexof(Name,'ai')`: from 0, -1 where it is not there.
    public func index(of part: String) -> Operand<Int32> { index(of: constant(part)) }
    /// `indexof(Name,Unit)`: from 0, -1 where it is not there.
    public func index(of part: Operand) -> Operand<Int32> { call("indexof", part) }
    /// `substring(Name,1)`
    public func dropFirst(_ count: Int = 1) -> Operand { Operand("substring(\(expression),\(count))") }
    /// `substring(Name,0,3)`
    public func prefix(_ count: Int) -> Operand { substring(from: 0, length: count) }
    /// `substring(Name,2,3)`: from 0.
    public func substring(from start: Int, length: Int) -> Operand {
        Operand("substring(\(expression),\(start),\(length))")
    }
    /// `tolower(Name)`
    public func lowercased() -> Operand { call("tolower") }
    /// `toupper(Name)`
    public func uppercased() -> Operand { call("toupper") }
    /// `trim(Name)`
    public func trimmed() -> Operand { call("trim") }
    /// `concat(First,Last)`
    public static func + (left: Operand, right: Operand) -> Operand { left.call("concat", right) }
    /// `concat(First,', ')`
    public static func + (left: Operand, right: String) -> Operand { left + constant(right) }
    /// `concat('Dr. ',Last)`
    public static func + (left: String, right: Operand) -> Operand { constant(left) + right }

    private func constant(_ text: String) -> Operand { .constant(text) }
}
