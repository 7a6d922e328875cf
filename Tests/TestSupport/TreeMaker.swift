import ODataModel
import ODataQuery

/// Makes bound queries at random about entities of which some lead to others of the same set.
package struct TreeMaker {
    /// What the entities have.
    package struct Names {
        var text: String
        var number: String
        var selectable: [String]
        /// A relation to one entity, and one to many.
        var one: String
        var many: String
        var derived: EdmQualifiedName
        var keys: Range<Int64>

        package init(
            text: String, number: String, selectable: [String], one: String, many: String, derived: EdmQualifiedName,
            keys: Range<Int64>
        ) {
            self.text = text
            self.number = number
            self.selectable = selectable
            self.one = one
            self.many = many
            self.derived = derived
            self.keys = keys
        }
    }

    private var random: SplitMix
    /// Whether only what V2 can say is made, and what it says in a way of its own is not: `in`, and `$select` beside
    /// `$expand`.
    private let isLegacy: Bool
    private let names: Names
    private let set: EdmEntitySet
    private let type: EdmStructuredType
    private var variables: [(name: String, path: PropertyPath)] = []

    package init(seed: UInt64, set: EdmEntitySet, names: Names, isLegacy: Bool = false) {
        self.isLegacy = isLegacy
        self.names = names
        random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        self.set = set
        type = set.type
    }

    private mutating func pick(_ count: Int) -> Int { random.below(count) }

    package mutating func query() -> BoundQuery {
        var query = BoundQuery(path: path())
        query.options.filter = boolean(depth: 4)
        if pick(2) == 0 {
            query.options.orderBy = [OrderItem(expression: number(depth: 2), isDescending: pick(2) == 0)]
        }
        if pick(3) == 0 { query.options.top = pick(100) }
        if !isLegacy, pick(3) == 0 { query.options.search = search(depth: 3) }
        if pick(3) == 0 { query.options.select = select() }
        if pick(3) == 0, !isLegacy || query.options.select == nil { query.options.expand = expand(depth: 3) }
        if !isLegacy, pick(4) == 0 {
            query.options.compute = [ComputeItem(expression: property(names.number), alias: "Years", type: .int32)]
        }
        return query
    }

    // MARK: Paths, $select, $expand

    /// `People(1)/Reports(2)/Reports/$filter(Age gt 3)`, where `Reports` leads to many
    private mutating func path() -> ResourcePath {
        var path = ResourcePath(set)
        if let many = type.navigationProperty(named: names.many) {
            for _ in 0..<pick(3) {
                let key = names.keys.lowerBound + Int64(pick(names.keys.count))
                path.segments += [.key(EntityKey("ID", .integer(key))), .navigation(many, set)]
            }
        }
        if !isLegacy, pick(4) == 0 { path.segments.append(.filter(boolean(depth: 2))) }
        return path
    }

    private mutating func select() -> [SelectItem] {
        let properties = names.selectable.compactMap { type.property(named: $0) }
        return properties.dropFirst(pick(4)).map { .property([$0]) } + (pick(3) == 0 ? [.all] : [])
    }

    private mutating func expand(depth: Int) -> [ExpandItem] {
        [names.one, names.many].compactMap { type.navigationProperty(named: $0) }.dropFirst(pick(2)).map { navigation in
            var item = ExpandItem(navigation: navigation, targetSet: set, targetType: type)
            if !isLegacy, pick(4) == 0 { item.levels = pick(2) == 0 ? .max : .number(1 + pick(5)) }
            if !isLegacy, pick(2) == 0 { item.options.select = select() }
            if !isLegacy, navigation.isCollection, pick(2) == 0 { item.options.top = pick(10) }
            if depth > 0, item.levels == nil, pick(2) == 0 { item.options.expand = expand(depth: depth - 1) }
            return item
        }
    }

    // MARK: Expressions

    private mutating func boolean(depth: Int) -> QueryExpression {
        guard depth > 0 else { return .binary(.eq, property(names.text), .literal(.string(text()), .string)) }
        switch pick(10) {
        case 0: return .binary(.and, comparison(depth: depth - 1), comparison(depth: depth - 1))
        case 1: return .binary(.or, comparison(depth: depth - 1), comparison(depth: depth - 1))
        case 2: return .not(boolean(depth: depth - 1))
        case 3 where !isLegacy: return lambda(depth: depth - 1)
        case 4 where !isLegacy:
            return .inList(property(names.text), (0...pick(3)).map { _ in .literal(.string(text()), .string) })
        case 5: return .call(.contains, [string(depth: depth - 1), .literal(.string(text()), .string)])
        case 6: return .isOf(nil, .entity(names.derived))
        default: return comparison(depth: depth - 1)
        }
    }

    private mutating func comparison(depth: Int) -> QueryExpression {
        let operations: [BinaryOperator] = [.eq, .ne, .lt, .le, .gt, .ge]
        let operation = operations[pick(operations.count)]
        if pick(2) == 0 { return .binary(operation, string(depth: depth), .literal(.string(text()), .string)) }
        return .binary(operation, number(depth: depth), property(names.number))
    }

    private mutating func string(depth: Int) -> QueryExpression {
        guard depth > 0 else { return property(names.text) }
        switch pick(4) {
        case 0: return .call(.tolower, [string(depth: depth - 1)])
        case 1: return .call(.concat, [string(depth: depth - 1), .literal(.string(text()), .string)])
        case 2 where !isLegacy:
            let branch = QueryExpression.Branch(
                condition: boolean(depth: depth - 1), value: .literal(.string(text()), .string))
            return .conditional([branch])
        default: return .cast(property(names.number), .string)
        }
    }

    private mutating func number(depth: Int) -> QueryExpression {
        guard depth > 0 else { return property(names.number) }
        let operations: [BinaryOperator] = [.add, .sub, .mul, .div, .mod]
        switch pick(4) {
        case 0: return .negate(number(depth: depth - 1))
        case 1: return .binary(operations[pick(5)], number(depth: depth - 1), number(depth: depth - 1))
        case 2:
            let operation = operations[pick(5)]
            return .binary(operation, property(names.number), .literal(.integer(Int64(pick(1000))), .int32))
        default: return property(names.number)
        }
    }

    private mutating func lambda(depth: Int) -> QueryExpression {
        guard let navigation = type.navigationProperty(named: names.many) else { return boolean(depth: 0) }
        let path = PropertyPath(
            variableSet: set, variableType: type, steps: [.navigation(navigation, set, type)])
        let name = "v\(variables.count)"
        variables.append((name, path))
        defer { variables.removeLast() }
        return .lambda(pick(2) == 0 ? .any : .all, path, variable: name, predicate: boolean(depth: depth))
    }

    /// A property of the entity, or of one of the variables around.
    private mutating func property(_ name: String) -> QueryExpression {
        let steps = type.property(named: name).map { [PropertyPath.Step.property($0)] } ?? []
        let choice = pick(variables.count + 1)
        let variable: PropertyPath.Variable = choice == 0 ? .it : .lambda(variables[choice - 1].name)
        return .path(PropertyPath(variable: variable, variableSet: set, variableType: type, steps: steps))
    }

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
