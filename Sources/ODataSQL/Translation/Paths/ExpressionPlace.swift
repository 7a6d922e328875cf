import ODataModel
import ODataQuery

/// The current position of a path of an expression.
enum ExpressionPlace {
    case entity(TableScope)
    /// Structural properties of an entity, the outermost first.
    case properties(TableScope, [EdmProperty])
    /// A value inside JSON: its members by name.
    case json(SQLFragment, [String], EdmTypeReference)
    /// A value.
    case value(Term)
    /// A collection of entities, or one of values with conditions on its members.
    case members(CollectionMembers)
}

/// The members of a collection, as the tables and conditions of a subquery.
struct CollectionMembers {
    var tables: SQLFragment
    var conditions: [SQLFragment]
    var variable: ExpressionTranslator.Variable
    /// A lookup that finds the members by a list, and the number of ``conditions`` that it replaces.
    var lookup: (navigation: NavigationLookup, conditions: Int)?

    /// The result of `body` for the list and the conditions that it does not replace; nil without a list.
    func looked(_ body: (NavigationLookup, [SQLFragment]) -> SQLFragment?) -> SQLFragment? {
        lookup.flatMap { body($0.navigation, Array(conditions.dropFirst($0.conditions))) }
    }

    /// One member.
    func term(_ translator: ExpressionTranslator) throws -> Term {
        switch variable {
        case .entity(let scope): try translator.entity(scope)
        case .element(let alias, let type): try translator.element(alias, type)
        }
    }

    /// The start of a path that continues from one member.
    var place: ExpressionPlace {
        switch variable {
        case .entity(let scope): .entity(scope)
        case .element(let alias, let type): .json(SQLFragment.column(alias, "value"), [], type)
        }
    }
}
