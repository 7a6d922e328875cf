import ODataModel
import ODataQuery

/// `$apply`
extension SyntaxWriter {
    func text(_ steps: [TransformationSyntax]) -> String { steps.map { text($0) }.joined(separator: "/") }

    private func text(_ step: TransformationSyntax) -> String {
        switch step.kind {
        case .identity: "identity"
        case .aggregate(let items): "aggregate(" + items.map { text($0) }.joined(separator: ",") + ")"
        case .groupBy(let items, let steps):
            "groupby((" + items.map { text($0) }.joined(separator: ",") + ")" + rest(steps) + ")"
        case .filter(let expression): "filter(" + text(expression) + ")"
        case .search(let search): "search(" + text(search) + ")"
        case .orderBy(let items): "orderby(" + text(items) + ")"
        case .top(let number): "top(\(number))"
        case .skip(let number): "skip(\(number))"
        case .compute(let items): "compute(" + text(items) + ")"
        case .concat(let sequences): "concat(" + sequences.map { text($0) }.joined(separator: ",") + ")"
        case .ranked(let ranking, let amount, let value): "\(ranking.rawValue)(\(text(amount)),\(text(value)))"
        case .join(let path, let alias, let steps, let isOuter):
            (isOuter ? "outerjoin(" : "join(") + text(path) + " as " + alias.text + rest(steps) + ")"
        case .nest(let items): "nest(" + text(items) + ")"
        case .addNested(let path, let items): "addnested(" + text(path) + "," + text(items) + ")"
        case .expand(let path, let sequences): "expand(" + text(path) + sequences.map { rest($0) }.joined() + ")"
        case .related(let item): text(item)
        case .traverse(let item): text(item)
        case .call(let segment): text(segment)
        }
    }

    private func rest(_ steps: [TransformationSyntax]) -> String { steps.isEmpty ? "" : "," + text(steps) }

    func text(_ item: AggregateSyntax) -> String {
        var text = text(item.expression) + (item.method.map { " with " + $0.text } ?? "")
        for from in item.from {
            text += " from " + from.groups.map { self.text($0) }.joined(separator: ",")
            text += from.method.map { " with " + $0.text } ?? ""
        }
        return text + (item.alias.map { " as " + $0.text } ?? "")
    }

    private func text(_ items: [NestSyntax]) -> String {
        items.map { text($0.transformations) + " as " + $0.alias.text }.joined(separator: ",")
    }

    func text(_ item: GroupingSyntax) -> String {
        switch item {
        case .path(let path): text(path)
        case .rollup(let paths, let hasAll):
            "rollup(" + ((hasAll ? ["$all"] : []) + paths.map { text($0) }).joined(separator: ",") + ")"
        case .rollupRecursive(let hierarchy, let steps): "rolluprecursive(" + text(hierarchy) + rest(steps) + ")"
        }
    }

    private func text(_ hierarchy: HierarchySyntax) -> String {
        [text(hierarchy.nodes), hierarchy.qualifier.text, text(hierarchy.property)].joined(separator: ",")
    }

    private func text(_ item: RelatedSyntax) -> String {
        let distance = item.distance.map { ",\($0)" } ?? ""
        return (item.isAncestors ? "ancestors(" : "descendants(") + text(item.hierarchy)
            + item.transformations.map { rest($0) }.joined() + distance + (item.keepsStart ? ",keep start)" : ")")
    }

    private func text(_ item: TraverseSyntax) -> String {
        "traverse(" + text(item.hierarchy) + (item.isPreorder ? ",preorder" : ",postorder")
            + rest(item.transformations) + (item.orderBy.isEmpty ? "" : "," + text(item.orderBy)) + ")"
    }
}
