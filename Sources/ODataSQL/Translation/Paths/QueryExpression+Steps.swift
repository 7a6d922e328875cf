import ODataQuery

extension QueryExpression {
    /// The steps up to the last collection that a path leads through: `Sales` of `Sales/Amount`, `Tags` of `Tags`. In
    /// other expressions a collection of values is an operand.
    var collectionSteps: [PropertyPath.Step] {
        if case .path(let path) = self { return path.variable == .it ? path.collectionSteps(ofValues: true) : [] }
        return paths.map { $0.collectionSteps(ofValues: false) }.max { $0.count < $1.count } ?? []
    }

    private var paths: [PropertyPath] {
        if case .path(let path) = self { path.variable == .it ? [path] : [] } else { operands.flatMap(\.paths) }
    }

    /// The expression relative to the end of `steps`.
    func droppingSteps(_ steps: [PropertyPath.Step]) throws -> QueryExpression {
        guard !steps.isEmpty else { return self }
        switch self {
        case .literal: return self
        case .path(let path): return .path(path.variable == .it ? try path.droppingSteps(steps) : path)
        case .count(let path, _, _) where path.variable != .it: return self
        case .aggregate(let path, _) where path.variable != .it: return self
        case .not(let operand): return .not(try operand.droppingSteps(steps))
        case .negate(let operand): return .negate(try operand.droppingSteps(steps))
        case .binary(let operation, let left, let right):
            return .binary(operation, try left.droppingSteps(steps), try right.droppingSteps(steps))
        case .inList(let operand, let list):
            return .inList(try operand.droppingSteps(steps), try list.map { try $0.droppingSteps(steps) })
        case .call(let function, let arguments):
            return .call(function, try arguments.map { try $0.droppingSteps(steps) })
        case .list(let items): return .list(try items.map { try $0.droppingSteps(steps) })
        case .object(let members, let type):
            return .object(
                try members.map { .init(name: $0.name, value: try $0.value.droppingSteps(steps)) }, type)
        case .conditional(let branches):
            return .conditional(
                try branches.map {
                    Branch(condition: try $0.condition.droppingSteps(steps), value: try $0.value.droppingSteps(steps))
                })
        case .cast(let operand?, let type): return .cast(try operand.droppingSteps(steps), type)
        case .isOf(let operand?, let type): return .isOf(try operand.droppingSteps(steps), type)
        default: throw ExpressionTranslator.mixedAggregate
        }
    }
}

extension ExpressionTranslator {
    static var mixedAggregate: QueryError {
        unsupported("an aggregate over values inside and outside a collection")
    }
}

extension PropertyPath {
    /// The path relative to the end of `steps`.
    func droppingSteps(_ steps: [Step]) throws -> PropertyPath {
        guard self.steps.starts(with: steps) else { throw ExpressionTranslator.mixedAggregate }
        var path = self
        path.steps.removeFirst(steps.count)
        return path
    }

    /// The steps up to the last collection of entities, or optionally of values.
    fileprivate func collectionSteps(ofValues hasValues: Bool) -> [Step] {
        let position = steps.lastIndex { step in
            guard case .navigation(let navigation, _, _) = step else { return hasValues && step.isCollection }
            return navigation.isCollection
        }
        guard let position else { return [] }
        let end = steps[(position + 1)...].firstIndex { step in
            switch step {
            case .cast, .filter: false
            default: true
            }
        }
        return Array(steps[..<(end ?? steps.endIndex)])
    }
}
