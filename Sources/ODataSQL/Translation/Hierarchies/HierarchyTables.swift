import ODataModel
import ODataQuery

/// The nodes of a recursive hierarchy and their edges to parents, as common table expressions of the statement.
///
/// [OData-Aggregation, section 5.5.2]
struct HierarchyTables {
    /// The name of the table with the column `node`.
    let nodes: String
    /// The name of the table with the columns `node` and `parent`, for nodes that have parents.
    let edges: String
    /// The form of the identifiers.
    private let identifier: Term

    init(_ hierarchy: RecursiveHierarchy, context: StatementContext) throws {
        let restricted =
            try hierarchy.restriction.isEmpty ? nil : RowSet(nodesOf: hierarchy, context: context).shared()
        func source() throws -> RowSet {
            guard var rows = restricted else { return try RowSet(nodesOf: hierarchy, context: context) }
            rows.reopen()
            return rows
        }
        let rows = try source()
        let own = try rows.term(hierarchy.identifier)
        var statement = rows.statement
        statement.columns = [own.sql + " AS \"node\""]
        statement.conditions.append(own.sql + " IS NOT NULL")
        nodes = try context.define(statement.sql)
        identifier = own
        edges = try context.define(try Self.edges(hierarchy, from: source(), of: own, among: nodes))
    }

    /// `SELECT "t1"."ID" AS "node", "t2"."ID" AS "parent" FROM "Orgs" AS "t1" JOIN "Orgs" AS "t2" ON …`
    private static func edges(
        _ hierarchy: RecursiveHierarchy, from source: RowSet, of identifier: Term, among nodes: String
    ) throws -> SQLFragment {
        var rows = source
        let set = rows.scope.set
        let child = try rows.term(hierarchy.identifier)
        try rows.follow(hierarchy.parents.steps)
        let parent = try rows.term(hierarchy.identifier)
        guard parent.codec == identifier.codec else {
            throw ExpressionTranslator.unsupported("a hierarchy whose identifiers have several forms")
        }
        var statement = rows.statement
        statement.columns = [child.sql + " AS \"node\"", parent.sql + " AS \"parent\""]
        statement.conditions.append(child.sql + " IS NOT NULL")
        let isWhole = hierarchy.nodes.segments.isEmpty && hierarchy.restriction.isEmpty && rows.scope.set == set
        statement.conditions.append(
            parent.sql
                + (isWhole ? " IS NOT NULL" : " IN (SELECT \"node\" FROM \(identifier: nodes))"))
        return statement.sql
    }

    /// A column of one of the tables, under an alias.
    func term(_ column: String, of alias: String) -> Term {
        Term(
            SQLFragment.column(alias, column), identifier.codec, type: identifier.type,
            isNullable: false, isColumn: true)
    }

    /// `"odata$1" AS "n$3"`
    func table(_ name: String, _ alias: String) -> SQLFragment {
        SQLFragment.table(name, as: alias)
    }
}

extension HierarchyTables {
    /// Which nodes are reached from others.
    struct Reach {
        var isUpwards: Bool
        var maxDistance: Int?
        var keepsStart: Bool
    }

    /// The nodes that are reachable from the nodes that `start` selects as `node`. Each is returned once, so that
    /// cycles end; with a maximum distance once for each distance, so that cycles end at that distance or at the number
    /// of nodes.
    ///
    /// `WITH RECURSIVE "r$1"("node") AS (… UNION SELECT "e$1"."node" FROM "r$1" JOIN "odata$2" AS "e$1" ON …) SELECT …`
    ///
    /// - Parameters:
    ///   - carried: more columns of `start`, which the reached rows have too.
    ///   - columns: the selected columns of a reached row with the given alias.
    func reached(
        _ reach: Reach, from start: SQLFragment, carrying carried: [String] = [],
        selecting columns: (String) throws -> [SQLFragment], expressions: ExpressionTranslator
    ) throws -> SQLFragment {
        let number = expressions.context.number()
        let (rows, starts, edge) = ("r$\(number)", "s$\(number)", "e$\(number)")
        let (near, far) = reach.isUpwards ? ("node", "parent") : ("parent", "node")
        func columnList(_ alias: String, _ node: SQLFragment, _ distance: SQLFragment) -> SQLFragment {
            let list = carried.map { SQLFragment.column(alias, $0) } + [node]
            return (reach.maxDistance == nil ? list : list + [distance]).joined(", ")
        }
        func step(from alias: String) throws -> SQLFragment {
            let (left, right) = try expressions.sides(term(near, of: edge), term("node", of: alias), ordered: false)
            return " JOIN " + table(edges, edge) + " ON " + left + " = " + right
        }
        let first = start.parenthesised.named(starts)
        let base: SQLFragment =
            reach.keepsStart
            ? "SELECT " + columnList(starts, term("node", of: starts).sql, "0") + " FROM " + first
            : "SELECT " + columnList(starts, term(far, of: edge).sql, "1") + " FROM " + first
                + (try step(from: starts))
        let distance = SQLFragment.column(rows, "distance")
        var next: SQLFragment =
            "SELECT " + columnList(rows, term(far, of: edge).sql, distance + " + 1")
            + " FROM \(identifier: rows)" + (try step(from: rows))
        if let limit = reach.maxDistance {
            // A path without repeated nodes is not longer than the number of nodes.
            next += " WHERE " + distance + " < min(" + .bound(.integer(Int64(limit)))
            next += ", (SELECT count(*) FROM \(identifier: nodes)))"
        }
        let names = carried + ["node"] + (reach.maxDistance == nil ? [] : ["distance"])
        let list = names.map(SQLFragment.identifier).joined(", ")
        return """
            WITH RECURSIVE \(identifier: rows)(\(list)) AS (\(base) UNION \(next)) \
            SELECT \(try columns(rows).joined(", ")) FROM \(identifier: rows)
            """
    }
}

extension HierarchyTables {
    private static let downwards = Reach(isUpwards: false, maxDistance: nil, keepsStart: true)

    /// The nodes that are reachable from roots; nodes of a cycle are not.
    func rooted(_ expressions: ExpressionTranslator) throws -> SQLFragment {
        let alias = "n$\(expressions.context.number())"
        let node = term("node", of: alias)
        let roots = SelectStatement(
            [node.sql.named("node")], tables: table(nodes, alias),
            where: ["NOT " + (try expressions.isIn(node, "node", of: edges, self))])
        return try reached(
            Self.downwards, from: roots.sql, selecting: { [term("node", of: $0).sql] }, expressions: expressions)
    }

    /// The pairs of a node of the table `tops`, as `top`, and itself or one below it, as `node`.
    func pairs(of tops: String, _ expressions: ExpressionTranslator) throws -> SQLFragment {
        let alias = "n$\(expressions.context.number())"
        let node = term("node", of: alias).sql
        let start = SelectStatement([node.named("top"), node.named("node")], tables: table(tops, alias))
        return try reached(
            Self.downwards, from: start.sql, carrying: ["top"],
            selecting: { rows in ["top", "node"].map { term($0, of: rows).sql } }, expressions: expressions)
    }
}

extension RowSet {
    /// The nodes of a hierarchy, as entities.
    init(nodesOf hierarchy: RecursiveHierarchy, context: StatementContext) throws {
        self = try PathSource(hierarchy.nodes, context: context).rows
        try apply(hierarchy.restriction)
    }
}
