import ODataModel
import ODataQuery

/// One table in a statement's FROM clause, under its alias, with the to-one relations that expressions follow from it.
final class Scope {
    let context: StatementContext
    let alias: String
    let set: EdmEntitySet
    let source: RowSource
    /// The type of the rows: that of the set, of a cast, or what `$apply` made.
    var type: EdmStructuredType
    /// Left joins that expressions asked for, of this scope and those reached from it.
    private(set) var joins: [SQLFragment] = []
    /// The scopes of the sets of a `$crossjoin`, by their names.
    private(set) var members: [String: Scope] = [:]
    private var joined: [String: Scope] = [:]
    /// The row that `$it` stands for in the options of `$expand`; nil where it stands for the row itself.
    var resource: ResourceRow?
    private var joinedResource: Scope?
    /// The nodes that the groups of `rolluprecursive` are made for.
    var rollupNodes: [RollupNode] = []
    private var joinedNodes: [Int: Scope] = [:]
    /// The scope whose FROM clause takes the joins.
    private weak var root: Scope?

    init(
        context: StatementContext, alias: String, set: EdmEntitySet, source: RowSource, type: EdmStructuredType? = nil
    ) {
        self.context = context
        self.alias = alias
        self.set = set
        self.source = source
        self.type = type ?? set.type
    }

    /// Whether columns of doubles may have the text `NaN`: where the store keeps it, and where they are computed.
    var mayHaveNaN: Bool { context.mapping.keepsNaN || source.table.hasPrefix(StatementContext.ownTable) }

    /// `"Products" AS "t0"`
    var table: SQLFragment { SQLFragment("\(quoted(source.table)) AS \(quoted(alias))") }

    /// `"t0"."Name"`: the value as it is shown, compared and ordered.
    func column(_ name: String) -> SQLFragment {
        source.shownColumns.contains(name) ? ShownText.shown(stored(name)) : stored(name)
    }

    /// `"t0"."Name"`: the value as it is stored, for relations.
    func stored(_ name: String) -> SQLFragment { SQLFragment("\(quoted(alias)).\(quoted(name))") }

    /// The row id, for relations kept in link tables.
    func rowID() throws -> SQLFragment {
        guard let text = source.rowID(of: alias) else {
            throw QueryError(.notImplemented, "The rows of \(set.name) have no row id for a link table.")
        }
        return SQLFragment(text)
    }

    /// Makes `member` reachable under the name of its set.
    func add(_ member: Scope) {
        member.root = self
        members[member.set.name] = member
    }

    /// The table of the row that `$it` stands for: one left join however often it is asked for.
    func joiningResource() throws -> Scope {
        guard let resource else { return self }
        if let joinedResource { return joinedResource }
        let target = try context.scope(of: resource.set)
        target.root = root ?? self
        let pairs = zip(try target.identityColumns(), resource.identity)
        let conditions = pairs.map { target.stored($0) + " = " + target.anchor($1, for: $0) }
        (root ?? self).joins.append("LEFT JOIN " + target.table + " ON " + .all(conditions))
        joinedResource = target
        return target
    }

    /// The table of the node that a group is made for: one left join however often it is asked for.
    ///
    /// - Parameter position: that of its `rolluprecursive`, from 1.
    func joiningNode(_ position: Int) throws -> Scope {
        if let known = joinedNodes[position] { return known }
        guard rollupNodes.indices.contains(position - 1) else {
            throw ExpressionTranslator.unsupported("rollupnode here")
        }
        let node = rollupNodes[position - 1]
        let target = try node.scope(in: context)
        let live = target.source.condition(for: target.alias).map { [$0] } ?? []
        let conditions = [try node.condition(on: target)] + live
        target.root = root ?? self
        (root ?? self).joins.append("LEFT JOIN " + target.table + " ON " + .all(conditions))
        joinedNodes[position] = target
        return target
    }

    /// Puts the joins made so far before a table that comes after them in the FROM clause.
    func takeJoins() -> [SQLFragment] {
        defer { joins = [] }
        return joins
    }

    /// The condition for rows of `type`; nil where all are.
    ///
    /// `odata_type IN ('Shop.Manager', 'Shop.Director')`; `0` where none can be.
    func condition(forType type: EdmStructuredType) -> SQLFragment? {
        if self.type.isKind(of: type) { return nil }
        guard type.isKind(of: self.type), let expression = source.typeName else { return "0" }
        let names = ([type] + context.model.derivedTypes(of: type)).map { SQLFragment.bound(.text("\($0.name)")) }
        return SQLFragment(RowSource.expand(expression, row: alias)) + " IN " + names.joined(", ").parenthesised
    }

    /// The table of the entity that a to-one relation leads to: one left join however often the path is used.
    ///
    /// - Parameters:
    ///   - prefix: the complex properties on the way.
    ///   - type: what the entity is cast to.
    func joining(
        _ navigation: EdmNavigationProperty, under prefix: [EdmProperty] = [], as type: EdmStructuredType? = nil
    ) throws -> Scope {
        if let member = members[navigation.name], prefix.isEmpty { return member }
        let path = try relationName(of: navigation, under: prefix, as: type)
        if let known = joined[path] { return known }
        if source.relations[path] == nil, let view = view(of: path, type: context.model.target(of: navigation)) {
            joined[path] = view
            return view
        }
        let (relation, target) = try context.target(of: navigation, under: prefix, from: self, as: type)
        target.root = root ?? self
        let condition = try self.condition(of: relation, to: target)
        let live = target.source.condition(for: target.alias).map { [$0] } ?? []
        (root ?? self).joins.append("LEFT JOIN " + target.table + " ON " + .all(condition + live))
        joined[path] = target
        return target
    }

    /// The name of a relation in ``RowSource/relations``.
    func relationName(
        of navigation: EdmNavigationProperty, under prefix: [EdmProperty] = [], as type: EdmStructuredType? = nil
    ) throws -> String {
        let path = (prefix.map(\.name) + [navigation.name]).joined(separator: "/")
        return try context.relationName(path, in: source, of: type ?? self.type, set)
    }

    private func condition(of relation: RelationMapping, to target: Scope) throws -> [SQLFragment] {
        if case .columns(let pairs, _) = relation {
            guard pairs.contains(where: { $0.isUnindexed && $0.isConverted }) else {
                return Relation.equalities(pairs, from: self, to: target)
            }
            return [try listed(pairs, of: target)]
        }
        let link = try Relation(relation, from: self, to: try context.scope(of: target.set))
        let found = try link.target.rowID()
        let choice = "SELECT " + found + " FROM " + link.tables + " WHERE " + .all(link.conditions) + " LIMIT 1"
        return [try target.rowID() + " = (" + choice + ")"]
    }

    /// The related row by a list of all rows' values: SQLite makes an index of the list, as it makes none of a column
    /// whose values it converts.
    private func listed(_ pairs: [RelationMapping.ColumnPair], of target: Scope) throws -> SQLFragment {
        let row = try context.scope(of: target.set)
        let identity = try row.identityColumns()
        let name = quoted(context.alias())
        let values = pairs.enumerated().map {
            $1.comparable(target: row.stored($1.target)) + SQLFragment(" AS \"v\($0)\"")
        }
        let ids = identity.enumerated().map { row.stored($1) + SQLFragment(" AS \"r\($0)\"") }
        let list: SQLFragment = "SELECT " + (values + ids).joined(", ") + " FROM " + row.table + " LIMIT -1"
        let same = pairs.enumerated().map {
            SQLFragment("\(name).\"v\($0)\" = ") + $1.comparable(source: stored($1.source))
        }
        let found = identity.indices.map { SQLFragment("\(name).\"r\($0)\"") }.joined(", ")
        let columns = identity.map(target.stored).joined(", ")
        return (identity.count == 1 ? columns : columns.parenthesised) + " = (SELECT " + found + " FROM "
            + list.parenthesised + SQLFragment(" AS \(name) WHERE ") + .all(same) + " LIMIT 1)"
    }

    /// The columns of `Customer/Country`, as `$apply` makes them, seen from `Customer`.
    private func view(of path: String, type: EdmStructuredType?) -> Scope? {
        let lead = path + "/"
        var columns: [String: ColumnMapping] = [:]
        for (name, mapping) in source.columns where name.hasPrefix(lead) {
            columns[String(name.dropFirst(lead.count))] = mapping
        }
        guard !columns.isEmpty else { return nil }
        var rows = RowSource(table: source.table, rowID: nil, columns: columns)
        for (name, flag) in source.presence where name.hasPrefix(lead) {
            rows.presence[String(name.dropFirst(lead.count))] = flag
        }
        let view = Scope(context: context, alias: alias, set: set, source: rows, type: type)
        view.root = root ?? self
        return view
    }
}
