import ODataModel
import ODataQuery

/// `in`. [OData-URL, section 5.1.1.1.11]
extension ExpressionTranslator {
    func membership(_ operand: QueryExpression, _ list: [QueryExpression], isPositive: Bool) throws -> SQLFragment {
        if list.count == 1, let only = list.first, let collection = try members(ifCollection: only, beside: operand) {
            return try membership(operand, in: collection)
        }
        let term = try term(operand)
        return try membership(term, list.map { try self.term($0) }, isPositive: isPositive)
    }

    /// `Name in ('a','b')`
    private func membership(_ operand: Term, _ list: [Term], isPositive: Bool) throws -> SQLFragment {
        let hasNull = list.contains { $0.literal == .null }
        let values = list.filter { $0.literal != .null }
        let bindings = values.compactMap { plainBinding($0, for: operand) }
        guard operand.literal == nil, bindings.count == values.count else {
            let parts = try list.map { try comparison(.eq, operand, $0, isPositive: isPositive) }
            return Self.chain(parts, " OR ")
        }
        var result: SQLFragment = operand.collated + " IN (" + bindings.map(SQLFragment.bound).joined(", ") + ")"
        if operand.isNullable, !isPositive { result = .call("coalesce", [result, "0"]) }
        if hasNull { result = result + " OR " + operand.sql + " IS NULL" }
        return result.parenthesised
    }

    /// The form of a literal in the list that the operand's column is compared with.
    private func plainBinding(_ term: Term, for operand: Term) -> SQLBinding? {
        guard let value = term.literal, operand.type?.enumeration == nil, !operand.isEnumeration, !operand.isUntyped,
            operand.entity == nil
        else { return nil }
        if case .double(let number) = value, number.isNaN { return nil }
        return comparand(value, for: operand)
    }

    /// `Name in Tags`
    private func membership(_ operand: QueryExpression, in members: CollectionMembers) throws -> SQLFragment {
        let item = try members.term(self)
        let test = try comparison(.eq, try term(operand), item, isPositive: false)
        return .exists(in: members.tables, where: members.conditions + [test])
    }

    /// The members of the right side if it is a collection; nil if it is a single value.
    private func members(ifCollection expression: QueryExpression, beside operand: QueryExpression) throws
        -> CollectionMembers?
    {
        switch expression {
        case .path(let path):
            guard path.type?.isCollection == true, operand.type?.isCollection != true else { return nil }
            return try members(of: path)
        case .literal(.collection(let values), _):
            let isNested = values.contains { if case .collection = $0 { true } else { false } }
            if operand.type?.isCollection == true, !isNested { return nil }
        case .list, .root, .member, .operation, .cast:
            guard expression.type?.isCollection == true else { return nil }
            if operand.type?.isCollection == true, expression.type?.element?.isCollection != true { return nil }
        default: return nil
        }
        return try members(in: try term(expression))
    }
}
