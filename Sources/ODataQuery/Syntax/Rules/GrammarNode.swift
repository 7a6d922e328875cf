import ODataModel

/// What a rule of the grammar has read.
enum GrammarNode: Equatable {
    case url(URLSyntax)
    case path([SegmentSyntax])
    case options(OptionsSyntax)
    case expression(ExpressionSyntax)
    /// A value inside JSON.
    case json(ExpressionSyntax)
    /// A path of an expression, and what its first name may be.
    case member(PathSyntax, PathState)
    case segment(SegmentSyntax)
    case search(OptionsSyntax.Search)
    case select([SelectSyntax])
    case expand([ExpandSyntax])
    case orderBy([OptionsSyntax.OrderItem])
    case compute([ComputeSyntax])
    case apply([TransformationSyntax])
    case aggregate([AggregateSyntax])
    case context(ContextSyntax)
    case header(HeaderSyntax)
    case preferences([Preference])
    case parentheses(ParenthesesSyntax)
    case key(ParenthesesSyntax)
    case arguments([ArgumentSyntax])
    case type(TypeNameSyntax)
    /// A name, of one of the kinds; qualified or not.
    case name(NameSyntax, [NameKind], isQualified: Bool)
    /// `Sales.Pattern'Solid,Yellow'`; the type is nil for members alone.
    case enumeration(String?, String)
    /// Anything that is kept as it was written.
    case text(String)
}

extension GrammarNode {
    func check(_ checker: NameChecker) throws(QueryError) {
        switch self {
        case .url(let url): try checker.check(url)
        case .path(let segments): try checker.check(path: segments)
        case .options(let options): try checker.check(options)
        case .expression(let expression), .json(let expression): try checker.check(expression)
        case .member(let path, let start): try checker.check(path, from: start)
        case .segment(let segment):
            try checker.check(PathSyntax(start: .these, segments: [segment], offset: 0), from: .primitiveCol)
        case .search, .header, .preferences, .text: break
        case .select(let items): for item in items { try checker.check(item) }
        case .expand(let items): for item in items { try checker.check(item) }
        case .orderBy(let items): try checker.check(items)
        case .compute(let items): try checker.check(items)
        case .apply(let steps): try checker.check(steps)
        case .aggregate(let items): for item in items { try checker.checkFunction(item) }
        case .context(let context): try checker.check(context)
        case .parentheses(let parentheses): try checker.check(parameters: parentheses)
        case .key(let parentheses): try checker.check(key: parentheses)
        case .arguments(let arguments):
            try checker.check(parameters: ParenthesesSyntax(content: .named(arguments), offset: 0))
        case .type(let type): try checker.check(type)
        case .name(let name, let kinds, let isQualified): try checker.check(name, kinds, isQualified: isQualified)
        case .enumeration(let type, let members):
            if let type {
                try checker.checkEnumeration(type, members, at: 0)
            } else {
                try checker.checkMembers(members, at: 0)
            }
        }
    }
}

extension NameChecker {
    func check(_ url: URLSyntax) throws(QueryError) {
        switch url.resource {
        case .path(let segments): try check(path: segments)
        case .entity(let cast?):
            guard names.allows([.entityTypeName], qualified: cast.text) else {
                throw unknown(cast, "a type", [.entityTypeName])
            }
        case .metadata(let context?): try check(context)
        case .serviceDocument, .batch, .entity, .metadata: break
        }
        try check(url.options)
    }

    func check(parameters: ParenthesesSyntax) throws(QueryError) {
        guard areParameters(parameters, mayHaveExpressions: true) else {
            throw error("the parameters of a function", at: parameters.offset)
        }
    }

    func check(key: ParenthesesSyntax) throws(QueryError) {
        guard isKey(key) else { throw error("a key", at: key.offset) }
    }

    func check(_ name: NameSyntax, _ kinds: [NameKind], isQualified: Bool) throws(QueryError) {
        guard !kinds.isEmpty else { return }
        let fits = names.allows(kinds, qualified: name.text, needsNamespace: isQualified)
        guard fits || isPrimitive(name.text) else { throw unknown(name, "a name of this kind", kinds) }
    }
}
