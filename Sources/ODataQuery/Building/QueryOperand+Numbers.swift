import ODataModel

/// Types with which OData computes.
public protocol NumericPropertyValue: PropertyValue {}

extension Int8: NumericPropertyValue {}
extension Int16: NumericPropertyValue {}
extension Int32: NumericPropertyValue {}
extension Int64: NumericPropertyValue {}
extension Int: NumericPropertyValue {}
extension UInt8: NumericPropertyValue {}
/// Of properties whose type only the service knows, it may be a number.
extension EdmValue: NumericPropertyValue {}

/// Types of numbers with fractions.
public protocol FractionalPropertyValue: NumericPropertyValue {}

extension Double: FractionalPropertyValue {}
extension Float: FractionalPropertyValue {}
extension EdmDecimal: FractionalPropertyValue {}

/// Types of whole numbers.
public typealias WholePropertyValue = NumericPropertyValue & IntegerPropertyValue

/// [OData-URL, sections 5.1.1.2 and 5.1.1.9]
extension QueryOperand where Wrapped: NumericPropertyValue {
    /// `Price add Tax`
    public static func + (left: Self, right: Self) -> Self { left.joined("add", right, .sum) }
    /// `Price sub Tax`
    public static func - (left: Self, right: Self) -> Self { left.joined("sub", right, .sum) }
    /// `Price mul Quantity`
    public static func * (left: Self, right: Self) -> Self { left.joined("mul", right, .product) }
    /// `Price div Quantity`: of integers the quotient without its fraction.
    public static func / (left: Self, right: Self) -> Self { left.joined("div", right, .product) }
    /// `Price add 1`
    public static func + (left: Self, right: Wrapped) -> Self { left + constant(right) }
    /// `Price sub 1`
    public static func - (left: Self, right: Wrapped) -> Self { left - constant(right) }
    /// `Price mul 2`
    public static func * (left: Self, right: Wrapped) -> Self { left * constant(right) }
    /// `Price div 2`: of integers the quotient without its fraction.
    public static func / (left: Self, right: Wrapped) -> Self { left / constant(right) }
    /// `1 add Price`
    public static func + (left: Wrapped, right: Self) -> Self { constant(left) + right }
    /// `1 sub Price`
    public static func - (left: Wrapped, right: Self) -> Self { constant(left) - right }
    /// `2 mul Price`
    public static func * (left: Wrapped, right: Self) -> Self { constant(left) * right }
    /// `2 div Price`: of integers the quotient without its fraction.
    public static func / (left: Wrapped, right: Self) -> Self { constant(left) / right }
    /// `Quantity mod 2`
    public static func % (left: Self, right: Wrapped) -> Self {
        left.joined("mod", constant(right), .product)
    }
    /// `-Price`
    public static prefix func - (operand: Self) -> Self {
        QueryOperand("-\(operand.part(in: .primary))", .unary)
    }
    /// `round(Price)`
    public func rounded() -> Self { call("round") }
    /// `floor(Price)`
    public func floor() -> Self { call("floor") }
    /// `ceiling(Price)`
    public func ceiling() -> Self { call("ceiling") }
}

/// Numbers with fractions and whole ones, of which OData makes numbers with fractions.
///
/// [OData-URL, section 5.1.1.16: Numeric Promotion]
extension QueryOperand where Wrapped: FractionalPropertyValue {
    /// `Price add Quantity`
    public static func + (left: Self, right: QueryOperand<some WholePropertyValue>) -> Self {
        left.joined("add", right, .sum)
    }
    /// `Price sub Quantity`
    public static func - (left: Self, right: QueryOperand<some WholePropertyValue>) -> Self {
        left.joined("sub", right, .sum)
    }
    /// `Price mul Quantity`
    public static func * (left: Self, right: QueryOperand<some WholePropertyValue>) -> Self {
        left.joined("mul", right, .product)
    }
    /// `Price div Quantity`
    public static func / (left: Self, right: QueryOperand<some WholePropertyValue>) -> Self {
        left.joined("div", right, .product)
    }
    /// `Quantity add Price`
    public static func + (left: QueryOperand<some WholePropertyValue>, right: Self) -> Self {
        left.joined("add", right, .sum)
    }
    /// `Quantity sub Price`
    public static func - (left: QueryOperand<some WholePropertyValue>, right: Self) -> Self {
        left.joined("sub", right, .sum)
    }
    /// `Quantity mul Price`
    public static func * (left: QueryOperand<some WholePropertyValue>, right: Self) -> Self {
        left.joined("mul", right, .product)
    }
    /// `Quantity div Price`
    public static func / (left: QueryOperand<some WholePropertyValue>, right: Self) -> Self {
        left.joined("div", right, .product)
    }
}
