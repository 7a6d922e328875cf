import Foundation
import ODataModel
import ODataQuery

/// Values of Swift and Foundation for which properties have types of OData: `$0.orderDate > Date.now`.
public protocol EdmConvertible {
    /// The type of the properties.
    associatedtype EdmType: PropertyValue
    /// The same value; nil where the type has none, as for NaN.
    var edmValue: EdmType? { get }
}

extension Date: EdmConvertible {
    /// In UTC, to the microsecond.
    public var edmValue: EdmDateTimeOffset? { EdmDateTimeOffset(self) }
}

extension UUID: EdmConvertible {
    public var edmValue: EdmGuid? { EdmGuid(self) }
}

extension Duration: EdmConvertible {
    /// To the picosecond.
    public var edmValue: EdmDuration? { EdmDuration(self) }
}

extension Decimal: EdmConvertible {
    /// With all its digits.
    public var edmValue: EdmDecimal? { EdmDecimal(self) }
}

extension URL: EdmConvertible {
    /// Its text, absolute.
    public var edmValue: String? { absoluteString }
}

extension EdmValue {
    /// The same value in a payload: `["CreatedAt": EdmValue(Date.now)]`; ``null`` for nil, and for NaN.
    public init(_ value: (some EdmConvertible)?) { self = value?.edmValue?.edm ?? .null }
}

/// Nothing is equal to, less or more than a value that the type does not have.
extension QueryOperand {
    /// `ID eq 01234567-89ab-cdef-0123-456789abcdef`
    public static func == <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { right.edmValue.map { left == constant($0) } ?? .constant(false) }

    /// `ID ne 01234567-89ab-cdef-0123-456789abcdef`
    public static func != <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { right.edmValue.map { left != constant($0) } ?? .constant(true) }

    /// `CreatedAt gt 2026-01-01T00:00:00Z`
    public static func > <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { right.edmValue.map { left > constant($0) } ?? .constant(false) }

    /// `CreatedAt ge 2026-01-01T00:00:00Z`
    public static func >= <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { right.edmValue.map { left >= constant($0) } ?? .constant(false) }

    /// `CreatedAt lt 2026-01-01T00:00:00Z`
    public static func < <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { right.edmValue.map { left < constant($0) } ?? .constant(false) }

    /// `CreatedAt le 2026-01-01T00:00:00Z`
    public static func <= <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { right.edmValue.map { left <= constant($0) } ?? .constant(false) }

    /// `ID in (01234567-89ab-cdef-0123-456789abcdef)`
    public func isIn<Other: EdmConvertible>(_ values: some Sequence<Other>) -> QueryCondition
    where Other.EdmType == Wrapped { isIn(values.compactMap(\.edmValue)) }
}
