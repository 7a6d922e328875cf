extension QueryExpression {
    /// What the paths in the expression start from; nothing for a constant. The members of a collection, about which a
    /// part of the expression is evaluated, do not count.
    package var variables: Set<PropertyPath.Variable> {
        var found: Set<PropertyPath.Variable> = []
        switch self {
        case .path(let path), .isDefined(let path), .aggregate(let path, _), .lambda(_, let path, _, _),
            .count(let path, _, _):
            found.insert(path.variable)
        case .cast(nil, _), .isOf(nil, _), .hierarchy: found.insert(.it)
        case .operation(let call, nil) where call.operation.isBound: found.insert(.it)
        default: break
        }
        _ = mappingParts { part, isOfInstance in
            found.formUnion(isOfInstance ? part.variables : part.variables.subtracting([.it]))
            return part
        }
        return found
    }
}
