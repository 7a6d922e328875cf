import ODataModel
import ODataQuery

/// A table of a statement's FROM clause with its alias, or a related row that is joined if its columns are used.
final class TableScope {
    let context: StatementContext
    let alias: String
    let set: EdmEntitySet
    let source: RowSource
    /// The type of the rows: that of the set, of a cast, or of the result of `$apply`.
    var type: EdmStructuredType
    /// The scopes of the sets of a `$crossjoin`, by their names.
    private(set) var members: [String: TableScope] = [:]
    /// The row of `$it` in the options of `$expand`; nil if it is the row itself.
    var resource: ResourceRow?
    /// The nodes of the groups of `rolluprecursive`.
    var rollupNodes: [RollupNode] = []
    /// The join that a use of a column requires; nil for tables of the FROM clause.
    private let join: SQLJoin?
    /// The prefix of the aliases of rows that are joined to this one.
    private let path: String

    /// - Parameter path: the prefix of the aliases of joined rows; nil for ``alias``.
    init(
        context: StatementContext, alias: String, set: EdmEntitySet, source: RowSource, type: EdmStructuredType? = nil,
        join: SQLJoin? = nil, path: String? = nil
    ) {
        self.join = join
        self.path = path ?? alias
        self.context = context
        self.alias = alias
        self.set = set
        self.source = source
        self.type = type ?? set.type
    }

    /// Whether columns of doubles may contain the text `NaN`: if the store keeps it, or if they are computed.
    var mayHaveNaN: Bool { context.mapping.keepsNaN || source.table.hasPrefix(StatementContext.ownTable) }

    /// `"Products" AS "t0"`
    var table: SQLFragment { SQLFragment.table(source.table, as: alias) }

    /// `"t0"."Name"`: the value as it is shown, compared and ordered.
    func column(_ name: String) -> SQLFragment {
        source.shownColumns.contains(name) ? ShownText.shown(stored(name)) : stored(name)
    }

    /// `"t0"."Name"`: the value as it is stored, for joins.
    func stored(_ name: String) -> SQLFragment { .column(alias, name).requiring(join) }

    /// An expression of ``source`` for a row of the table.
    func value(_ expression: SQLFragment) -> SQLFragment { expression.of(row: alias).requiring(join) }

    /// The row id, for navigation properties in link tables.
    func rowID() throws -> SQLFragment {
        guard let id = source.rowID else {
            throw QueryError(.notImplemented, "The rows of \(set.name) have no row id for a link table.")
        }
        return stored(id)
    }

    /// Makes `member` reachable under the name of its set.
    func add(_ member: TableScope) {
        members[member.set.name] = member
    }

    /// The table of the row of `$it`.
    func joiningResource() throws -> TableScope {
        guard let resource else { return self }
        let source = try context.mapping.rows(of: resource.set)
        return try joining(resource.set, source, named: "$it") { target in
            zip(try target.identityColumns(), resource.identity).map {
                target.stored($0) + " = " + target.anchor($1, for: $0)
            }
        }
    }

    /// The table of the node of a group.
    ///
    /// - Parameter position: the position of its `rolluprecursive`, from 1.
    func joiningNode(_ position: Int) throws -> TableScope {
        guard rollupNodes.indices.contains(position - 1) else {
            throw ExpressionTranslator.unsupported("rollupnode here")
        }
        let node = rollupNodes[position - 1]
        let target = try node.scope(in: context)
        return try joining(target.set, target.source, as: target.type, named: "$node\(position)") {
            [try node.condition(on: $0)] + $0.live
        }
    }

    /// A row of `set` for which `conditions` hold. The same name returns the same row.
    private func joining(
        _ set: EdmEntitySet, _ source: RowSource, as type: EdmStructuredType? = nil, named name: String,
        where conditions: (TableScope) throws -> [SQLFragment]
    ) throws -> TableScope {
        let alias = "\(path)/\(name)"
        let target = TableScope(context: context, alias: alias, set: set, source: source, type: type)
        let sql: SQLFragment = "LEFT JOIN \(target.table) ON \(.all(try conditions(target)))"
        let join = SQLJoin(root: join?.root ?? self.alias, alias: alias, sql: sql)
        return TableScope(context: context, alias: alias, set: set, source: source, type: type, join: join)
    }

    /// The condition for visible rows of the table; empty if all are visible.
    var live: [SQLFragment] { source.condition.map { [$0.of(row: alias).parenthesised] } ?? [] }

    /// The condition for rows of `type`; nil if all rows are.
    ///
    /// `odata_type IN ('Shop.Manager', 'Shop.Director')`; `0` where none can be.
    func condition(forType type: EdmStructuredType) -> SQLFragment? {
        if self.type.isKind(of: type) { return nil }
        guard type.isKind(of: self.type), let expression = source.typeName else { return "0" }
        let names = ([type] + context.model.derivedTypes(of: type)).map { SQLFragment.bound(.text("\($0.name)")) }
        return value(expression) + " IN " + names.joined(", ").parenthesised
    }

    /// The table of the entity that a single-valued navigation property leads to.
    ///
    /// - Parameters:
    ///   - prefix: the complex properties before it in the path.
    ///   - type: what the entity is cast to.
    func joining(
        _ navigation: EdmNavigationProperty, under prefix: [EdmProperty] = [], as type: EdmStructuredType? = nil
    ) throws -> TableScope {
        if let member = members[navigation.name], prefix.isEmpty { return member }
        let name = try navigationName(of: navigation, under: prefix, as: type)
        if source.navigation[name] == nil, let view = view(of: name, type: context.model.target(of: navigation)) {
            return view
        }
        let (mapping, target) = try context.target(of: navigation, under: prefix, from: self, as: type)
        return try joining(target.set, target.source, as: target.type, named: name) {
            try condition(of: mapping, to: $0) + $0.live
        }
    }

    /// The name of a navigation property in ``RowSource/navigation``.
    func navigationName(
        of navigation: EdmNavigationProperty, under prefix: [EdmProperty] = [], as type: EdmStructuredType? = nil
    ) throws -> String {
        let path = (prefix.map(\.name) + [navigation.name]).joined(separator: "/")
        return try context.navigationName(path, in: source, of: type ?? self.type, set)
    }

    private func condition(of mapping: NavigationMapping, to target: TableScope) throws -> [SQLFragment] {
        if case .columns(let pairs, _) = mapping {
            guard pairs.contains(where: { $0.isUnindexed && $0.isConverted }) else {
                return NavigationJoin.equalities(pairs, from: self, to: target)
            }
            return [try listed(pairs, of: target)]
        }
        let link = try NavigationJoin(mapping, from: self, to: try context.scope(of: target.set))
        let found = try link.target.rowID()
        let choice = SelectStatement([found], tables: link.tables, where: link.conditions)
        return [try target.rowID() + " = (" + choice.sql + " LIMIT 1)"]
    }

    /// The related row by a list of all rows' values: SQLite builds an index for the list, but not for a column whose
    /// values it converts.
    private func listed(_ pairs: [NavigationMapping.ColumnPair], of target: TableScope) throws -> SQLFragment {
        let row = try context.scope(of: target.set)
        let identity = try row.identityColumns()
        let name = context.alias()
        let values = pairs.enumerated().map {
            $1.comparable(target: row.stored($1.target)).named("v\($0)")
        }
        let ids = identity.enumerated().map { row.stored($1).named("r\($0)") }
        let list: SQLFragment = "SELECT " + (values + ids).joined(", ") + " FROM " + row.table + " LIMIT -1"
        let same = pairs.enumerated().map {
            SQLFragment.column(name, "v\($0)") + " = " + $1.comparable(source: stored($1.source))
        }
        let found = identity.indices.map { SQLFragment.column(name, "r\($0)") }.joined(", ")
        let columns = identity.map(target.stored).joined(", ")
        return (identity.count == 1 ? columns : columns.parenthesised) + " = (SELECT " + found + " FROM "
            + list.parenthesised.named(name) + " WHERE " + .all(same) + " LIMIT 1)"
    }

    /// The columns of `Customer/Country`, as `$apply` makes them, seen from `Customer`.
    private func view(of path: String, type: EdmStructuredType?) -> TableScope? {
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
        return TableScope(
            context: context, alias: alias, set: set, source: rows, type: type, join: join,
            path: "\(self.path)/\(path)")
    }
}
