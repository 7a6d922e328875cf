import ODataModel

/// A name as written, and its offset in the decoded text.
struct NameSyntax {
    var text: String
    var offset: Int

    /// Whether this is a name like `Model.Manager`.
    var isQualified: Bool { text.utf8.contains(UInt8(ascii: ".")) }
}

/// `12`, `'abc'`, `2024-01-02`
struct LiteralSyntax {
    var value: Value
    var offset: Int
}

/// `Products(1)`
struct SegmentSyntax {
    enum Key {
        /// `()`: a function without parameters.
        case empty
        /// `(1)`
        case single(LiteralSyntax)
        /// `(OrderID=1,ProductID=2)`
        case named([(name: NameSyntax, value: LiteralSyntax)])
    }

    var name: NameSyntax
    var key: Key?
    var keyOffset: Int
}

/// An expression of `$filter` or `$orderby` as written.
struct ExpressionSyntax {
    indirect enum Kind {
        case literal(Value)
        case member(MemberSyntax)
        case not(ExpressionSyntax)
        case negate(ExpressionSyntax)
        /// `a and b and c`: a whole chain, so that its length does not count as depth.
        case logical(BinaryOperator, [ExpressionSyntax])
        case binary(BinaryOperator, ExpressionSyntax, ExpressionSyntax)
        /// `a in (1,2)`
        case inList(ExpressionSyntax, [ExpressionSyntax])
        /// `contains(a,b)`
        case call(NameSyntax, [ExpressionSyntax])
    }

    var kind: Kind
    /// Of the operator for binary operations, of the first character for others.
    var offset: Int
    /// The longest way down to a leaf.
    var height: Int
}

/// `Category/Name`, `$it/Name`, `Items/$count`, `Items/any(i:i/Quantity gt 5)`
struct MemberSyntax {
    enum Suffix {
        case count
        case lambda(LambdaOperator, variable: NameSyntax?, predicate: ExpressionSyntax?)
    }

    var names: [NameSyntax]
    var suffix: Suffix?
}

/// System query options as written.
struct OptionsSyntax {
    struct OrderItem {
        var expression: ExpressionSyntax
        var isDescending: Bool
    }

    struct SelectItem {
        /// Empty for `*`.
        var path: [NameSyntax]
    }

    struct ExpandItem {
        var path: [NameSyntax]
        var form: BoundForm
        var options: OptionsSyntax
    }

    typealias BoundForm = ODataQuery.ExpandItem.Form

    var filter: ExpressionSyntax?
    var select: [SelectItem]?
    var expand: [ExpandItem] = []
    var orderBy: [OrderItem] = []
    var top: Int?
    var skip: Int?
    var count: Bool?
    var skipToken: String?
    var deltaToken: String?
    var format: String?
    var id: String?
    /// Where each option that was given stands.
    var given: [(option: SystemOption, offset: Int)] = []
}
