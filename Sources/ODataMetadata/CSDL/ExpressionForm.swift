import ODataModel

extension EdmAnnotation.Expression.Kind {
    /// How many operands the expression takes; nil for any number.
    ///
    /// [OData-CSDLXML, sections 14.4.2 to 14.4.13]
    var operandCount: ClosedRange<Int>? {
        switch self {
        case .null, .labeledElementReference: 0...0
        case .not, .neg, .cast, .isOf, .labeledElement, .urlRef: 1...1
        case .and, .or, .eq, .ne, .gt, .ge, .lt, .le, .has, .in, .add, .sub, .mul, .div, .divBy, .mod: 2...2
        case .if: 2...3
        case .apply: nil
        }
    }

    /// Whether JSON has the one operand itself where others have an array of operands.
    var isUnary: Bool { operandCount == 1...1 }

    /// Whether a type with its facets belongs to it.
    var isTyped: Bool { self == .cast || self == .isOf }

    /// What ``EdmAnnotation/Expression/name`` is in XML, and behind `$` in JSON; nil for expressions without a name.
    var nameAttribute: String? {
        switch self {
        case .apply: "Function"
        case .labeledElement, .labeledElementReference: "Name"
        default: nil
        }
    }
}

extension EdmAnnotation.Expression {
    /// What is missing or too much, as sentences. The expression is kept as it is.
    var problems: [String] {
        var problems: [String] = []
        if let count = kind.operandCount, !count.contains(operands.count) {
            let wanted = count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) or \(count.upperBound)"
            problems.append("\(kind.rawValue) takes \(wanted) operands and has \(operands.count).")
        }
        if let attribute = kind.nameAttribute, name?.isEmpty ?? true {
            problems.append("\(kind.rawValue) has no \(attribute).")
        }
        if kind.isTyped, type?.isEmpty ?? true { problems.append("\(kind.rawValue) has no Type.") }
        return problems
    }

    /// Why no form of metadata has a place for all parts of the expression; nil where they have.
    var misplaced: String? {
        let what = kind.rawValue
        if kind.operandCount == 0...0, !operands.isEmpty { return "\(what) has operands, which it cannot have." }
        if kind.nameAttribute == nil, name != nil { return "\(what) has a name, which it cannot have." }
        if !kind.isTyped, type != nil { return "\(what) has a type, which it cannot have." }
        if type == nil, facets != EdmFacets() { return "\(what) has facets without a type." }
        if kind == .labeledElementReference, !annotations.isEmpty { return "\(what) cannot be annotated." }
        return nil
    }
}

extension EdmFacets {
    /// The facet with a number that no reader takes: `MaxLength -1`.
    var impossible: String? {
        var numbers = [("MaxLength", maxLength), ("Precision", precision)]
        if case .fixed(let digits) = scale { numbers.append(("Scale", digits)) }
        return numbers.first { $0.1 ?? 0 < 0 }.map { "\($0.0) \($0.1 ?? 0)" }
    }
}
