import ODataModel
import ODataQuery

/// What a rule of the grammar has read.
enum GrammarNode: Equatable {
    case url(URLSyntax)
    case path([SegmentSyntax])
    /// The first segment is a property.
    case propertyPath([SegmentSyntax])
    /// What follows in a resource path that has led to the given state; the first segment has no name.
    case pathRest([SegmentSyntax], PathState)
    case options(OptionsSyntax)
    case expression(ExpressionSyntax)
    /// A value inside JSON.
    case json(ExpressionSyntax)
    /// A path of an expression, and what its first name may be.
    case member(PathSyntax, PathState)
    /// What follows in a path of an expression; the first segment has no name.
    case memberRest(PathSyntax, PathState)
    case segment(SegmentSyntax)
    /// A function of the given kind with its parameters.
    case call(SegmentSyntax, NameKind)
    /// ` eq 5`: an operator and what is to its right; the right side of `in` may be a list.
    case operation(String, [ExpressionSyntax], isList: Bool)
    case search(OptionsSyntax.Search)
    /// ` OR a`
    case searchOperation(String, SearchExpression)
    case select([SelectSyntax])
    case expand([ExpandSyntax])
    case orderBy([OptionsSyntax.OrderItem])
    case compute([ComputeSyntax])
    case apply([TransformationSyntax])
    case aggregate([AggregateSyntax])
    case grouping(GroupingSyntax)
    case context(ContextSyntax)
    /// A context URL without its sign, or a part of one: then the first segment may have no name.
    case contextFragment(ContextSyntax)
    case contextSelect([ContextSelectSyntax])
    case contextItem(ContextSelectSyntax)
    case header(HeaderSyntax)
    case preferences([Preference])
    case parentheses(ParenthesesSyntax)
    case key(ParenthesesSyntax)
    /// `ID=1`
    case keyPair(ArgumentSyntax)
    case arguments([ArgumentSyntax])
    case type(TypeNameSyntax)
    /// A name, of one of the kinds; qualified or not.
    case name(NameSyntax, [NameKind], isQualified: Bool)
    /// Names with commas between them.
    case names([NameSyntax], NameKind)
    /// `Sales.Pattern'Solid,Yellow'`; the type is nil for members alone.
    case enumeration(String?, String)
    /// Anything that is kept as it was written.
    case text(String)
}

extension GrammarNode {
    /// Whether this is part of a path whose segments have to fit those before.
    var isRest: Bool {
        switch self {
        case .pathRest, .memberRest, .propertyPath: true
        default: false
        }
    }

    func check(_ checker: NameChecker) throws(QueryError) {
        switch self {
        case .url(let url): try checker.check(url)
        case .path(let segments): try checker.check(path: segments)
        case .propertyPath(let segments): try checker.check(property: segments)
        case .pathRest(let segments, let state): try checker.check(rest: segments, from: state)
        case .options(let options): try checker.check(options)
        case .expression(let expression), .json(let expression): try checker.check(expression)
        case .member(let path, let start): try checker.check(path, from: start)
        case .memberRest(let path, let state): try checker.check(rest: path, from: state)
        case .call(let segment, let kind): try checker.check(call: segment, kind)
        case .operation("has", let items, _):
            for item in items { try checker.checkEnumerationOperand(item) }
        case .operation(_, let items, _): try checker.check(items)
        case .segment(let segment):
            try checker.check(PathSyntax(start: .these, segments: [segment], offset: 0), from: .primitiveCol)
        case .search, .searchOperation, .header, .preferences, .text: break
        case .select(let items): for item in items { try checker.check(item) }
        case .expand(let items): for item in items { try checker.check(item) }
        case .orderBy(let items): try checker.check(items)
        case .compute(let items): try checker.check(items)
        case .apply(let steps): try checker.check(steps)
        case .aggregate(let items): for item in items { try checker.checkFunction(item) }
        case .grouping(let item): try checker.check(item)
        case .context(let context), .contextFragment(let context): try checker.check(context)
        case .contextSelect(let items): for item in items { try checker.check(item) }
        case .contextItem(let item): try checker.check(item)
        case .parentheses(let parentheses): try checker.check(parameters: parentheses)
        case .key(let parentheses): try checker.check(key: parentheses)
        case .keyPair(let pair):
            try checker.check(key: ParenthesesSyntax(content: .named([pair]), offset: pair.name.offset))
        case .arguments(let arguments):
            try checker.check(parameters: ParenthesesSyntax(content: .named(arguments), offset: 0))
        case .type(let type): try checker.check(type)
        case .name(let name, let kinds, let isQualified): try checker.check(name, kinds, isQualified: isQualified)
        case .names(let names, let kind):
            for name in names { try checker.check(name, [kind], isQualified: false) }
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

    func check(call segment: SegmentSyntax, _ kind: NameKind) throws(QueryError) {
        guard names.allows([kind], qualified: segment.name.text) else {
            throw unknown(segment.name, "a function", [kind])
        }
        for parentheses in segment.parentheses { try check(parameters: parentheses) }
    }

    func check(key: ParenthesesSyntax) throws(QueryError) {
        guard isKey(key) else { throw error("a key", at: key.offset) }
    }

    func check(_ name: NameSyntax, _ kinds: [NameKind], isQualified: Bool) throws(QueryError) {
        guard !kinds.isEmpty else { return }
        let fits =
            kinds.contains { names.allows($0, name.text) }
            || names.allows(kinds, qualified: name.text, needsNamespace: isQualified)
        guard fits || isPrimitive(name.text) else { throw unknown(name, "a name of this kind", kinds) }
    }
}
