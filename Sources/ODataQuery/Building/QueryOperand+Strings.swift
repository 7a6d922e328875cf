import ODataModel

/// [OData-URL, section 5.1.1.5]
extension QueryOperand<String> {
    /// `contains(Name,'ai')`
    public func contains(_ part: String) -> QueryCondition { contains(constant(part)) }
    /// `contains(Name,Unit)`
    public func contains(_ part: QueryOperand) -> QueryCondition { call("contains", part) }
    /// `startswith(Name,'Ch')`
    public func hasPrefix(_ part: String) -> QueryCondition { hasPrefix(constant(part)) }
    /// `startswith(Name,Unit)`
    public func hasPrefix(_ part: QueryOperand) -> QueryCondition { call("startswith", part) }
    /// `endswith(Name,'ai')`
    public func hasSuffix(_ part: String) -> QueryCondition { hasSuffix(constant(part)) }
    /// `endswith(Name,Unit)`
    public func hasSuffix(_ part: QueryOperand) -> QueryCondition { call("endswith", part) }
    /// `matchesPattern(Name,'^Ch')`
    public func matches(_ pattern: String) -> QueryCondition { call("matchesPattern", constant(pattern)) }
    /// `length(Name)`
    public var count: QueryOperand<Int32> { call("length") }
    /// `indexof(Name,'ai')`: from 0, -1 where it is not there.
    public func index(of part: String) -> QueryOperand<Int32> { index(of: constant(part)) }
    /// `indexof(Name,Unit)`: from 0, -1 where it is not there.
    public func index(of part: QueryOperand) -> QueryOperand<Int32> { call("indexof", part) }
    /// `substring(Name,1)`
    public func dropFirst(_ count: Int = 1) -> QueryOperand { QueryOperand("substring(\(expression),\(count))") }
    /// `substring(Name,0,3)`
    public func prefix(_ count: Int) -> QueryOperand { substring(from: 0, length: count) }
    /// `substring(Name,2,3)`: from 0.
    public func substring(from start: Int, length: Int) -> QueryOperand {
        QueryOperand("substring(\(expression),\(start),\(length))")
    }
    /// `tolower(Name)`
    public func lowercased() -> QueryOperand { call("tolower") }
    /// `toupper(Name)`
    public func uppercased() -> QueryOperand { call("toupper") }
    /// `trim(Name)`
    public func trimmed() -> QueryOperand { call("trim") }
    /// `concat(First,Last)`
    public static func + (left: QueryOperand, right: QueryOperand) -> QueryOperand { left.call("concat", right) }
    /// `concat(First,', ')`
    public static func + (left: QueryOperand, right: String) -> QueryOperand { left + constant(right) }
    /// `concat('Dr. ',Last)`
    public static func + (left: String, right: QueryOperand) -> QueryOperand { constant(left) + right }

    private func constant(_ text: String) -> QueryOperand { .constant(text) }
}
