import ODataModel
import ODataQuery

/// The entity sets that a query touches: their tables must be there.
struct QuerySets {
    private(set) var names: Set<String> = []

    init(_ query: BoundQuery) {
        add(query.path)
        add(query.options)
    }

    init(_ path: ResourcePath) { add(path) }

    private mutating func add(_ set: EntitySet?) { if let set { names.insert(set.name) } }

    private mutating func add(_ path: ResourcePath) {
        add(path.rootSet)
        for case .navigation(_, let set) in path.segments { add(set) }
    }

    private mutating func add(_ options: QueryOptions) {
        if let filter = options.filter { add(filter) }
        for item in options.orderBy { add(item.expression) }
        for item in options.expand {
            add(item.targetSet)
            add(item.options)
        }
    }

    private mutating func add(_ expression: Expression) {
        switch expression {
        case .literal: break
        case .path(let path), .count(let path): add(path)
        case .not(let operand), .negate(let operand): add(operand)
        case .binary(_, let left, let right):
            add(left)
            add(right)
        case .inList(let operand, let list):
            add(operand)
            for element in list { add(element) }
        case .call(_, let arguments): for argument in arguments { add(argument) }
        case .lambda(_, let path, _, let predicate):
            add(path)
            if let predicate { add(predicate) }
        }
    }

    private mutating func add(_ path: PropertyPath) {
        add(path.variableSet)
        for case .navigation(_, let set, _) in path.steps { add(set) }
    }
}
