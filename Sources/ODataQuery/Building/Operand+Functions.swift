import ODataModel

/// [OData-URL, section 5.1.1.5]
extension Operand<String> {
    /// `contains(Name,'ai')`
    public func contains(_ part: String) -> Condition { call("contains", quoted(part)) }
    /// `startswith(Name,'Ch')`
    public func hasPrefix(_ part: String) -> Condition { call("startswith", quoted(part)) }
    /// `endswith(Name,'ai')`
    public func hasSuffix(_ part: String) -> Condition { call("endswith", quoted(part)) }
    /// `matchesPattern(Name,'^Ch')`
    public func matches(_ pattern: String) -> Condition { call("matchesPattern", quoted(pattern)) }
    /// `length(Name)`
    public var count: Operand<Int32> { call("length") }
    /// `indexof(Name,'ai')`: from 0, -1 where it is not there.
    public func index(of part: String) -> Operand<Int32> { call("indexof", quoted(part)) }
    /// `substring(Name,1)`
    public func dropFirst(_ count: Int = 1) -> Operand { call("substring", "\(count)") }
    /// `substring(Name,0,3)`
    public func prefix(_ count: Int) -> Operand { call("substring", "0", "\(count)") }
    /// `tolower(Name)`
    public func lowercased() -> Operand { call("tolower") }
    /// `toupper(Name)`
    public func uppercased() -> Operand { call("toupper") }
    /// `trim(Name)`
    public func trimmed() -> Operand { call("trim") }
    /// `concat(First,Last)`
    public static func + (left: Operand, right: Operand) -> Operand { left.call("concat", right.text) }
    /// `concat(First,', ')`
    public static func + (left: Operand, right: String) -> Operand { left + constant(right) }

    private func quoted(_ text: String) -> String { quotedLiteral(text) }
}

/// Types with which OData computes.
public protocol NumericPropertyValue: PropertyValue {}

extension Int8: NumericPropertyValue {}
extension Int16: NumericPropertyValue {}
extension Int32: NumericPropertyValue {}
extension Int64: NumericPropertyValue {}
extension Int: NumericPropertyValue {}
extension UInt8: NumericPropertyValue {}
extension Double: NumericPropertyValue {}
extension Float: NumericPropertyValue {}
extension EdmDecimal: NumericPropertyValue {}
/// Of properties whose type only the service knows, it may be a number.
extension Value: NumericPropertyValue {}

/// [OData-URL, sections 5.1.1.2 and 5.1.1.9]
extension Operand where Wrapped: NumericPropertyValue {
    /// `Price add Tax`
    public static func + (left: Operand, right: Operand) -> Operand { left.joined("add", right, .sum) }
    /// `Price sub Tax`
    public static func - (left: Operand, right: Operand) -> Operand { left.joined("sub", right, .sum) }
    /// `Price mul Quantity`
    public static func * (left: Operand, right: Operand) -> Operand { left.joined("mul", right, .product) }
    /// `Price div Quantity`: of integers the quotient without its fraction.
    public static func / (left: Operand, right: Operand) -> Operand { left.joined("div", right, .product) }
    /// `Price add 1`
    public static func + (left: Operand, right: Wrapped) -> Operand { left + constant(right) }
    /// `Price sub 1`
    public static func - (left: Operand, right: Wrapped) -> Operand { left - constant(right) }
    /// `Price mul 2`
    public static func * (left: Operand, right: Wrapped) -> Operand { left * constant(right) }
    /// `Price div 2`: of integers the quotient without its fraction.
    public static func / (left: Operand, right: Wrapped) -> Operand { left / constant(right) }
    /// `Quantity mod 2`
    public static func % (left: Operand, right: Wrapped) -> Operand {
        left.joined("mod", constant(right), .product)
    }
    /// `-Price`
    public static prefix func - (operand: Operand) -> Operand {
        Operand("-\(operand.text(in: .primary))", .unary)
    }
    /// `round(Price)`
    public func rounded() -> Operand { call("round") }
    /// `floor(Price)`
    public func floor() -> Operand { call("floor") }
    /// `ceiling(Price)`
    public func ceiling() -> Operand { call("ceiling") }
}

/// [OData-URL, section 5.1.1.7]
extension Operand<EdmDate> {
    /// `year(BirthDate)`
    public var year: Operand<Int32> { call("year") }
    /// `month(BirthDate)`
    public var month: Operand<Int32> { call("month") }
    /// `day(BirthDate)`
    public var day: Operand<Int32> { call("day") }
}

/// [OData-URL, section 5.1.1.7]
extension Operand<EdmDateTimeOffset> {
    /// `year(CreatedAt)`
    public var year: Operand<Int32> { call("year") }
    /// `month(CreatedAt)`
    public var month: Operand<Int32> { call("month") }
    /// `day(CreatedAt)`
    public var day: Operand<Int32> { call("day") }
    /// `hour(CreatedAt)`
    public var hour: Operand<Int32> { call("hour") }
    /// `minute(CreatedAt)`
    public var minute: Operand<Int32> { call("minute") }
    /// `second(CreatedAt)`
    public var second: Operand<Int32> { call("second") }
    /// `date(CreatedAt)`
    public var date: Operand<EdmDate> { call("date") }
    /// `time(CreatedAt)`
    public var time: Operand<EdmTimeOfDay> { call("time") }
    /// `now()`
    public static var now: Operand { Operand("now()") }
}

/// [OData-URL, section 5.1.1.7]
extension Operand<EdmTimeOfDay> {
    /// `hour(OpensAt)`
    public var hour: Operand<Int32> { call("hour") }
    /// `minute(OpensAt)`
    public var minute: Operand<Int32> { call("minute") }
    /// `second(OpensAt)`
    public var second: Operand<Int32> { call("second") }
}
