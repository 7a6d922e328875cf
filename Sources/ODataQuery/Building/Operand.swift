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
public struct Operand<Wrapped: PropertyValue>: Sendable {
    /// What binds tighter comes later.
    ///
    /// [OData-URL, section 5.1.1.17: Operator Precedence]
    package enum Precedence: Int, Sendable {
        case or, and, equality, relation, sum, product, unary, primary
    }

    /// `Price gt 20`, not percent-encoded.
    public let text: String
    package let precedence: Precedence

    package init(_ text: String, _ precedence: Precedence = .primary) {
        (self.text, self.precedence) = (text, precedence)
    }

    /// In parentheses where it binds weaker than what it becomes part of.
    package func text(in other: Precedence, isRight: Bool = false) -> String {
        precedence.rawValue > other.rawValue || precedence == other && !isRight ? text : "(\(text))"
    }

    /// A constant.
    public static func constant(_ value: Wrapped) -> Operand { Operand(value.edm.urlLiteral) }
}

/// What `where` takes.
public typealias Condition = Operand<Bool>

extension Operand {
    package func joined<Result, Other>(
        _ word: String, _ other: Operand<Other>, _ precedence: Operand<Result>.Precedence
    ) -> Operand<Result> {
        let level = Precedence(rawValue: precedence.rawValue) ?? .or
        let right = Operand<Other>.Precedence(rawValue: precedence.rawValue) ?? .or
        return Operand<Result>(
            "\(text(in: level)) \(word) \(other.text(in: right, isRight: true))", precedence)
    }

    package func call<Result>(_ name: String, _ arguments: String...) -> Operand<Result> {
        Operand<Result>("\(name)(\(([text] + arguments).joined(separator: ",")))")
    }

    /// `Name eq 'Chai'`
    public static func == (left: Operand, right: Operand) -> Condition { left.joined("eq", right, .equality) }
    /// `Name eq 'Chai'`, or `Name eq null`
    public static func == (left: Operand, right: Wrapped?) -> Condition { left == literal(right) }
    /// `Name ne 'Chai'`
    public static func != (left: Operand, right: Operand) -> Condition { left.joined("ne", right, .equality) }
    /// `Name ne 'Chai'`, or `Name ne null`
    public static func != (left: Operand, right: Wrapped?) -> Condition { left != literal(right) }

    private static func literal(_ value: Wrapped?) -> Operand { value.map(constant) ?? Operand("null") }

    /// `ID in (1,2)`; false where there are none.
    ///
    /// [OData-URL, section 5.1.1.1.12]
    public func isIn(_ values: some Sequence<Wrapped>) -> Condition {
        let list = values.map(\.edm.urlLiteral).joined(separator: ",")
        return list.isEmpty ? Condition("false") : Condition("\(text(in: .primary)) in (\(list))", .relation)
    }
}

extension Operand {
    /// `Price gt 20`
    public static func > (left: Operand, right: Operand) -> Condition { left.joined("gt", right, .relation) }
    /// `Price ge 20`
    public static func >= (left: Operand, right: Operand) -> Condition { left.joined("ge", right, .relation) }
    /// `Price lt 20`
    public static func < (left: Operand, right: Operand) -> Condition { left.joined("lt", right, .relation) }
    /// `Price le 20`
    public static func <= (left: Operand, right: Operand) -> Condition { left.joined("le", right, .relation) }
    /// `Price gt 20`
    public static func > (left: Operand, right: Wrapped) -> Condition { left > constant(right) }
    /// `Price ge 20`
    public static func >= (left: Operand, right: Wrapped) -> Condition { left >= constant(right) }
    /// `Price lt 20`
    public static func < (left: Operand, right: Wrapped) -> Condition { left < constant(right) }
    /// `Price le 20`
    public static func <= (left: Operand, right: Wrapped) -> Condition { left <= constant(right) }

    /// `Price ge 10 and Price le 20`
    public func isWithin(_ range: ClosedRange<Wrapped>) -> Condition where Wrapped: Comparable {
        self >= range.lowerBound && self <= range.upperBound
    }

    /// `Price ge 10 and Price lt 20`
    public func isWithin(_ range: Range<Wrapped>) -> Condition where Wrapped: Comparable {
        self >= range.lowerBound && self < range.upperBound
    }
}

extension Operand<Bool> {
    /// `Discontinued and Price gt 20`
    public static func && (left: Operand, right: Operand) -> Operand { left.joined("and", right, .and) }
    /// `Discontinued or Price gt 20`
    public static func || (left: Operand, right: Operand) -> Operand { left.joined("or", right, .or) }
    /// `not Discontinued`
    public static prefix func ! (operand: Operand) -> Operand {
        Operand("not \(operand.text(in: .primary))", .unary)
    }
}

extension Operand where Wrapped: FlagsValue {
    /// `Rights has Shop.Rights'Read'`
    ///
    /// [OData-URL, section 5.1.1.1.9]
    public func has(_ flags: Wrapped) -> Condition {
        Condition("\(text(in: .primary)) has \(flags.edm.urlLiteral)", .relation)
    }
}
