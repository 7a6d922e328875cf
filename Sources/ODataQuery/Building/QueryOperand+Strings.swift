import ODataModel

/// [OData-URL, section 5.1.1.5]
extension QueryOperand<String> {
    /// `contains(Name,'ai')`
    public func contains(_ part: String) -> QueryCondition { contains(constant(part)) }
    /// `contains(Name,Unit)`
    public func contains(_ part: Self) -> QueryCondition { call("contains", part) }
    /// `startswith(Name,'Ch')`
    public func hasPrefix(_ part: String) -> QueryCondition { hasPrefix(constant(part)) }
    /// `startswith(Name,Unit)`
    public func hasPrefix(_ part: Self) -> QueryCondition { call("startswith", part) }
    /// `endswith(Name,'ai')`
    public func hasSuffix(_ part: String) -> QueryCondition { hasSuffix(constant(part)) }
    /// `endswith(Name,Unit)`
    public func hasSuffix(_ part: Self) -> QueryCondition { call("endswith", part) }
    /// `matchesPattern(Name,'^Ch')`
    public func matches(_ pattern: String) -> QueryCondition { call("matchesPattern", constant(pattern)) }
    /// `length(Name)`
    public var count: QueryOperand<Int32> { call("length") }
    /// `indexof(Name,'ai')`: from 0, -1 where it is not there.
    public func index(of part: String) -> QueryOperand<Int32> { index(of: constant(part)) }
    /// `indexof(Name,Unit)`: from 0, -1 where it is not there.
    public func index(of part: Self) -> QueryOperand<Int32> { call("indexof", part) }
    /// `substring(Name,1)`
    public func dropFirst(_ count: Int = 1) -> Self { QueryOperand("substring(\(expression),\(count))") }
    /// `substring(Name,0,3)`
    public func prefix(_ count: Int) -> Self { substring(from: 0, length: count) }
    /// `substring(Name,2,3)`: from 0.
    public func substring(from start: Int, length: Int) -> Self {
        QueryOperand("substring(\(expression),\(start),\(length))")
    }
    /// `tolower(Name)`
    public func lowercased() -> Self { call("tolower") }
    /// `toupper(Name)`
    public func uppercased() -> Self { call("toupper") }
    /// `trim(Name)`
    public func trimmed() -> Self { call("trim") }
    /// `concat(First,Last)`
    public static func + (left: Self, right: Self) -> Self { left.call("concat", right) }
    /// `concat(First,', ')`
    public static func + (left: Self, right: String) -> Self { left + constant(right) }
    /// `concat('Dr. ',Last)`
    public static func + (left: String, right: Self) -> Self { constant(left) + right }

    private func constant(_ text: String) -> Self { .constant(text) }
}
