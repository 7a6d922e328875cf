import ODataModel
import ODataQuery

/// `$apply`: each transformation turns rows into rows.
///
/// [OData-Aggregation, section 3]
extension RowSet {
    mutating func apply(_ steps: [ApplyExpression.Step]) throws {
        for step in steps {
            try apply(step.transformation)
            scope.type = step.type
        }
    }

    private mutating func apply(_ transformation: SetTransformation) throws {
        switch transformation {
        case .identity: break
        case .filter(let expression): try filter(expression)
        case .search(let expression): try search(expression)
        case .orderBy(let items): try orderBy(items)
        case .skip(let count): try cut(skip: count, top: nil)
        case .top(let count): try cut(skip: 0, top: count)
        case .compute(let items): try compute(items)
        case .aggregate(let items): try aggregate(items)
        case .groupBy(let items, let steps): try group(items, steps: steps)
        case .concat(let branches): try concat(branches)
        case .ranked(let ranking, let amount, let value): try rank(ranking, amount: amount, value: value)
        case .join(let path, let alias, let steps, let isOuter):
            try join(path, alias: alias, steps: steps, isOuter: isOuter)
        case .nest(let items): try nest(items)
        case .addNested(let path, let items): try addNested(path, items)
        case .related(let related): try keep(related)
        case .traverse(let traversal): try traverse(traversal)
        case .operation(let call): throw ExpressionTranslator.unsupported("\(call.operation.name)")
        }
    }

    // MARK: topcount, topsum, toppercent and their opposites

    /// Keeps the first or last rows in the order of `value`; rows of equal value keep the order of the input.
    ///
    /// [OData-Aggregation, section 3.3]
    private mutating func rank(_ ranking: RankingTransformation, amount: QueryExpression, value: QueryExpression) throws
    {
        try prepare([amount, value])
        let isTop = ranking == .topcount || ranking == .topsum || ranking == .toppercent
        let limit = try expressions.amount(of: ranking, amount)
        let term = try expressions.term(value)
        let first = OrderTerm(expression: term.sortKey, isDescending: isTop, isNullable: term.isNullable)
        let order = [first] + (try totalOrder()).filter { !first.names($0) }
        switch ranking {
        case .topcount, .bottomcount:
            let number = "row_number() OVER (" + window(order) + ")"
            let (place, last) = try define(Term(number, .integer), beside: limit)
            conditions.append(place.sql + " <= " + last.sql)
        case .topsum, .bottomsum:
            let (before, end) = try define(running(term, order), beside: limit)
            conditions.append(
                before.codec == .real ? before.real + " < " + end.real : before.decimal + " < " + end.decimal)
        case .toppercent, .bottompercent:
            let sum = "total(" + term.real + ") OVER (" + window([]) + ")"
            let share = running(term, order).real + " * 100.0 / nullif(" + sum + ", 0)"
            let (before, end) = try define(Term("coalesce(" + share + ", 0)", .real), beside: limit)
            conditions.append(before.sql + " < " + end.real)
        }
    }

    /// Adds columns for a number of each row and for its limit, which may refer to `$these` or to the expanded row.
    private mutating func define(_ number: Term, beside limit: Term) throws -> (Term, Term) {
        let extras = (limit.literal == nil ? [number, limit] : [number]).map {
            Column(name: "n$\(context.number())", property: nil, term: $0)
        }
        try define(extras)
        let terms = extras.map { Term(scope.column($0.name), $0.term.codec, isColumn: true) }
        return (terms[0], terms.count > 1 ? terms[1] : limit)
    }

    /// The sum of the values before a row in `order`.
    private func running(_ term: Term, _ order: [OrderTerm]) -> Term {
        let frame = window(order, rest: " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING")
        let sum: SQLFragment = "\(raw: term.sumFunction)(\(term.sql)) OVER (\(frame))"
        return Term(.call("coalesce", [sum, "0"]), term.sumCodec)
    }
}

extension ExpressionTranslator {
    /// The first parameter of a top or bottom transformation; the statement fails if its value is invalid.
    fileprivate func amount(of ranking: RankingTransformation, _ expression: QueryExpression) throws -> Term {
        var amount = try term(expression)
        guard amount.literal == nil else { return amount }
        amount.sql = .call("odata_amount", [amount.sql, SQLFragment.literal(ranking.rawValue)])
        amount.isColumn = false
        return amount
    }
}

extension Term {
    /// The SQL function that sums values of this codec; decimals keep all digits.
    var sumFunction: String { codec == .real || codec == .integer ? "sum" : "odata_sum" }

    var sumCodec: ColumnCodec { codec == .real || codec == .integer ? codec : .decimalText }
}
