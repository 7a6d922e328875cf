import ODataModel
import ODataQuery

/// A syntax tree as readable JSON.
indirect enum SyntaxDescription {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case null
    case list([SyntaxDescription])
    case object([(name: String, value: SyntaxDescription)])

    var json: String {
        switch self {
        case .string(let text): SyntaxWriter().quotedJSON(text)
        case .number(let number): "\(number)"
        case .boolean(let value): value ? "true" : "false"
        case .null: "null"
        case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { SyntaxWriter().quotedJSON($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// One member.
    static func one(_ name: String, _ value: SyntaxDescription) -> SyntaxDescription { .object([(name, value)]) }

    static func names(_ names: [NameSyntax]) -> SyntaxDescription { .list(names.map { .string($0.text) }) }
}

extension SyntaxDescription {
    init(_ node: GrammarNode) {
        let writer = SyntaxWriter()
        self =
            switch node {
            case .url(let url): .init(url)
            case .path(let segments), .propertyPath(let segments): .one("path", .list(segments.map { .init($0) }))
            case .pathRest(let segments, _): .init(rest: segments)
            case .options(let options): .init(options)
            case .expression(let expression), .json(let expression): .init(expression)
            case .member(let path, _): .init(path)
            case .memberRest(let path, _): .init(rest: path.segments)
            case .segment(let segment), .call(let segment, _): .init(segment)
            case .operation(let word, let items, let isList):
                .one(word, .list(isList ? [.list(items.map { .init($0) })] : items.map { .init($0) }))
            case .search(let search): .one("search", .init(search))
            case .searchOperation(let word, let expression): .one(word, .init(expression))
            case .select(let items): .one("select", .list(items.map { .init($0) }))
            case .expand(let items): .one("expand", .list(items.map { .init($0) }))
            case .orderBy(let items): .one("orderby", .list(items.map { .init($0) }))
            case .compute(let items): .one("compute", .list(items.map { .init($0) }))
            case .apply(let steps): .one("apply", .list(steps.map { .init($0) }))
            case .aggregate(let items): .one("aggregate", .list(items.map { .init($0) }))
            case .grouping(let item): .init(item)
            case .context(let context), .contextFragment(let context): .init(context)
            case .contextSelect(let items): .one("select", .list(items.map { .init($0) }))
            case .contextItem(let item): .init(item)
            case .header(let header): .one("header", .string(header.text))
            case .preferences(let preferences): .one("preferences", .list(preferences.map { .string($0.text) }))
            case .parentheses(let parentheses), .key(let parentheses): .init(parentheses)
            case .keyPair(let pair): .init([pair])
            case .arguments(let arguments): .init(arguments)
            case .type(let type): .one("type", .string(writer.text(type)))
            case .name(let name, _, _): .one("name", .string(name.text))
            case .names(let names, _): .one("names", .names(names))
            case .enumeration(let type, let members):
                .object([("type", type.map { .string($0) } ?? .null), ("members", .string(members))])
            case .text(let text): .string(text)
            }
    }

    /// What follows in a path: the nameless segment before it counts only for what it has in parentheses.
    private init(rest segments: [SegmentSyntax]) {
        let segments = segments.first?.parentheses.isEmpty == true ? segments.dropFirst() : segments[...]
        self = .one("path", .list(segments.map { .init($0) }))
    }

    init(_ url: URLSyntax) {
        var members: [(name: String, value: SyntaxDescription)] = []
        if let root = url.serviceRoot { members.append(("serviceRoot", .string(root))) }
        switch url.resource {
        case .serviceDocument: members.append(("resource", .string("service document")))
        case .batch: members.append(("resource", .string("$batch")))
        case .metadata(let context):
            members.append(("resource", .string("$metadata")))
            if let context { members.append(("context", .init(context))) }
        case .entity(let cast):
            members.append(("resource", .string("$entity")))
            if let cast { members.append(("cast", .string(cast.text))) }
        case .path(let segments): members.append(("path", .list(segments.map { .init($0) })))
        }
        let options = SyntaxDescription(url.options)
        if case .object(let items) = options, !items.isEmpty { members.append(("options", options)) }
        self = .object(members)
    }

    init(_ context: ContextSyntax) {
        var members: [(name: String, value: SyntaxDescription)] = [("path", .list(context.path.map { .init($0) }))]
        if context.isCollection { members.append(("isCollection", .boolean(true))) }
        if let select = context.select { members.append(("select", .list(select.map { .init($0) }))) }
        if let suffix = context.suffix { members.append(("suffix", .string(suffix.text))) }
        self = .object(members)
    }

    private init(_ item: ContextSelectSyntax) {
        var members: [(name: String, value: SyntaxDescription)] = [("path", .names(item.path))]
        if item.isRecursive { members.append(("isRecursive", .boolean(true))) }
        if let select = item.select { members.append(("select", .list(select.map { .init($0) }))) }
        self = .object(members)
    }
}
