import ODataModel

/// The entity sets that a query touches, and the operations that it calls.
package struct QuerySets: Sendable {
    package private(set) var names: Set<String> = []
    /// Those of which `$search` asks for a part.
    package private(set) var searched: Set<String> = []
    package private(set) var operations: Set<EdmQualifiedName> = []
    /// Whether an expression in nested options asks for the instance of the resource path.
    package private(set) var usesResource = false
    /// Whether `replace` is called, which V2 has and V4 has not.
    package private(set) var callsReplace = false

    package init(_ query: BoundQuery) {
        add(query.path)
        add(query.options, of: query.path.entitySet)
    }

    package init(_ path: ResourcePath) { add(path) }

    package init(_ item: ExpandItem) { add(item) }

    package init(_ expression: QueryExpression) { add(expression) }

    package init(_ steps: [ApplyExpression.Step]) {
        for step in steps { add(step) }
    }

    private mutating func add(_ set: EdmEntitySet?) { if let set { names.insert(set.name) } }

    private mutating func add(_ path: ResourcePath) {
        switch path.root {
        case .entitySet(let set), .contentID(_, let set): add(set)
        case .operation(let call): add(call)
        case .crossjoin(let sets): for set in sets { add(set) }
        case .all: break
        }
        for segment in path.segments {
            switch segment {
            case .navigation(_, let set): add(set)
            case .operation(let call): add(call)
            case .filter(let expression): add(expression)
            case .key, .property, .cast, .each, .index, .count, .value, .ref: break
            }
        }
    }

    private mutating func add(_ call: OperationCall) {
        operations.insert(call.operation.name)
        add(call.entitySet)
        for argument in call.arguments { add(argument.value) }
    }

    private mutating func add(_ options: QueryOptions, of set: EdmEntitySet?) {
        let transformations = (options.apply?.steps ?? []).map(\.transformation)
        let isSearched =
            options.search != nil || transformations.contains { if case .search = $0 { true } else { false } }
        if isSearched, let set { searched.insert(set.name) }
        for step in options.apply?.steps ?? [] { add(step) }
        for item in options.compute { add(item.expression) }
        if let filter = options.filter { add(filter) }
        for item in options.orderBy { add(item.expression) }
        for case .path(let steps, let nested) in options.select ?? [] {
            add(steps)
            if let nested { add(nested, of: nil) }
        }
        for item in options.expand { add(item) }
    }

    private mutating func add(_ item: ExpandItem) {
        add(item.prefix)
        add(item.targetSet)
        add(item.options, of: item.targetSet)
    }

    private mutating func add(_ path: PropertyPath) {
        if path.variable == .resource { usesResource = true }
        add(path.variableSet)
        add(path.steps)
    }

    private mutating func add(_ steps: [PropertyPath.Step]) {
        for step in steps {
            switch step {
            case .navigation(_, let set, _): add(set)
            case .filter(let expression): add(expression)
            case .property, .cast, .key, .annotation: break
            }
        }
    }
}

extension QuerySets {
    private mutating func add(_ expression: QueryExpression) {
        switch expression {
        case .path(let path), .isDefined(let path): add(path)
        case .aggregate(let path, let item):
            add(path)
            add(item)
        case .count(let path, let filter, _):
            add(path)
            if let filter { add(filter) }
        case .call(let function, _): if function == .replace { callsReplace = true }
        case .lambda(_, let path, _, let predicate):
            add(path)
            if let predicate { add(predicate) }
        case .operation(let call, let subject):
            add(call)
            if let subject { add(subject) }
        case .root(let path): add(path)
        case .member(let inner, let steps):
            add(inner)
            add(steps)
        case .hierarchy(let test): add(test.hierarchy)
        case .literal, .not, .negate, .binary, .inList, .list, .object, .conditional, .cast, .isOf: break
        }
        for operand in expression.operands { add(operand) }
    }

    private mutating func add(_ step: ApplyExpression.Step) {
        switch step.transformation {
        case .identity, .search, .skip, .top: break
        case .aggregate(let items): for item in items { add(item) }
        case .groupBy(let groups, let steps):
            for group in groups { add(group) }
            for step in steps { add(step) }
        case .filter(let expression): add(expression)
        case .orderBy(let items): for item in items { add(item.expression) }
        case .compute(let items): for item in items { add(item.expression) }
        case .concat(let sequences): for step in sequences.joined() { add(step) }
        case .ranked(_, let amount, let value): for part in [amount, value] { add(part) }
        case .join(let path, _, let steps, _):
            add(path)
            for step in steps { add(step) }
        case .nest(let items): for step in items.flatMap(\.steps) { add(step) }
        case .addNested(let path, let items):
            add(path)
            for step in items.flatMap(\.steps) { add(step) }
        case .related(let related):
            add(related.hierarchy)
            add(related.node)
            for step in related.start { add(step) }
        case .traverse(let traversal):
            add(traversal.hierarchy)
            add(traversal.node)
            for item in traversal.orderBy { add(item.expression) }
        case .operation(let call): add(call)
        }
    }

    private mutating func add(_ hierarchy: RecursiveHierarchy) {
        add(hierarchy.nodes)
        for path in [hierarchy.identifier, hierarchy.parents] { add(path) }
        for step in hierarchy.restriction { add(step) }
    }

    private mutating func add(_ item: AggregateItem) {
        switch item.source {
        case .expression(let expression): add(expression)
        case .count(let path): if let path { add(path) }
        }
        for path in item.from.flatMap(\.groups) { add(path) }
    }

    private mutating func add(_ group: GroupingItem) {
        switch group {
        case .path(let path): add(path)
        case .rollup(let paths, _): for path in paths { add(path) }
        case .recursive(let rollup):
            add(rollup.hierarchy)
            add(rollup.node)
        }
    }
}
