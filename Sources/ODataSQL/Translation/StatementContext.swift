import ODataModel
import ODataQuery

/// What the parts of one statement share: the mapping, the aliases given so far, and the time it runs at.
final class StatementContext {
    let model: Model
    let mapping: any SQLMapping
    /// The value of `now()`.
    let now: EdmDateTimeOffset
    private var aliases = 0

    init(model: Model, mapping: any SQLMapping, now: EdmDateTimeOffset) {
        self.model = model
        self.mapping = mapping
        self.now = now
    }

    /// `t0`, `t1`, ...
    func alias() -> String {
        defer { aliases += 1 }
        return "t\(aliases)"
    }

    func scope(of set: EntitySet) throws -> Scope {
        Scope(context: self, alias: alias(), set: set, source: try mapping.rows(of: set))
    }

    /// The relation behind `navigation` and a scope of its target, which is not joined to anything yet.
    func target(of navigation: NavigationProperty, from scope: Scope) throws -> (RelationMapping, Scope) {
        guard let relation = scope.source.relations[navigation.name] else {
            throw QueryError(
                .notImplemented, "The store has no relation for \(scope.set.name)/\(navigation.name).")
        }
        guard let set = model.entitySet(named: relation.targetSet) else {
            throw QueryError(.notImplemented, "The store has no set \(relation.targetSet) for \(navigation.name).")
        }
        return (relation, try self.scope(of: set))
    }
}

/// One table in a statement's FROM clause, under its alias, with the to-one relations that expressions follow from it.
final class Scope {
    let context: StatementContext
    let alias: String
    let set: EntitySet
    let source: RowSource
    /// Left joins that expressions asked for, of this scope and those reached from it.
    private(set) var joins: [SQLFragment] = []
    private var joined: [String: Scope] = [:]
    /// The scope whose FROM clause takes the joins.
    private weak var root: Scope?

    init(context: StatementContext, alias: String, set: EntitySet, source: RowSource) {
        self.context = context
        self.alias = alias
        self.set = set
        self.source = source
    }

    /// `"Products" AS "t0"`
    var table: SQLFragment { SQLFragment("\(quoted(source.table)) AS \(quoted(alias))") }

    /// `"t0"."Name"`
    func column(_ name: String) -> SQLFragment { SQLFragment("\(quoted(alias)).\(quoted(name))") }

    /// The row id, for relations kept in link tables.
    func rowID() throws -> SQLFragment {
        guard let text = source.rowID(of: alias) else {
            throw QueryError(.notImplemented, "The rows of \(set.name) have no row id for a link table.")
        }
        return SQLFragment(text)
    }

    /// The table of the entity that a to-one relation leads to: one left join however often the path is used.
    func joining(_ navigation: NavigationProperty) throws -> Scope {
        if let known = joined[navigation.name] { return known }
        let (relation, target) = try context.target(of: navigation, from: self)
        target.root = root ?? self
        let condition: [SQLFragment]
        switch relation {
        case .columns(let pairs, _): condition = Relation.equalities(pairs, from: self, to: target)
        case .linkTable:
            let link = try Relation(relation, from: self, to: try context.scope(of: target.set))
            let found = try link.target.rowID()
            let choice = "SELECT " + found + " FROM " + link.tables + " WHERE " + .all(link.conditions) + " LIMIT 1"
            condition = [try target.rowID() + " = (" + choice + ")"]
        }
        let live = target.source.condition(for: target.alias).map { [$0] } ?? []
        (root ?? self).joins.append("LEFT JOIN " + target.table + " ON " + .all(condition + live))
        joined[navigation.name] = target
        return target
    }
}
