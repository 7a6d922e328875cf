import ODataModel
import ODataQuery

extension SyntaxDescription {
    init(_ step: TransformationSyntax) {
        self =
            switch step.kind {
            case .identity: .string("identity")
            case .aggregate(let items): .one("aggregate", .list(items.map { .init($0) }))
            case .groupBy(let items, let steps):
                .one("groupby", .object([("by", .list(items.map { .init($0) })), ("apply", Self.steps(steps))]))
            case .filter(let expression): .one("filter", .init(expression))
            case .search(let search): .one("search", .init(search))
            case .orderBy(let items): .one("orderby", .list(items.map { .init($0) }))
            case .top(let number): .one("top", .number(number))
            case .skip(let number): .one("skip", .number(number))
            case .compute(let items): .one("compute", .list(items.map { .init($0) }))
            case .concat(let sequences): .one("concat", .list(sequences.map { Self.steps($0) }))
            case .ranked(let ranking, let amount, let value):
                .one(ranking.rawValue, .list([.init(amount), .init(value)]))
            case .join(let path, let alias, let steps, let isOuter):
                .one(
                    isOuter ? "outerjoin" : "join",
                    .object([("path", .names(path)), ("as", .string(alias.text)), ("apply", Self.steps(steps))]))
            case .nest(let items): .one("nest", Self.nested(items))
            case .addNested(let path, let items):
                .one("addnested", .object([("path", .names(path)), ("nested", Self.nested(items))]))
            case .expand(let path, let sequences):
                .one("expand", .object([("path", .names(path)), ("apply", .list(sequences.map { Self.steps($0) }))]))
            case .related(let item): .init(item)
            case .traverse(let item): .init(item)
            case .call(let segment): .init(segment)
            }
    }

    private static func steps(_ steps: [TransformationSyntax]) -> SyntaxDescription { .list(steps.map { .init($0) }) }

    private static func nested(_ items: [NestSyntax]) -> SyntaxDescription {
        .list(items.map { .object([("apply", steps($0.transformations)), ("as", .string($0.alias.text))]) })
    }

    init(_ item: GroupingSyntax) {
        self =
            switch item {
            case .path(let path): .names(path)
            case .rollup(let paths, let hasAll):
                .one("rollup", .list((hasAll ? [.string("$all")] : []) + paths.map { .names($0) }))
            case .rollupRecursive(let hierarchy, let steps):
                .one("rolluprecursive", .object(Self.members(hierarchy) + [("apply", Self.steps(steps))]))
            }
    }

    private static func members(_ hierarchy: HierarchySyntax) -> [(name: String, value: SyntaxDescription)] {
        [
            ("nodes", .init(hierarchy.nodes)), ("qualifier", .string(hierarchy.qualifier.text)),
            ("property", .names(hierarchy.property)),
        ]
    }

    private init(_ item: RelatedSyntax) {
        var members = Self.members(item.hierarchy)
        members.append(("apply", .list(item.transformations.map { Self.steps($0) })))
        if let distance = item.distance { members.append(("distance", .number(distance))) }
        if item.keepsStart { members.append(("keepStart", .boolean(true))) }
        self = .one(item.isAncestors ? "ancestors" : "descendants", .object(members))
    }

    private init(_ item: TraverseSyntax) {
        var members = Self.members(item.hierarchy)
        members.append(("order", .string(item.isPreorder ? "preorder" : "postorder")))
        members.append(("apply", Self.steps(item.transformations)))
        members.append(("orderby", .list(item.orderBy.map { .init($0) })))
        self = .one("traverse", .object(members))
    }
}
