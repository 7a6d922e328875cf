import ODataModel

/// An expression over the entities of a collection, with the Swift type of its value: a property, or what operators
/// and functions make of some.
///
/// ```swift
/// products.where { $0.price > 20 && $0.name.hasPrefix("Ch") }     // Price gt 20 and startswith(Name,'Ch')
/// ```
///
/// Null is compared as in OData: with `== nil`; a property that is null is neither less nor more than anything.
///
/// [OData-URL, section 5.1.1]
public struct QueryOperand<Wrapped: PropertyValue>: Sendable {
    /// What binds tighter is later.
    ///
    /// [OData-URL, section 5.1.1.17: Operator Precedence]
    package enum Precedence: Int, Sendable {
        case or, and, equality, relational, sum, product, unary, primary
    }

    package let expression: ExpressionText
    package let precedence: Precedence

    package init(_ expression: ExpressionText, _ precedence: Precedence = .primary) {
        (self.expression, self.precedence) = (expression, precedence)
    }

    /// `Price gt 20`, not percent-encoded, as it is in an option of the collection itself.
    public var text: String { expression.text }

    /// In parentheses where it binds weaker than what it becomes part of.
    func part(in other: Precedence, isRight: Bool = false) -> ExpressionText {
        precedence.rawValue > other.rawValue || precedence == other && !isRight ? expression : "(\(expression))"
    }

    /// A constant.
    public static func constant(_ value: Wrapped) -> Self { QueryOperand("\(value.edm.urlLiteral)") }

    /// What Swift has no word for, in OData's: `.odata("geo.distance(\($0.location),\(point)) lt 500")`. Names in the
    /// text are of the entity, or of what is counted; operands that are put in are named by where they stand.
    ///
    /// The text is not checked before the store is asked.
    public static func odata(_ text: ExpressionText) -> Self { QueryOperand(text, .or) }
}

/// What `where` takes.
public typealias QueryCondition = QueryOperand<Bool>

extension QueryOperand {
    func joined<Result, Other>(
        _ word: String, _ other: QueryOperand<Other>, _ precedence: QueryOperand<Result>.Precedence
    ) -> QueryOperand<Result> {
        let level = Precedence(rawValue: precedence.rawValue) ?? .or
        let right = QueryOperand<Other>.Precedence(rawValue: precedence.rawValue) ?? .or
        return QueryOperand<Result>("\(part(in: level)) \(word) \(other.part(in: right, isRight: true))", precedence)
    }

    /// `round(Price)`
    func call<Result>(_ name: String) -> QueryOperand<Result> { QueryOperand<Result>("\(name)(\(expression))") }

    /// `contains(Name,'ai')`
    func call<Result, Argument>(_ name: String, _ argument: QueryOperand<Argument>) -> QueryOperand<Result> {
        QueryOperand<Result>("\(name)(\(expression),\(argument.expression))")
    }
}

extension QueryOperand<Bool> {
    /// `Discontinued and Price gt 20`
    public static func && (left: Self, right: Self) -> Self { left.joined("and", right, .and) }
    /// `Discontinued or Price gt 20`
    public static func || (left: Self, right: Self) -> Self { left.joined("or", right, .or) }
    /// `not Discontinued`
    public static prefix func ! (operand: Self) -> Self { QueryOperand("not \(operand.part(in: .primary))", .unary) }
}

extension QueryOperand where Wrapped: FlagsValue {
    /// `Rights has Shop.Rights'Read'`
    ///
    /// [OData-URL, section 5.1.1.1.9]
    public func has(_ flags: Wrapped) -> QueryCondition {
        QueryCondition("\(part(in: .primary)) has \(flags.edm.urlLiteral)", .relational)
    }
}
