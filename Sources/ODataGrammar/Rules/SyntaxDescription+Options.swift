import ODataModel
import ODataQuery

extension SyntaxDescription {
    private typealias Members = [(name: String, value: SyntaxDescription)]

    init(_ options: OptionsSyntax) {
        var members: Members = []
        for given in options.given { members.append((given.option.name, Self.value(of: given.option, options))) }
        for alias in options.aliases { members.append(("@" + alias.name.text, .init(alias.value))) }
        for custom in options.custom { members.append((custom.name.text, custom.text.map { .string($0) } ?? .null)) }
        self = .object(members)
    }

    private static func value(of option: SystemOption, _ options: OptionsSyntax) -> SyntaxDescription {
        switch option {
        case .filter: options.filter.map { .init($0) } ?? .null
        case .select: .list((options.select ?? []).map { .init($0) })
        case .expand: .list(options.expand.map { .init($0) })
        case .orderby: .list(options.orderBy.map { .init($0) })
        case .apply: .list((options.apply ?? []).map { .init($0) })
        case .compute: .list(options.compute.map { .init($0) })
        case .search: options.search.map { .init($0) } ?? .null
        case .count: options.count.map { .boolean($0) } ?? .null
        case .top: options.top.map { .number($0) } ?? .null
        case .skip: options.skip.map { .number($0) } ?? .null
        case .index: options.index.map { .number($0) } ?? .null
        case .levels: options.levels.map { .init($0) } ?? .null
        case .skiptoken: .init(options.skipToken)
        case .deltatoken: .init(options.deltaToken)
        case .format: .init(options.format)
        case .id: .init(options.id)
        case .schemaversion: .init(options.schemaVersion)
        }
    }

    private init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    private init(_ levels: ExpandItem.Levels) {
        switch levels {
        case .max: self = .string("max")
        case .number(let number): self = .number(number)
        }
    }

    init(_ item: SelectSyntax) {
        var members: Members
        switch item.kind {
        case .all: members = [("path", .list([.string("*")]))]
        case .operations(let namespace): members = [("operations", .string(namespace.text))]
        case .path(let path): members = [("path", .names(path))]
        }
        if let parameters = item.parameters { members.append(("parameters", .names(parameters))) }
        if let options = item.options { members.append(("options", .init(options))) }
        self = .object(members)
    }

    init(_ item: ExpandSyntax) {
        var path = item.path.map { SyntaxDescription.string($0.text) }
        switch item.kind {
        case .all: path.append(.string("*"))
        case .value: path.append(.string("$value"))
        case .path: break
        }
        switch item.form {
        case .entities: break
        case .references: path.append(.string("$ref"))
        case .count: path.append(.string("$count"))
        }
        let options = SyntaxDescription(item.options)
        var members: Members = [("path", .list(path))]
        if case .object(let items) = options, !items.isEmpty { members.append(("options", options)) }
        self = .object(members)
    }

    init(_ item: OptionsSyntax.OrderItem) {
        let expression = SyntaxDescription(item.expression)
        self = item.isDescending ? .one("desc", expression) : expression
    }

    init(_ item: ComputeSyntax) {
        self = .object([("expression", .init(item.expression)), ("as", .string(item.alias.text))])
    }

    init(_ search: OptionsSyntax.Search) {
        switch search {
        case .expression(let expression): self.init(expression)
        case .incomplete(let text): self = .one("incomplete", .string(text))
        }
    }

    init(_ search: SearchExpression) {
        switch search {
        case .word(let word): self = .string(word)
        case .phrase(let phrase): self = .one("phrase", .string(phrase))
        case .not(let inner): self = .one("NOT", .init(inner))
        case .and(let terms): self = .one("AND", .list(terms.map { .init($0) }))
        case .or(let terms): self = .one("OR", .list(terms.map { .init($0) }))
        }
    }
}
