import ODataQuery

/// `$these`: the collection that an option or a transformation is applied to.
///
/// [OData-Aggregation, section 3.6]
struct CurrentCollection {
    var members: CollectionMembers
    /// The values that were aggregated for all groups at once, and how an instance finds the value of its group.
    var values: [QueryExpression: Term] = [:]
}

extension RowSet {
    /// Defines `$these` for the expressions that use it: the rows become a table that is read twice.
    mutating func prepare(_ expressions: [QueryExpression]) throws {
        var seen: Set<QueryExpression> = []
        let uses = expressions.flatMap(\.usesOfThese).filter { seen.insert($0).inserted }
        guard !uses.isEmpty else { return }
        let shared = try self.shared()
        self = shared
        reopen()
        var others = shared
        others.reopen()
        var collection = CurrentCollection(
            members: CollectionMembers(
                tables: others.tables, conditions: sharing(others.partitions), variable: .entity(others.scope)))
        for use in uses where !partitions.isEmpty {
            guard let item = use.aggregateOfThese else { continue }
            var groups = shared
            groups.reopen()
            try groups.aggregate([item])
            collection.values[use] = try join(groups, value: item.alias, missing: item.isCount ? "0" : nil)
        }
        these = collection
    }
}

extension QueryExpression {
    /// The parts of a condition or value of one instance that refer to `$these` as a whole.
    fileprivate var usesOfThese: [QueryExpression] {
        switch self {
        case .path(let path), .count(let path, _, _), .aggregate(let path, _):
            return path.variable == .these ? [self] : []
        case .lambda(_, let path, _, let predicate):
            return (path.variable == .these ? [self] : []) + (predicate?.usesOfThese ?? [])
        case .member(let inner, _): return inner.usesOfThese
        case .operation(let call, let subject):
            return call.arguments.flatMap(\.value.usesOfThese) + (subject?.usesOfThese ?? [])
        default: return operands.flatMap(\.usesOfThese)
        }
    }

    /// The aggregate over all of `$these`, which is the same for each instance; nil for other expressions.
    fileprivate var aggregateOfThese: AggregateItem? {
        switch self {
        case .count(let path, nil, nil) where path.steps.isEmpty:
            return AggregateItem(.count(nil), method: nil, alias: "these$", type: .int64)
        case .aggregate(let path, var item) where path.steps.isEmpty:
            if case .expression(let expression) = item.source, !expression.isOfInstance { return nil }
            item.alias = "these$"
            return item
        default: return nil
        }
    }

    /// Whether the value consists only of literals and paths from the instance.
    private var isOfInstance: Bool {
        switch self {
        case .literal: true
        case .path(let path): path.variable == .it
        default: !operands.isEmpty && operands.allSatisfy(\.isOfInstance)
        }
    }
}
