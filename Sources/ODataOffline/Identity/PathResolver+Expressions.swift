import GRDB
import ODataModel
import ODataQuery
import ODataSQLite

/// Keys that entities had before the service gave them others, in queries: old links and literals keep their meaning.
extension PathResolver {
    /// `Items?$filter=OrderID eq -2147483647` → `Items?$filter=OrderID eq 11078` once the order was uploaded.
    func resolve(_ query: BoundQuery, model: EdmModel) throws -> BoundQuery {
        var query = query
        query.path = try resolve(query.path)
        let literals = ReplacedKeyLiterals(resolver: self, model: model)
        query.path.segments = try query.path.segments.map(literals.resolve)
        query.options = try literals.resolve(query.options)
        return query
    }
}

/// Replaces old keys in the expressions of a query.
private struct ReplacedKeyLiterals {
    let resolver: PathResolver
    let model: EdmModel

    func resolve(_ options: QueryOptions) throws -> QueryOptions {
        var options = options
        options.filter = try options.filter.map(resolve)
        options.expand = try options.expand.map { item in
            var item = item
            item.options = try resolve(item.options)
            return item
        }
        return options
    }

    func resolve(_ segment: ResourcePath.Segment) throws -> ResourcePath.Segment {
        guard case .filter(let expression) = segment else { return segment }
        return .filter(try resolve(expression))
    }

    private func resolve(_ expression: QueryExpression) throws -> QueryExpression {
        switch expression {
        case .binary(let sign, let left, let right) where sign == .eq || sign == .ne:
            return .binary(sign, try literal(left, comparedWith: right), try literal(right, comparedWith: left))
        case .inList(let operand, let list):
            return .inList(try resolve(operand), try list.map { try literal($0, comparedWith: operand) })
        case .lambda(let sign, let path, let variable, let predicate):
            return .lambda(sign, try resolve(path), variable: variable, predicate: try predicate.map(resolve))
        case .count(let path, let filter, let search):
            return .count(try resolve(path), filter: try filter.map(resolve), search: search)
        case .path(let path): return .path(try resolve(path))
        case .isDefined(let path): return .isDefined(try resolve(path))
        case .aggregate(let path, var item):
            if case .expression(let inner) = item.source { item.source = .expression(try resolve(inner)) }
            return .aggregate(try resolve(path), item)
        case .root(let path): return .root(try resolver.resolve(path))
        case .hierarchy(var test):
            let identifier = QueryExpression.path(test.hierarchy.identifier)
            test.hierarchy.nodes = try resolver.resolve(test.hierarchy.nodes)
            test.node = try literal(test.node, comparedWith: identifier)
            test.other = try test.other.map { try literal($0, comparedWith: identifier) }
            return .hierarchy(test)
        default: return try expression.mappingParts { part, _ in try resolve(part) }
        }
    }

    /// `Items(OrderID=-2147483647,LineNo=1)/Quantity`
    private func resolve(_ path: PropertyPath) throws -> PropertyPath {
        var path = path
        var set = path.variableSet
        path.steps = try path.steps.map { step in
            switch step {
            case .navigation(_, let target, _): set = target
            case .key(let key):
                if let set, let current = try resolver.currentKey(key, of: set) { return .key(current) }
            case .filter(let filter): return .filter(try resolve(filter))
            case .property, .cast, .annotation: break
            }
            return step
        }
        return path
    }

    private func literal(_ expression: QueryExpression, comparedWith other: QueryExpression) throws -> QueryExpression {
        guard case .literal(let value, let type) = expression, case .path(let path) = other,
            let named = entity(namedBy: path),
            let key = try resolver.currentKey(EntityKey(named.property, value), of: named.set),
            let current = key[named.property]
        else { return try resolve(expression) }
        return .literal(current, type)
    }

    /// The set of the entities whose key, of one property, the path leads to: their own, or that of a navigation
    /// property.
    private func entity(namedBy path: PropertyPath) -> (set: EdmEntitySet, property: String)? {
        guard case .property(let property)? = path.steps.last else { return nil }
        var set = path.variableSet
        for step in path.steps.dropLast() {
            switch step {
            case .navigation(_, let target, _): set = target
            case .cast: break
            default: return nil
            }
        }
        guard let set else { return nil }
        if set.type.key == [property.name] { return (set, property.name) }
        for navigation in set.type.navigationProperties where navigation.constraints.count == 1 {
            guard navigation.constraints[0].property == property.name,
                let target = model.targetSet(of: navigation, from: set),
                target.type.key == [navigation.constraints[0].referencedProperty]
            else { continue }
            return (target, navigation.constraints[0].referencedProperty)
        }
        return nil
    }
}
