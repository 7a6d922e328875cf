import ODataModel

extension ApplyExpression {
    /// `filter(Amount gt 5)/groupby((Country),aggregate(Amount with sum as Total))`
    public var text: String { steps.text }
}

extension [ApplyExpression.Step] {
    fileprivate var text: String { map(\.transformation.text).joined(separator: "/") }
}

extension SetTransformation {
    fileprivate var text: String {
        switch self {
        case .identity: "identity"
        case .aggregate(let items): "aggregate(" + items.map(\.text).joined(separator: ",") + ")"
        case .groupBy(let groups, let steps):
            "groupby((" + groups.map(\.text).joined(separator: ",") + ")"
                + (steps.isEmpty ? ")" : "," + steps.text + ")")
        case .filter(let predicate): "filter(" + predicate.text + ")"
        case .search(let search): "search(" + search.text + ")"
        case .orderBy(let items): "orderby(" + items.map { $0.text(isNested: false) }.joined(separator: ",") + ")"
        case .skip(let count): "skip(\(count))"
        case .top(let count): "top(\(count))"
        case .compute(let items): "compute(" + items.map { $0.text(isNested: false) }.joined(separator: ",") + ")"
        case .concat(let sequences): "concat(" + sequences.map(\.text).joined(separator: ",") + ")"
        case .ranked(let ranking, let amount, let value): "\(ranking.rawValue)(\(amount.text),\(value.text))"
        case .join(let path, let alias, let steps, let isOuter):
            (isOuter ? "outerjoin(" : "join(") + "\(path.text) as \(alias)"
                + (steps.isEmpty ? ")" : "," + steps.text + ")")
        case .nest(let items): "nest(" + items.map(\.text).joined(separator: ",") + ")"
        case .addNested(let path, let items):
            "addnested(\(path.text)," + items.map(\.text).joined(separator: ",") + ")"
        case .related(let related): related.text
        case .traverse(let traversal): traversal.text
        case .operation(let call): call.text
        }
    }
}

extension NestItem {
    fileprivate var text: String { "\(steps.text) as \(alias)" }
}

extension GroupingItem {
    fileprivate var text: String {
        switch self {
        case .path(let path): path.text
        case .rollup(let paths, let hasAll):
            "rollup(" + ((hasAll ? ["$all"] : []) + paths.map(\.text)).joined(separator: ",") + ")"
        case .recursive(let rollup): rollup.text
        }
    }
}

extension AggregateItem {
    fileprivate var text: String {
        var writer = ExpressionWriter(isNested: false)
        return writer.text(self) + " as \(alias)"
    }
}

extension ExpressionWriter {
    /// `Amount with sum from Month with average`
    mutating func text(_ item: AggregateItem) -> String {
        var text =
            switch item.source {
            case .expression(let expression): self.text(expression)
            case .count(let path): (path.map { self.text($0) + "/" } ?? "") + "$count"
            }
        if let method = item.method { text += " with \(method.name)" }
        for level in item.from {
            text += " from " + level.groups.map { self.text($0) }.joined(separator: ",")
            text += " with \(level.method.name)"
        }
        return text
    }
}
