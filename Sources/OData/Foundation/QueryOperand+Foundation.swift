import Foundation
import ODataModel
import ODataQuery

/// Values of Swift and Foundation for which properties have types of OData: `$0.orderDate > Date.now`.
public protocol EdmConvertible {
    /// The type of the properties.
    associatedtype EdmType: PropertyValue
    /// The same value.
    var edmValue: EdmType { get }
}

extension Date: EdmConvertible {
    /// In UTC, to the microsecond.
    public var edmValue: EdmDateTimeOffset { EdmDateTimeOffset(self) }
}

extension UUID: EdmConvertible {
    public var edmValue: EdmGuid { EdmGuid(self) }
}

extension Duration: EdmConvertible {
    /// To the picosecond.
    public var edmValue: EdmDuration { EdmDuration(self) }
}

extension QueryOperand {
    /// `ID eq 01234567-89ab-cdef-0123-456789abcdef`
    public static func == <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { left == constant(right.edmValue) }

    /// `ID ne 01234567-89ab-cdef-0123-456789abcdef`
    public static func != <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { left != constant(right.edmValue) }

    /// `CreatedAt gt 2026-01-01T00:00:00Z`
    public static func > <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { left > constant(right.edmValue) }

    /// `CreatedAt ge 2026-01-01T00:00:00Z`
    public static func >= <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { left >= constant(right.edmValue) }

    /// `CreatedAt lt 2026-01-01T00:00:00Z`
    public static func < <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { left < constant(right.edmValue) }

    /// `CreatedAt le 2026-01-01T00:00:00Z`
    public static func <= <Other: EdmConvertible>(left: Self, right: Other) -> QueryCondition
    where Other.EdmType == Wrapped { left <= constant(right.edmValue) }

    /// `ID in (01234567-89ab-cdef-0123-456789abcdef)`
    public func isIn<Other: EdmConvertible>(_ values: some Sequence<Other>) -> QueryCondition
    where Other.EdmType == Wrapped { isIn(values.map(\.edmValue)) }
}
