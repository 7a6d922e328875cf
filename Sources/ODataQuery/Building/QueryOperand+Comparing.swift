import ODataModel

/// [OData-URL, section 5.1.1.1]
extension QueryOperand {
    /// `Name eq 'Chai'`
    public static func == (left: Self, right: Self) -> QueryCondition { left.joined("eq", right, .equality) }
    /// `Name eq 'Chai'`, or `Name eq null`
    public static func == (left: Self, right: Wrapped?) -> QueryCondition { left == literal(right) }
    /// `'Chai' eq Name`
    public static func == (left: Wrapped?, right: Self) -> QueryCondition { literal(left) == right }
    /// `Name ne 'Chai'`
    public static func != (left: Self, right: Self) -> QueryCondition { left.joined("ne", right, .equality) }
    /// `Name ne 'Chai'`, or `Name ne null`
    public static func != (left: Self, right: Wrapped?) -> QueryCondition { left != literal(right) }
    /// `'Chai' ne Name`
    public static func != (left: Wrapped?, right: Self) -> QueryCondition { literal(left) != right }

    private static func literal(_ value: Wrapped?) -> Self { value.map(constant) ?? QueryOperand("null") }

    /// `ID in (1,2)`; false where there are none.
    ///
    /// [OData-URL, section 5.1.1.1.12]
    public func isIn(_ values: some Sequence<Wrapped>) -> QueryCondition {
        let list = values.map(\.edm.urlLiteral).joined(separator: ",")
        return list.isEmpty
            ? QueryCondition("false") : QueryCondition("\(part(in: .primary)) in (\(list))", .relational)
    }
}

extension QueryOperand {
    /// `Price gt 20`
    public static func > (left: Self, right: Self) -> QueryCondition { left.joined("gt", right, .relational) }
    /// `Price ge 20`
    public static func >= (left: Self, right: Self) -> QueryCondition { left.joined("ge", right, .relational) }
    /// `Price lt 20`
    public static func < (left: Self, right: Self) -> QueryCondition { left.joined("lt", right, .relational) }
    /// `Price le 20`
    public static func <= (left: Self, right: Self) -> QueryCondition { left.joined("le", right, .relational) }
    /// `Price gt 20`
    public static func > (left: Self, right: Wrapped) -> QueryCondition { left > constant(right) }
    /// `Price ge 20`
    public static func >= (left: Self, right: Wrapped) -> QueryCondition { left >= constant(right) }
    /// `Price lt 20`
    public static func < (left: Self, right: Wrapped) -> QueryCondition { left < constant(right) }
    /// `Price le 20`
    public static func <= (left: Self, right: Wrapped) -> QueryCondition { left <= constant(right) }
    /// `20 gt Price`
    public static func > (left: Wrapped, right: Self) -> QueryCondition { constant(left) > right }
    /// `20 ge Price`
    public static func >= (left: Wrapped, right: Self) -> QueryCondition { constant(left) >= right }
    /// `20 lt Price`
    public static func < (left: Wrapped, right: Self) -> QueryCondition { constant(left) < right }
    /// `20 le Price`
    public static func <= (left: Wrapped, right: Self) -> QueryCondition { constant(left) <= right }

    /// `Price ge 10 and Price le 20`
    public func isWithin(_ range: ClosedRange<Wrapped>) -> QueryCondition where Wrapped: Comparable {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// `Price ge 10 and Price lt 20`
    public func isWithin(_ range: Range<Wrapped>) -> QueryCondition where Wrapped: Comparable {
        self >= range.lowerBound && self < range.upperBound
    }
}

/// Numbers of different types, of which OData takes the one with the greater range.
///
/// [OData-URL, section 5.1.1.16: Numeric Promotion]
extension QueryOperand where Wrapped: NumericPropertyValue {
    /// `Price eq Quantity`
    public static func == <Other: NumericPropertyValue>(left: Self, right: QueryOperand<Other>) -> QueryCondition {
        left.joined("eq", right, .equality)
    }
    /// `Price ne Quantity`
    public static func != <Other: NumericPropertyValue>(left: Self, right: QueryOperand<Other>) -> QueryCondition {
        left.joined("ne", right, .equality)
    }
    /// `Price gt Quantity`
    public static func > <Other: NumericPropertyValue>(left: Self, right: QueryOperand<Other>) -> QueryCondition {
        left.joined("gt", right, .relational)
    }
    /// `Price ge Quantity`
    public static func >= <Other: NumericPropertyValue>(left: Self, right: QueryOperand<Other>) -> QueryCondition {
        left.joined("ge", right, .relational)
    }
    /// `Price lt Quantity`
    public static func < <Other: NumericPropertyValue>(left: Self, right: QueryOperand<Other>) -> QueryCondition {
        left.joined("lt", right, .relational)
    }
    /// `Price le Quantity`
    public static func <= <Other: NumericPropertyValue>(left: Self, right: QueryOperand<Other>) -> QueryCondition {
        left.joined("le", right, .relational)
    }
}
