import ODataModel

/// Comparisons that the compiler refuses, each with the types of its sides in the message: without these declarations it
/// reports a conversion to `QueryOperand<EdmValue>`, which is not in the code.
extension QueryOperand where Wrapped: NumericPropertyValue {
    /// `$0.priority == "1"`
    @available(*, unavailable, message: "The left side is a number, the right side a String: leave the quotes out.")
    public static func == (left: Self, right: String) -> QueryCondition { .constant(false) }
    /// `$0.priority != "1"`
    @available(*, unavailable, message: "The left side is a number, the right side a String: leave the quotes out.")
    public static func != (left: Self, right: String) -> QueryCondition { .constant(false) }
    /// `$0.priority > "1"`
    @available(*, unavailable, message: "The left side is a number, the right side a String: leave the quotes out.")
    public static func > (left: Self, right: String) -> QueryCondition { .constant(false) }
    /// `$0.priority < "1"`
    @available(*, unavailable, message: "The left side is a number, the right side a String: leave the quotes out.")
    public static func < (left: Self, right: String) -> QueryCondition { .constant(false) }
}

extension QueryOperand<String> {
    /// `$0.name == 1`
    @available(*, unavailable, message: "The left side is a String, the right side a number: put it in quotes.")
    public static func == (left: Self, right: some NumericPropertyValue) -> QueryCondition { .constant(false) }
    /// `$0.name != 1`
    @available(*, unavailable, message: "The left side is a String, the right side a number: put it in quotes.")
    public static func != (left: Self, right: some NumericPropertyValue) -> QueryCondition { .constant(false) }
}

extension QueryOperand<EdmDateTimeOffset> {
    /// `$0.createdAt > "2026-01-01T00:00:00Z"`
    @available(
        *, unavailable,
        message: "The left side is an EdmDateTimeOffset, the right side a String: use EdmDateTimeOffset(parsing:)."
    )
    public static func > (left: Self, right: String) -> QueryCondition { .constant(false) }
    /// `$0.createdAt < "2026-01-01T00:00:00Z"`
    @available(
        *, unavailable,
        message: "The left side is an EdmDateTimeOffset, the right side a String: use EdmDateTimeOffset(parsing:)."
    )
    public static func < (left: Self, right: String) -> QueryCondition { .constant(false) }
}

extension QueryOperand<EdmGuid> {
    /// `$0.id == "01234567-89ab-cdef-0123-456789abcdef"`
    @available(*, unavailable, message: "The left side is an EdmGuid, the right side a String: use EdmGuid(parsing:).")
    public static func == (left: Self, right: String) -> QueryCondition { .constant(false) }
}

/// All others.
extension QueryOperand {
    /// `$0.isOpen == "true"`
    @available(*, unavailable, message: "A QueryOperand<Wrapped> is compared with a Wrapped: see “Values and types”.")
    public static func == (left: Self, right: some PropertyValue) -> QueryCondition { .constant(false) }
    /// `$0.isOpen != "true"`
    @available(*, unavailable, message: "A QueryOperand<Wrapped> is compared with a Wrapped: see “Values and types”.")
    public static func != (left: Self, right: some PropertyValue) -> QueryCondition { .constant(false) }
    /// `$0.dueDate > "2026-01-01"`
    @available(*, unavailable, message: "A QueryOperand<Wrapped> is compared with a Wrapped: see “Values and types”.")
    public static func > (left: Self, right: some PropertyValue) -> QueryCondition { .constant(false) }
    /// `$0.dueDate < "2026-01-01"`
    @available(*, unavailable, message: "A QueryOperand<Wrapped> is compared with a Wrapped: see “Values and types”.")
    public static func < (left: Self, right: some PropertyValue) -> QueryCondition { .constant(false) }
    /// `$0.dueDate >= "2026-01-01"`
    @available(*, unavailable, message: "A QueryOperand<Wrapped> is compared with a Wrapped: see “Values and types”.")
    public static func >= (left: Self, right: some PropertyValue) -> QueryCondition { .constant(false) }
    /// `$0.dueDate <= "2026-01-01"`
    @available(*, unavailable, message: "A QueryOperand<Wrapped> is compared with a Wrapped: see “Values and types”.")
    public static func <= (left: Self, right: some PropertyValue) -> QueryCondition { .constant(false) }
}
