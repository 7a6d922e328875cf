import ODataModel
import ODataQuery

/// The templates of the queries that were translated last.
///
/// A shape gets a template when it is seen for the second time, so that a query that is never repeated is translated
/// once and not twice.
package final class TemplateCache<Plan: StatementPlan>: Sendable {
    private let entries: BoundedCache<TemplateKey, TemplateEntry>

    /// - Parameter capacity: How many templates are kept at least; at most twice as many.
    package init(capacity: Int = 128) { entries = BoundedCache(limit: capacity) }

    /// The plan for a query.
    ///
    /// - Parameters:
    ///   - variant: Tells apart different plans for one query.
    ///   - make: Translates a query. For a sample, `now()` is to have another value than at any other time.
    package func plan(
        for query: BoundQuery, variant: Int = 0, _ make: (_ query: BoundQuery, _ isSample: Bool) throws -> Plan
    ) throws -> Plan {
        let parameters = QueryParameters(query)
        let key = TemplateKey(shape: parameters.shape, variant: variant)
        switch entries[key] {
        case .template(let template as StatementTemplate<Plan>):
            return try template.plan(for: parameters.values) ?? make(query, false)
        case .template, .untemplated: return try make(query, false)
        case .seen:
            let plan = try make(query, false)
            // What can be translated for a query may be refused for the sample.
            let sample = try? make(parameters.shape, true)
            let template = sample.flatMap { StatementTemplate(plan, sample: $0, parameters: parameters) }
            entries.insert(template.map(TemplateEntry.template) ?? .untemplated, for: key)
            return plan
        case nil:
            let plan = try make(query, false)
            entries.insert(.seen, for: key)
            return plan
        }
    }

    /// The plan for a query out of the template of its shape; nil without one. Nothing is translated.
    package func kept(for query: BoundQuery, variant: Int = 0) -> Plan? {
        let parameters = QueryParameters(query)
        let entry = entries[TemplateKey(shape: parameters.shape, variant: variant)]
        guard case .template(let template as StatementTemplate<Plan>)? = entry else { return nil }
        return template.plan(for: parameters.values)
    }
}

// Not generic, so that the cache of them is compiled for these types.

private enum TemplateEntry: Sendable {
    case seen
    /// A `StatementTemplate`.
    case template(any Sendable)
    /// Each query of the shape is translated itself.
    case untemplated
}

private struct TemplateKey: Hashable, Sendable {
    let shape: BoundQuery
    let variant: Int

    func hash(into hasher: inout Hasher) {
        hasher.combine(variant)
        shape.hashShape(into: &hasher)
    }
}

extension BoundQuery {
    /// Hashes what tells most queries apart, without the declarations in the model.
    fileprivate func hashShape(into hasher: inout Hasher) {
        hasher.combine(path.rootSet?.name)
        hasher.combine(path.segments.count)
        for segment in path.segments {
            switch segment {
            case .navigation(let navigation, _): hasher.combine(navigation.name)
            case .property(let property): hasher.combine(property.name)
            default: break
            }
        }
        options.hashShape(into: &hasher)
    }
}

extension QueryOptions {
    fileprivate func hashShape(into hasher: inout Hasher) {
        filter?.hashShape(into: &hasher)
        for item in orderBy { item.expression.hashShape(into: &hasher) }
        for item in select ?? [] { if case .property(let path) = item { hasher.combine(path.last?.name) } }
        for item in expand {
            hasher.combine(item.navigation.name)
            item.options.hashShape(into: &hasher)
        }
        hasher.combine(top)
        hasher.combine(skip)
        hasher.combine(search)
    }
}

extension QueryExpression {
    fileprivate func hashShape(into hasher: inout Hasher) {
        switch self {
        case .literal(let value, _): hasher.combine(value)
        case .path(let path):
            for step in path.steps {
                switch step {
                case .property(let property): hasher.combine(property.name)
                case .navigation(let navigation, _, _): hasher.combine(navigation.name)
                default: break
                }
            }
        case .not(let operand), .negate(let operand): operand.hashShape(into: &hasher)
        case .binary(let sign, let left, let right):
            hasher.combine(sign)
            left.hashShape(into: &hasher)
            right.hashShape(into: &hasher)
        case .inList(let operand, let list):
            operand.hashShape(into: &hasher)
            for item in list { item.hashShape(into: &hasher) }
        case .call(let function, let arguments):
            hasher.combine(function)
            for argument in arguments { argument.hashShape(into: &hasher) }
        case .lambda(_, let path, _, let predicate):
            QueryExpression.path(path).hashShape(into: &hasher)
            predicate?.hashShape(into: &hasher)
        default: break
        }
    }
}
