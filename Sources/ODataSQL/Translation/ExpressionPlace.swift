import ODataModel
import ODataQuery

/// Where a path of an expression has come to.
enum ExpressionPlace {
    case entity(Scope)
    /// Structural properties of an entity, from the outside in.
    case properties(Scope, [EdmProperty])
    /// A value inside JSON: its members by name.
    case json(SQLFragment, [String], EdmTypeReference)
    /// A value as it is.
    case value(Term)
    /// A collection of entities, or one of values with conditions on its members.
    case members(Members)
}

/// The members of a collection, as the body of a subquery.
struct Members {
    var tables: SQLFragment
    var conditions: [SQLFragment]
    var variable: ExpressionTranslator.Variable
    /// What finds the members by a list, with the number of ``conditions`` that this stands for.
    var lookup: (relation: RelationLookup, conditions: Int)?

    /// What `body` makes of the list and the conditions that it does not stand for; nil where there is no list.
    func looked(_ body: (RelationLookup, [SQLFragment]) -> SQLFragment?) -> SQLFragment? {
        lookup.flatMap { body($0.relation, Array(conditions.dropFirst($0.conditions))) }
    }

    /// What follows FROM. Only complete when all conditions are translated, since these ask for joins.
    var from: SQLFragment {
        guard case .entity(let scope) = variable else { return tables }
        return ([tables] + scope.joins).joined(" ")
    }

    /// One member.
    func term(_ translator: ExpressionTranslator) throws -> Term {
        switch variable {
        case .entity(let scope): try translator.entity(scope)
        case .element(let alias, let type): try translator.element(alias, type)
        }
    }

    /// What a path that goes on from one member starts at.
    var place: ExpressionPlace {
        switch variable {
        case .entity(let scope): .entity(scope)
        case .element(let alias, let type): .json(SQLFragment("\(quoted(alias)).\"value\""), [], type)
        }
    }
}
