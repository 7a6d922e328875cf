import ODataModel

extension BinaryOperator {
    /// The type of an arithmetic operation; nil if it does not apply, and a nil inside if both sides are `null`.
    ///
    /// [OData-URL, section 5.1.1.2: Arithmetic Operators, and Numeric Promotion]
    func resultType(_ left: EdmTypeReference?, _ right: EdmTypeReference?) -> EdmTypeReference?? {
        guard let left, let right else {
            guard let known = left ?? right else { return .some(nil) }
            guard let primitive = known.primitive, primitive.isCalculable else { return nil }
            return known
        }
        if left == .untyped { return right.primitive?.isCalculable == true ? right : nil }
        if right == .untyped { return left.primitive?.isCalculable == true ? left : nil }
        guard let left = left.primitive, let right = right.primitive else { return nil }
        return resultType(left, right).map { .primitive($0) }
    }

    private func resultType(_ left: EdmPrimitiveType, _ right: EdmPrimitiveType) -> EdmPrimitiveType? {
        if let promoted = left.promoted(with: right) {
            return self == .divby && promoted.integerRange != nil ? .decimal : promoted
        }
        switch (self, left, right) {
        case (.add, .dateTimeOffset, .duration), (.sub, .dateTimeOffset, .duration): return .dateTimeOffset
        case (.add, .date, .duration), (.sub, .date, .duration): return .date
        case (.add, .duration, .dateTimeOffset): return .dateTimeOffset
        case (.add, .duration, .date): return .date
        case (.sub, .dateTimeOffset, .dateTimeOffset), (.sub, .date, .date): return .duration
        case (.add, .duration, .duration), (.sub, .duration, .duration): return .duration
        case (.mul, .duration, _), (.div, .duration, _), (.divby, .duration, _):
            return right.isNumeric ? .duration : nil
        case (.mul, _, .duration): return left.isNumeric ? .duration : nil
        default: return nil
        }
    }
}

extension EdmPrimitiveType {
    /// The common type of two numeric types; nil if one is not numeric.
    func promoted(with other: EdmPrimitiveType) -> EdmPrimitiveType? {
        let order: [EdmPrimitiveType] = [.double, .single, .decimal, .int64, .int32, .int16, .sByte, .byte]
        guard isNumeric, other.isNumeric else { return nil }
        let widest = order.first { $0 == self || $0 == other }
        // No 8-bit type holds the values of both.
        return widest == .sByte && self != other ? .int16 : widest
    }

    /// Whether values are on the round earth; nil for types that are not geospatial.
    var isGeography: Bool? { isGeospatial ? rawValue.hasPrefix("Geography") : nil }

    fileprivate var isCalculable: Bool {
        isNumeric || self == .duration || self == .date || self == .dateTimeOffset || self == .untyped
    }

    fileprivate var isOrdered: Bool { !isGeospatial && self != .stream && self != .binary }
}

extension EdmTypeReference {
    /// Whether values of the two types can be compared.
    func isComparable(to other: EdmTypeReference, with operation: BinaryOperator) -> Bool {
        if operation == .has {
            if case .enumeration = self { return self == other }
            return self == .untyped
        }
        if self == .untyped || other == .untyped { return true }
        switch (self, other) {
        case (.primitive(let left), .primitive(let right)):
            guard left == right || left.promoted(with: right) != nil else {
                return operation.isEquality && left.isGeospatial && right.isGeospatial
            }
            return left.isOrdered || (operation.isEquality && left != .stream)
        case (.enumeration, .enumeration): return self == other
        case (.complex, .complex): return operation.isEquality && self == other
        case (.collection(let left), .collection(let right)):
            return operation.isEquality && left.isComparable(to: right, with: .eq)
        default: return false
        }
    }

    func isComparableToNull(with operation: BinaryOperator) -> Bool {
        switch self {
        case .primitive(let type): type != .stream || operation.isEquality
        case .enumeration: true
        case .complex, .entity: operation.isEquality
        case .collection: operation.isEquality
        }
    }
}

extension BinaryOperator {
    var isEquality: Bool { self == .eq || self == .ne }
}
