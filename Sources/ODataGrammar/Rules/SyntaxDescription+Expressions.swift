import ODataModel
import ODataQuery

extension SyntaxDescription {
    init(_ expression: ExpressionSyntax) {
        let writer = SyntaxWriter()
        self =
            switch expression.kind {
            case .literal(let value): .one("literal", .string(writer.text(value)))
            case .geo(let literal): .one("literal", .string(literal.text))
            case .path(let path): .init(path)
            case .not(let inner): .one("not", .init(inner))
            case .negate(let inner): .one("negate", .init(inner))
            case .logical(let operation, let terms): .one(operation.rawValue, .list(terms.map { .init($0) }))
            case .binary(let operation, let left, let right):
                .one(operation.rawValue, .list([.init(left), .init(right)]))
            case .inList(let left, let items): .one("in", .list([.init(left), .list(items.map { .init($0) })]))
            case .inCollection(let left, let right): .one("in", .list([.init(left), .init(right)]))
            case .call(let name, let arguments): .one(name.text, .list(arguments.map { .init($0) }))
            case .conditional(let branches):
                .one("case", .list(branches.map { .list([.init($0.condition), .init($0.value)]) }))
            case .cast(let inner, let type):
                .one("cast", .list((inner.map { [.init($0)] } ?? []) + [.string(writer.text(type))]))
            case .isOf(let inner, let type):
                .one("isof", .list((inner.map { [.init($0)] } ?? []) + [.string(writer.text(type))]))
            case .isDefined(let path): .one("isdefined", .init(path))
            case .array(let items): .one("array", .list(items.map { .init($0) }))
            case .object(let members):
                .one("object", .object(members.map { ($0.name.text, .init($0.value)) }))
            }
    }

    init(_ path: PathSyntax) {
        let start: String? =
            switch path.start {
            case .relative: nil
            case .it: "$it"
            case .this: "$this"
            case .these: "$these"
            case .root: "$root"
            case .alias(let name): "@" + name.text
            }
        let segments = path.segments.map { SyntaxDescription($0) }
        self = .one("path", .list((start.map { [.string($0)] } ?? []) + segments))
    }

    init(_ segment: SegmentSyntax) {
        let name = SyntaxDescription.string((segment.kind == .annotation ? "@" : "") + segment.name.text)
        switch segment.kind {
        case .count(let options?): self = .one(segment.name.text, .init(options))
        case .crossjoin(let names): self = .one(segment.name.text, .names(names))
        case .filter(let expression):
            let filter = (segment.name.text, SyntaxDescription(expression))
            let keys = ("parentheses", SyntaxDescription.list(segment.parentheses.map { .init($0) }))
            self = .object(segment.parentheses.isEmpty ? [filter] : [filter, keys])
        case .lambda(let operation, let variable, let predicate):
            let members = [
                variable.map { ("variable", SyntaxDescription.string($0.text)) },
                predicate.map { ("predicate", .init($0)) },
            ]
            self = .one(operation.rawValue, .object(members.compactMap { $0 }))
        case .aggregate(let item): self = .one("aggregate", .init(item))
        default:
            guard !segment.parentheses.isEmpty else {
                self = name
                return
            }
            self = .object([("name", name), ("parentheses", .list(segment.parentheses.map { .init($0) }))])
        }
    }

    init(_ parentheses: ParenthesesSyntax) {
        self =
            switch parentheses.content {
            case .empty: .object([])
            case .single(let value): .init(value)
            case .named(let arguments): .init(arguments)
            }
    }

    init(_ arguments: [ArgumentSyntax]) { self = .object(arguments.map { ($0.name.text, .init($0.value)) }) }

    init(_ item: AggregateSyntax) {
        var members: [(name: String, value: SyntaxDescription)] = [("expression", .init(item.expression))]
        if let method = item.method { members.append(("with", .string(method.text))) }
        for from in item.from {
            let method = from.method.map { [("with", SyntaxDescription.string($0.text))] } ?? []
            members.append(("from", .object([("groups", .list(from.groups.map { .names($0) }))] + method)))
        }
        if let alias = item.alias { members.append(("as", .string(alias.text))) }
        self = .object(members)
    }
}
