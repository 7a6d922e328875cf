import ODataModel

/// Comparisons of properties whose type only the service knows, with values of any type.
extension QueryOperand<EdmValue> {
    /// `Name eq 'Chai'`
    public static func == (left: Self, right: some PropertyValue) -> QueryCondition { left == constant(right.edm) }
    /// `Name ne 'Chai'`
    public static func != (left: Self, right: some PropertyValue) -> QueryCondition { left != constant(right.edm) }
    /// `Price gt 20`
    public static func > (left: Self, right: some PropertyValue) -> QueryCondition { left > constant(right.edm) }
    /// `Price ge 20`
    public static func >= (left: Self, right: some PropertyValue) -> QueryCondition { left >= constant(right.edm) }
    /// `Price lt 20`
    public static func < (left: Self, right: some PropertyValue) -> QueryCondition { left < constant(right.edm) }
    /// `Price le 20`
    public static func <= (left: Self, right: some PropertyValue) -> QueryCondition { left <= constant(right.edm) }

    /// The same property, taken for one of this type: `$0["Name"].as(String.self).hasPrefix("Ch")`.
    public func `as`<Other: PropertyValue>(_: Other.Type) -> QueryOperand<Other> {
        QueryOperand<Other>(expression, QueryOperand<Other>.Precedence(rawValue: precedence.rawValue) ?? .or)
    }
}
