import ODataModel
import TestSupport
import Testing

@testable import ODataGrammar
@testable import ODataQuery

/// Syntax trees made at random are printed, and the print is read as the same tree.
@Suite struct GeneratedSyntaxTests {
    @Test(arguments: 0..<20)
    func printsAreReadAsTheSameTree(seed: UInt64) throws {
        var maker = SyntaxMaker(seed: seed)
        let writer = SyntaxWriter()
        for _ in 0..<100 {
            let url = maker.url()
            let text = writer.url(url)
            let source = try QuerySource(url: text, limits: .default)
            #expect(try SyntaxParser.relativeURL(source, limits: .default) == url, "\(text)")
        }
    }
}

/// Makes URLs.
private struct SyntaxMaker {
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 7)
    }

    private mutating func pick(_ count: Int) -> Int { random.below(count) }
    private mutating func one<Item>(_ items: [Item]) -> Item { items[pick(items.count)] }

    private mutating func name() -> NameSyntax {
        NameSyntax(text: one(["Name", "Price", "Größe", "_x1", "Model.Special", "Category", "eq", "all"]), offset: 0)
    }

    private mutating func identifier() -> NameSyntax {
        NameSyntax(text: one(["Name", "Price", "p", "Größe", "desc"]), offset: 0)
    }

    private mutating func list<Item>(_ range: ClosedRange<Int>, _ item: (inout Self) -> Item) -> [Item] {
        (0..<(range.lowerBound + pick(range.count))).map { _ in item(&self) }
    }

    // MARK: URLs

    mutating func url() -> URLSyntax {
        var segments = [SegmentSyntax(name: identifier(), kind: .name)]
        if pick(2) == 0 { segments[0].parentheses = [parentheses(depth: 0)] }
        if pick(3) == 0 {
            segments.append(SegmentSyntax(name: NameSyntax(text: "$filter", offset: 0), kind: .filter(expression(3))))
        }
        if pick(3) == 0 { segments.append(SegmentSyntax(name: NameSyntax(text: "4 / 2'", offset: 0), kind: .text)) }
        if pick(3) == 0 {
            segments.append(SegmentSyntax(name: NameSyntax(text: "$count", offset: 0), kind: .count(nil)))
        }
        return URLSyntax(serviceRoot: nil, resource: .path(segments), options: options(3, allowsAll: true))
    }

    private mutating func options(_ depth: Int, allowsAll: Bool) -> OptionsSyntax {
        var options = OptionsSyntax()
        func give(_ option: SystemOption) { options.given.append(.init(option: option, offset: 0)) }
        if pick(2) == 0 {
            options.filter = expression(depth)
            give(.filter)
        }
        if pick(3) == 0 {
            options.orderBy = list(1...3) { .init(expression: $0.expression(depth - 1), isDescending: $0.pick(2) == 0) }
            give(.orderby)
        }
        if pick(3) == 0 {
            options.search = .expression(search(3))
            give(.search)
        }
        if pick(4) == 0 {
            options.compute = list(1...2) {
                ComputeSyntax(expression: $0.expression(depth - 1), alias: $0.identifier())
            }
            give(.compute)
        }
        if depth > 0, pick(3) == 0 {
            options.expand = list(1...2) { $0.expand(depth - 1) }
            give(.expand)
        }
        if pick(3) == 0 {
            options.select = list(1...3) { $0.select(depth - 1) }
            give(.select)
        }
        if pick(3) == 0 {
            options.apply = steps(depth)
            give(.apply)
        }
        if pick(4) == 0 {
            options.aliases = [ArgumentSyntax(name: identifier(), value: expression(1))]
        }
        if allowsAll { addPlain(to: &options) }
        return options
    }

    private mutating func addPlain(to options: inout OptionsSyntax) {
        if pick(4) == 0 {
            options.skipToken = "a&b=c+d%"
            options.given.append(.init(option: .skiptoken, offset: 0))
        }
        if pick(4) == 0 {
            options.custom = [
                CustomSyntax(name: NameSyntax(text: "debug", offset: 0), value: nil, text: one([nil, "", "a&=#"]))
            ]
        }
    }

    private mutating func select(_ depth: Int) -> SelectSyntax {
        switch pick(5) {
        case 0: return SelectSyntax(kind: .all, offset: 0)
        case 1: return SelectSyntax(kind: .operations(NameSyntax(text: "Model", offset: 0)), offset: 0)
        case 2: return SelectSyntax(kind: .path([name()]), offset: 0, parameters: [identifier(), identifier()])
        default:
            var item = SelectSyntax(kind: .path(list(1...3) { $0.name() }), offset: 0)
            if depth > 0, pick(3) == 0 {
                var options = OptionsSyntax()
                options.top = pick(10)
                options.given = [.init(option: .top, offset: 0)]
                item.options = options
            }
            return item
        }
    }

    private mutating func expand(_ depth: Int) -> ExpandSyntax {
        var item = ExpandSyntax(path: list(1...2) { $0.name() }, form: .entities, options: OptionsSyntax(), offset: 0)
        switch pick(5) {
        case 0: item.form = .references
        case 1: item.form = .count
        case 2: item.kind = .all
        default: item.options = options(depth, allowsAll: false)
        }
        return item
    }

    private mutating func search(_ depth: Int) -> SearchExpression {
        guard depth > 0 else { return one([.word("bike"), .word("AND"), .word("O'Neil+,"), .phrase("a (b) OR")]) }
        switch pick(5) {
        case 0: return .not(search(depth - 1))
        case 1: return .and(list(2...3) { $0.search(depth - 1) })
        case 2: return .or(list(2...3) { $0.search(depth - 1) })
        default: return search(0)
        }
    }

    // MARK: Expressions

    private static let operators: [BinaryOperator] = [
        .eq, .ne, .lt, .le, .gt, .ge, .has, .add, .sub, .mul, .div, .divby, .mod,
    ]

    private mutating func expression(_ depth: Int) -> ExpressionSyntax {
        ExpressionSyntax(kind: depth > 0 ? kind(depth - 1) : leaf(), offset: 0, height: 1)
    }

    private mutating func literal() -> ExpressionSyntax {
        let values: [EdmValue] = [
            .null, .boolean(true), .integer(-5), .integer(12), .decimal(EdmDecimal(7)), .string("O'Neil & \"x\"/(é+)"),
            .double(1e200), .double(-.infinity), .binary([1, 2]),
            .enumeration(EdmQualifiedName("Model.Color"), "Red,Blue"),
        ]
        return ExpressionSyntax(kind: .literal(one(values)), offset: 0, height: 1)
    }

    private mutating func leaf() -> ExpressionSyntax.Kind {
        switch pick(4) {
        case 0:
            return .geo(GeoLiteral(isGeography: true, srid: 4326, shape: .polygon([[[1, 2], [-3.5, 4], [1, 2]]])))
        case 1: return literal().kind
        default: return .path(path(depth: 0))
        }
    }

    private mutating func kind(_ depth: Int) -> ExpressionSyntax.Kind {
        switch pick(14) {
        case 0: .not(expression(depth))
        case 1: .negate(expression(depth))
        case 2: .logical(one([.and, .or]), list(2...3) { $0.expression(depth) })
        case 3, 4: .binary(one(Self.operators), expression(depth), expression(depth))
        case 5: .inList(expression(depth), list(0...3) { $0.literal() })
        case 6: .inCollection(expression(depth), expression(depth))
        case 7: .call(NameSyntax(text: "contains", offset: 0), [expression(depth), expression(depth)])
        case 8: .conditional(list(1...2) { .init(condition: $0.expression(depth), value: $0.expression(depth)) })
        case 9: .cast(pick(2) == 0 ? nil : expression(depth), TypeNameSyntax(name: name(), isCollection: pick(2) == 0))
        case 10: .array(list(0...3) { $0.expression(depth) })
        case 11: .object(list(0...2) { .init(name: NameSyntax(text: "a\"\n", offset: 0), value: $0.expression(depth)) })
        default: .path(path(depth: depth))
        }
    }

    private mutating func path(depth: Int) -> PathSyntax {
        var path = PathSyntax(
            start: one([.relative, .it, .this, .root, .alias(identifier())]), segments: [], offset: 0)
        let needsSegment = path.start == .relative || path.start == .root
        path.segments = list((needsSegment ? 1 : 0)...3) { SegmentSyntax(name: $0.identifier(), kind: .name) }
        guard !path.segments.isEmpty else { return path }
        if pick(4) == 0 {
            path.segments.append(SegmentSyntax(name: NameSyntax(text: "Core.A#q", offset: 0), kind: .annotation))
        }
        if depth > 0 { path.segments.append(ending(depth - 1)) }
        return path
    }

    private mutating func ending(_ depth: Int) -> SegmentSyntax {
        switch pick(5) {
        case 0:
            let name = NameSyntax(text: "any", offset: 0)
            return SegmentSyntax(name: name, kind: .lambda(.any, variable: identifier(), predicate: expression(depth)))
        case 1:
            var options = OptionsSyntax()
            options.filter = expression(depth)
            options.given = [.init(option: .filter, offset: 0)]
            return SegmentSyntax(
                name: NameSyntax(text: "$count", offset: 0), kind: .count(pick(2) == 0 ? nil : options))
        case 2: return SegmentSyntax(name: NameSyntax(text: "$filter", offset: 0), kind: .filter(expression(depth)))
        case 3: return SegmentSyntax(name: identifier(), kind: .name, parentheses: [parentheses(depth: depth)])
        default:
            let item = AggregateSyntax(
                expression: expression(depth), method: NameSyntax(text: "sum", offset: 0), from: [], alias: nil)
            return SegmentSyntax(name: NameSyntax(text: "aggregate", offset: 0), kind: .aggregate(item))
        }
    }

    /// - Parameter depth: 0 for those of a resource path, which hold literals only.
    private mutating func parentheses(depth: Int) -> ParenthesesSyntax {
        let content: ParenthesesSyntax.Content =
            switch pick(3) {
            case 0: .empty
            case 1: .single(literal())
            default:
                .named(
                    list(1...2) { .init(name: $0.identifier(), value: depth > 0 ? $0.expression(depth) : $0.literal()) }
                )
            }
        return ParenthesesSyntax(content: content, offset: 0)
    }

    // MARK: $apply

    private mutating func steps(_ depth: Int) -> [TransformationSyntax] {
        list(1...3) { TransformationSyntax(kind: $0.step(depth - 1), offset: 0) }
    }

    private mutating func step(_ depth: Int) -> TransformationSyntax.Kind {
        switch pick(depth > 0 ? 10 : 6) {
        case 0: .identity
        case 1: .top(pick(9))
        case 2: .filter(expression(depth))
        case 3:
            .aggregate(
                list(1...2) {
                    AggregateSyntax(
                        expression: $0.expression(1), method: NameSyntax(text: "max", offset: 0), from: [],
                        alias: $0.identifier())
                })
        case 4: .ranked(one(RankingTransformation.allCases), amount: expression(1), value: expression(1))
        case 5: .search(.expression(search(2)))
        case 6: .groupBy([.path([identifier(), identifier()]), .rollup([[identifier()]], hasAll: true)], steps(depth))
        case 7: .concat(list(2...3) { $0.steps(depth) })
        case 8: .nest([NestSyntax(transformations: steps(depth), alias: identifier())])
        default: .join([identifier()], alias: identifier(), pick(2) == 0 ? [] : steps(depth), isOuter: pick(2) == 0)
        }
    }
}
