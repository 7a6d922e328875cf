import ODataModel
import ODataQuery
import TestSupport
import Testing

/// Trees made at random are printed, and the print is read as the same tree.
struct GeneratedTreeTests {
    @Test(arguments: 0..<20)
    func printsMeanTheSame(seed: UInt64) throws {
        var maker = try TreeMaker(seed: seed)
        for _ in 0..<100 {
            let query = maker.query()
            #expect(try LanguageModel.parser.query(query.url) == query, "\(query.url)")
        }
    }

    @Test(arguments: 0..<20)
    func printsForVersion2MeanTheSame(seed: UInt64) throws {
        let reader = QueryParser(model: LanguageModel.model, conventions: .version2)
        var maker = try TreeMaker(seed: seed, isVersion2: true)
        for _ in 0..<100 {
            let query = maker.query()
            let written = try query.version2URL()
            #expect(try reader.query(written) == query, "\(written)")
        }
    }
}

/// Makes bound queries about people.
private struct TreeMaker {
    private var random: SplitMix
    /// Whether only what V2 can say is made, and what it says in a way of its own is not: `in`, and `$select` beside
    /// `$expand`.
    private let isVersion2: Bool
    private let set: EntitySet
    private let type: StructuredType
    private var variables: [(name: String, path: PropertyPath)] = []

    init(seed: UInt64, isVersion2: Bool = false) throws {
        self.isVersion2 = isVersion2
        random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        let model = LanguageModel.model
        guard let set = model.entitySet(named: "People") else { throw QueryError(.unknownName, "People") }
        self.set = set
        type = set.type
    }

    private mutating func pick(_ count: Int) -> Int { random.below(count) }

    mutating func query() -> BoundQuery {
        var query = BoundQuery(path: path())
        query.options.filter = boolean(depth: 4)
        if pick(2) == 0 {
            query.options.orderBy = [OrderItem(expression: number(depth: 2), isDescending: pick(2) == 0)]
        }
        if pick(3) == 0 { query.options.top = pick(100) }
        if !isVersion2, pick(3) == 0 { query.options.search = search(depth: 3) }
        if pick(3) == 0 { query.options.select = select() }
        if pick(3) == 0, !isVersion2 || query.options.select == nil { query.options.expand = expand(depth: 3) }
        if !isVersion2, pick(4) == 0 {
            query.options.compute = [ComputeItem(expression: property("Age"), alias: "Years", type: .int32)]
        }
        return query
    }

    // MARK: Paths, $select, $expand

    /// `People(1)/Reports(2)/Reports/$filter(Age gt 3)`
    private mutating func path() -> ResourcePath {
        var path = ResourcePath(set)
        if let reports = type.navigationProperty(named: "Reports") {
            for _ in 0..<pick(3) {
                path.segments += [.key(EntityKey("ID", .integer(Int64(pick(100)) - 50))), .navigation(reports, set)]
            }
        }
        if !isVersion2, pick(4) == 0 { path.segments.append(.filter(boolean(depth: 2))) }
        return path
    }

    private mutating func select() -> [SelectItem] {
        let properties = ["Age", "Home", "Name", "Tags"].compactMap { type.property(named: $0) }
        return properties.dropFirst(pick(4)).map { .property([$0]) } + (pick(3) == 0 ? [.all] : [])
    }

    private mutating func expand(depth: Int) -> [ExpandItem] {
        ["Boss", "Reports"].compactMap { type.navigationProperty(named: $0) }.dropFirst(pick(2)).map { navigation in
            var item = ExpandItem(navigation: navigation, targetSet: set, targetType: type)
            if !isVersion2, pick(4) == 0 { item.levels = pick(2) == 0 ? .max : .number(1 + pick(5)) }
            if !isVersion2, pick(2) == 0 { item.options.select = select() }
            if !isVersion2, navigation.isCollection, pick(2) == 0 { item.options.top = pick(10) }
            if depth > 0, item.levels == nil, pick(2) == 0 { item.options.expand = expand(depth: depth - 1) }
            return item
        }
    }

    // MARK: Expressions

    private mutating func boolean(depth: Int) -> Expression {
        guard depth > 0 else { return .binary(.eq, property("Name"), .literal(.string(text()), .string)) }
        switch pick(10) {
        case 0: return .binary(.and, comparison(depth: depth - 1), comparison(depth: depth - 1))
        case 1: return .binary(.or, comparison(depth: depth - 1), comparison(depth: depth - 1))
        case 2: return .not(boolean(depth: depth - 1))
        case 3 where !isVersion2: return lambda(depth: depth - 1)
        case 4 where !isVersion2:
            return .inList(property("Name"), (0...pick(3)).map { _ in .literal(.string(text()), .string) })
        case 5: return .call(.contains, [string(depth: depth - 1), .literal(.string(text()), .string)])
        case 6: return .isOf(nil, manager)
        default: return comparison(depth: depth - 1)
        }
    }

    private mutating func comparison(depth: Int) -> Expression {
        let operations: [BinaryOperator] = [.eq, .ne, .lt, .le, .gt, .ge]
        let operation = operations[pick(operations.count)]
        if pick(2) == 0 { return .binary(operation, string(depth: depth), .literal(.string(text()), .string)) }
        return .binary(operation, number(depth: depth), property("Age"))
    }

    private mutating func string(depth: Int) -> Expression {
        guard depth > 0 else { return property("Name") }
        switch pick(4) {
        case 0: return .call(.tolower, [string(depth: depth - 1)])
        case 1: return .call(.concat, [string(depth: depth - 1), .literal(.string(text()), .string)])
        case 2 where !isVersion2:
            let branch = Expression.Branch(
                condition: boolean(depth: depth - 1), value: .literal(.string(text()), .string))
            return .conditional([branch])
        default: return .cast(property("Age"), .string)
        }
    }

    private mutating func number(depth: Int) -> Expression {
        guard depth > 0 else { return property("Age") }
        let operations: [BinaryOperator] = [.add, .sub, .mul, .div, .mod]
        switch pick(4) {
        case 0: return .negate(number(depth: depth - 1))
        case 1: return .binary(operations[pick(5)], number(depth: depth - 1), number(depth: depth - 1))
        case 2: return .binary(operations[pick(5)], property("Age"), .literal(.integer(Int64(pick(1000))), .int32))
        default: return property("Age")
        }
    }

    private mutating func lambda(depth: Int) -> Expression {
        guard let navigation = type.navigationProperty(named: "Reports") else { return boolean(depth: 0) }
        let path = PropertyPath(
            variableSet: set, variableType: type, steps: [.navigation(navigation, set, type)])
        let name = "v\(variables.count)"
        variables.append((name, path))
        defer { variables.removeLast() }
        return .lambda(pick(2) == 0 ? .any : .all, path, variable: name, predicate: boolean(depth: depth))
    }

    /// A property of the person, or of one of the variables around.
    private mutating func property(_ name: String) -> Expression {
        let steps = type.property(named: name).map { [PropertyPath.Step.property($0)] } ?? []
        let choice = pick(variables.count + 1)
        let variable: PropertyPath.Variable = choice == 0 ? .it : .lambda(variables[choice - 1].name)
        return .path(PropertyPath(variable: variable, variableSet: set, variableType: type, steps: steps))
    }

    private var manager: TypeReference { .entity(QualifiedName(namespace: "Sales.Model", name: "Manager")) }

    // MARK: Texts

    private mutating func text() -> String {
        let pieces = ["a", "'", "''", " ", "%", "&", "+", "/", "é", "😀", "(", ";", "\"", "#", "?", "=", "\\", "eq"]
        return (0..<pick(6)).map { _ in pieces[pick(pieces.count)] }.joined()
    }

    private mutating func search(depth: Int) -> SearchExpression {
        guard depth > 0 else { return .word("w\(pick(10))") }
        switch pick(4) {
        case 0: return .phrase("p \(pick(10)) (x) \\")
        case 1: return .not(.word("n\(pick(10))"))
        case 2: return .and([.word("a"), .or([search(depth: 0), .phrase("q r")])])
        default: return .or([search(depth: 0), .and([.word("b"), .word("c")])])
        }
    }
}
