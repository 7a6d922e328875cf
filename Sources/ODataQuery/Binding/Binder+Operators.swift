import ODataModel

/// Operators with two sides.
///
/// [OData-URL, sections 5.1.1.1 and 5.1.1.2]
extension Binder {
    func binary(
        _ operation: BinaryOperator, _ left: ExpressionSyntax, _ right: ExpressionSyntax, at offset: Int,
        in scope: BindingScope
    ) throws(QueryError) -> Typed {
        var sides = (try side(left, of: operation, in: scope), try side(right, of: operation, in: scope))
        if operation.isArithmetic {
            meet(&sides.0, &sides.1, isArithmetic: true)
            guard !sides.0.expression.isObject, !sides.1.expression.isObject,
                let result = operation.resultType(sides.0.type, sides.1.type)
            else {
                throw misfit(operation.rawValue, sides.0.type, sides.1.type, at: offset)
            }
            return (.binary(operation, sides.0.expression, sides.1.expression), result)
        }
        meet(&sides.0, &sides.1, isArithmetic: false)
        try checkComparison(operation, sides.0, sides.1, at: offset)
        return (.binary(operation, sides.0.expression, sides.1.expression), .boolean)
    }

    private func side(
        _ syntax: ExpressionSyntax, of operation: BinaryOperator, in scope: BindingScope
    ) throws(QueryError) -> Typed {
        if operation.isArithmetic { return try expression(syntax, in: scope) }
        return try operand(syntax, in: scope)
    }

    func inList(
        _ left: ExpressionSyntax, _ items: [ExpressionSyntax], in scope: BindingScope
    ) throws(QueryError) -> Typed {
        let wanted = try operand(left, in: scope)
        if items.count == 1 {
            let only = try expression(items[0], in: scope)
            if let element = only.type?.element, wanted.type?.isCollection != true {
                return try membership(wanted, only, element, at: items[0].offset)
            }
        }
        var bound: [QueryExpression] = []
        for item in items {
            var sides = (wanted, try expression(item, in: scope))
            if !wanted.expression.isLiteral { meet(&sides.0, &sides.1, isArithmetic: false) }
            try checkComparison(.eq, sides.0, sides.1, at: item.offset, named: "in")
            bound.append(sides.1.expression)
        }
        return (.inList(wanted.expression, bound), .boolean)
    }

    /// `a in [1,2]`, `a in Names`, `a in @list`
    func inCollection(
        _ left: ExpressionSyntax, _ right: ExpressionSyntax, in scope: BindingScope
    ) throws(QueryError) -> Typed {
        if case .array(let items) = right.kind { return try inList(left, items, in: scope) }
        let wanted = try operand(left, in: scope)
        let list = try expression(right, in: scope.throughCollections)
        guard let element = list.type?.element ?? (list.type == .untyped ? .untyped : nil) else {
            throw mismatch("This is of type \(describe(list.type)).", right, expected: "a collection")
        }
        return try membership(wanted, list, element, at: right.offset)
    }

    private func membership(
        _ wanted: Typed, _ list: Typed, _ element: EdmTypeReference, at offset: Int
    ) throws(QueryError) -> Typed {
        guard case .literal(.collection(let values), _) = list.expression else {
            try checkComparison(.eq, wanted, (list.expression, element), at: offset, named: "in")
            return (.inList(wanted.expression, [list.expression]), .boolean)
        }
        var bound: [QueryExpression] = []
        for value in values {
            var sides: (Typed, Typed) = (wanted, (.literal(value, type(of: value)), type(of: value)))
            if !wanted.expression.isLiteral { meet(&sides.0, &sides.1, isArithmetic: false) }
            try checkComparison(.eq, sides.0, sides.1, at: offset, named: "in")
            bound.append(sides.1.expression)
        }
        return (.inList(wanted.expression, bound), .boolean)
    }

    /// Gives a literal the type of the other side. An integer keeps dividing as an integer: `7 div 2.0`.
    func meet(_ left: inout Typed, _ right: inout Typed, isArithmetic: Bool) {
        switch (left.expression.isLiteral, right.expression.isLiteral) {
        case (false, true): convert(&right, left.type, isArithmetic: isArithmetic)
        case (true, false): convert(&left, right.type, isArithmetic: isArithmetic)
        default: break
        }
    }

    private func convert(_ side: inout Typed, _ type: EdmTypeReference?, isArithmetic: Bool) {
        guard let type, type != .untyped, type != side.type || type.isCollection,
            case .literal(let value, _) = side.expression, !value.isNull, !isOtherSpace(type, side.type)
        else { return }
        if isArithmetic {
            guard side.type?.primitive?.isNumeric == true, type.primitive?.isNumeric == true else { return }
            if case .decimal = value, type.primitive?.integerRange != nil { return }
        }
        guard let converted = coerced(value, to: type) else { return }
        side = (.literal(converted, type), type)
    }

    /// Whether one type is of places on the earth and the other of points in a plane, which have no distance.
    func isOtherSpace(_ left: EdmTypeReference?, _ right: EdmTypeReference?) -> Bool {
        guard let left = left?.primitive?.isGeography, let right = right?.primitive?.isGeography else { return false }
        return left != right
    }

    /// - Parameter name: what the operator is called, where that is not `operation`.
    func checkComparison(
        _ operation: BinaryOperator, _ left: Typed, _ right: Typed, at offset: Int, named name: String? = nil
    ) throws(QueryError) {
        let isFit =
            switch (left.type, right.type) {
            case (let left?, let right?): isComparable(left, right, with: operation)
            case (let only?, nil), (nil, let only?): only.isComparableToNull(with: operation)
            case (nil, nil): true
            }
        guard isFit, canMeet(left, right.type, with: operation), canMeet(right, left.type, with: operation) else {
            throw misfit(name ?? operation.rawValue, left.type, right.type, at: offset)
        }
    }

    /// False for an object without a type beside what no object can equal: `Price gt {"a":1}`
    private func canMeet(_ side: Typed, _ other: EdmTypeReference?, with operation: BinaryOperator) -> Bool {
        guard side.expression.isObject, side.type == .untyped else { return true }
        guard operation.isEquality else { return false }
        switch other {
        case .primitive(let type): return type == .untyped || type.isGeospatial
        case .enumeration, .collection: return false
        default: return true
        }
    }

    private func isComparable(
        _ left: EdmTypeReference, _ right: EdmTypeReference, with operation: BinaryOperator
    ) -> Bool {
        guard !isOtherSpace(left, right) else { return false }
        if left.isComparable(to: right, with: operation) { return true }
        guard let left = structuredType(left), let right = structuredType(right) else { return false }
        return operation.isEquality && (left.isKind(of: right) || right.isKind(of: left))
    }

    private func misfit(
        _ operation: String, _ left: EdmTypeReference?, _ right: EdmTypeReference?, at offset: Int
    ) -> QueryError {
        error(
            .typeMismatch, "The operator \(operation) does not apply to \(describe(left)) and \(describe(right)).",
            at: offset)
    }
}
