extension QueryExpression {
    /// The expression with each of its direct parts replaced, those in paths and in the arguments of functions too.
    ///
    /// - Parameter change: Gives what is in the place of a part; `isOfInstance` is whether the part is evaluated
    ///   on the instance that the whole expression is, and not on the members of a collection.
    package func mappingParts(
        _ change: (_ part: QueryExpression, _ isOfInstance: Bool) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .literal: return self
        case .path(let path): return .path(try path.mapping(change))
        case .isDefined(let path): return .isDefined(try path.mapping(change))
        case .not(let operand): return .not(try change(operand, true))
        case .negate(let operand): return .negate(try change(operand, true))
        case .binary(let sign, let left, let right):
            return .binary(sign, try change(left, true), try change(right, true))
        case .inList(let operand, let list):
            return .inList(try change(operand, true), try list.map { try change($0, true) })
        case .call(let function, let arguments): return .call(function, try arguments.map { try change($0, true) })
        case .lambda(let sign, let path, let variable, let predicate):
            return .lambda(
                sign, try path.mapping(change), variable: variable,
                predicate: try predicate.map { try change($0, true) })
        case .count(let path, let filter, let search):
            return .count(try path.mapping(change), filter: try filter.map { try change($0, false) }, search: search)
        case .conditional(let branches):
            return .conditional(
                try branches.map {
                    Branch(condition: try change($0.condition, true), value: try change($0.value, true))
                })
        case .cast(let operand, let type): return .cast(try operand.map { try change($0, true) }, type)
        case .isOf(let operand, let type): return .isOf(try operand.map { try change($0, true) }, type)
        case .operation(let call, let subject):
            return .operation(
                try call.mappingArguments { try change($0, true) }, on: try subject.map { try change($0, true) })
        case .root(let path): return .root(try path.mappingExpressions { try change($0, false) })
        case .member(let operand, let steps): return .member(try change(operand, true), try steps.mapping(change))
        case .list(let items): return .list(try items.map { try change($0, true) })
        case .object(let members, let type):
            return .object(try members.map { ObjectMember(name: $0.name, value: try change($0.value, true)) }, type)
        case .aggregate(let path, var item):
            if case .expression(let inner) = item.source { item.source = .expression(try change(inner, false)) }
            return .aggregate(try path.mapping(change), item)
        case .hierarchy(var test):
            test.node = try change(test.node, true)
            test.other = try test.other.map { try change($0, true) }
            return .hierarchy(test)
        }
    }
}

extension PropertyPath {
    fileprivate func mapping(_ change: (QueryExpression, Bool) throws -> QueryExpression) rethrows -> PropertyPath {
        var path = self
        path.steps = try steps.mapping(change)
        return path
    }
}

extension [PropertyPath.Step] {
    fileprivate func mapping(_ change: (QueryExpression, Bool) throws -> QueryExpression) rethrows -> Self {
        try map { step in
            guard case .filter(let predicate) = step else { return step }
            return .filter(try change(predicate, false))
        }
    }
}

extension OperationCall {
    fileprivate func mappingArguments(_ change: (QueryExpression) throws -> QueryExpression) rethrows -> OperationCall {
        var call = self
        call.arguments = try arguments.map { Argument(name: $0.name, value: try change($0.value)) }
        return call
    }
}

extension ResourcePath {
    /// The path with the expressions in it replaced: `$filter(…)` and the arguments of functions.
    package func mappingExpressions(_ change: (QueryExpression) throws -> QueryExpression) rethrows -> ResourcePath {
        var path = self
        if case .operation(let call) = root { path.root = .operation(try call.mappingArguments(change)) }
        path.segments = try segments.map { segment in
            switch segment {
            case .filter(let predicate): .filter(try change(predicate))
            case .operation(let call): .operation(try call.mappingArguments(change))
            default: segment
            }
        }
        return path
    }
}

extension QueryOptions {
    /// The options with the expressions in them replaced, those of what is expanded or selected too; in `$apply` those of
    /// `filter`, `orderby` and `compute`.
    package func mappingExpressions(_ change: (QueryExpression) throws -> QueryExpression) rethrows -> QueryOptions {
        var options = self
        if let steps = apply?.steps {
            options.apply = ApplyExpression(
                try steps.map { .init(try $0.transformation.mappingExpressions(change), type: $0.type) })
        }
        options.compute = try compute.mappingExpressions(change)
        options.filter = try filter.map(change)
        options.orderBy = try orderBy.mappingExpressions(change)
        options.select = try select?.map { item in
            guard case .path(let steps, let nested?) = item else { return item }
            return .path(steps, try nested.mappingExpressions(change))
        }
        options.expand = try expand.map { item in
            var item = item
            item.options = try item.options.mappingExpressions(change)
            return item
        }
        return options
    }
}

extension SetTransformation {
    fileprivate func mappingExpressions(_ change: (QueryExpression) throws -> QueryExpression) rethrows
        -> SetTransformation
    {
        switch self {
        case .filter(let predicate): .filter(try change(predicate))
        case .orderBy(let items): .orderBy(try items.mappingExpressions(change))
        case .compute(let items): .compute(try items.mappingExpressions(change))
        default: self
        }
    }
}

extension [ComputeItem] {
    /// The items with their expressions replaced.
    package func mappingExpressions(_ change: (QueryExpression) throws -> QueryExpression) rethrows -> Self {
        try map { item in
            var item = item
            item.expression = try change(item.expression)
            return item
        }
    }
}

extension [OrderItem] {
    /// The items with their expressions replaced.
    package func mappingExpressions(_ change: (QueryExpression) throws -> QueryExpression) rethrows -> Self {
        try map { item in
            var item = item
            item.expression = try change(item.expression)
            return item
        }
    }
}
