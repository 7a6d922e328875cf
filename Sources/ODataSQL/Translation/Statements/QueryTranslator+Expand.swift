import ODataModel
import ODataQuery

/// `$expand`: the related rows of many parents in one statement.
extension QueryTranslator {
    /// The rows of `item` for the parents whose anchors are bound as a JSON array to the parameter `:parents`, which is
    /// not among the statement's bindings. ``RowProjection/parent`` is the position in that array.
    ///
    /// `FROM json_each(:parents) AS "p" CROSS JOIN "Items" AS "t1" WHERE "t1"."OrderID" = "p"."value"`
    package func rows(of item: ExpandItem, from parent: RowStatement, shape: RowShape) throws -> RowStatement {
        var rows = try related(item, from: parent)
        let isCollection = item.navigation.isCollection
        if isCollection { try rows.orderBy(item.options.orderBy) }
        let isCut = isCollection && (item.options.top != nil || (item.options.skip ?? 0) > 0)
        if isCut { try rows.cut(skip: item.options.skip ?? 0, top: item.options.top) }
        let order = isCollection ? try rows.totalOrder() : []
        let position = rows.partitions.first?.term.sql
        let projection = try RowProjection(shape: shape, rows: rows, options: item.options, parent: position)
        var statement = rows.statement
        statement.columns = projection.columns
        if isCollection { statement.order = (position.map { [$0] } ?? []) + order.map(\.sql) }
        return RowStatement(
            sql: try rows.context.complete(statement.sql), set: rows.scope.set, type: rows.scope.type,
            source: rows.scope.source, projection: projection, order: order, signature: 0, isEntities: rows.isEntities,
            resource: rows.scope.resource?.set)
    }

    /// The number of related rows of each parent: its position and the count. Parents without related rows are omitted.
    package func counts(of item: ExpandItem, from parent: RowStatement) throws -> SQLStatement {
        let rows = try related(item, from: parent)
        let position = rows.partitions.first?.term.sql ?? "0"
        var statement = rows.statement
        statement.columns = [position, "count(*)"]
        return try rows.context.complete(statement.sql + " GROUP BY " + position)
    }

    /// The related rows with their parents as partitions, after `$apply`, `$compute`, `$search` and `$filter`.
    private func related(_ item: ExpandItem, from parent: RowStatement) throws -> RowSet {
        let context = context
        let name = try item.navigationName(in: parent.source, of: parent.type, parent.set, context)
        let source =
            try parent.source.navigation[name] == nil && parent.set.isCrossjoin
            ? ExpandSource(member: item, context: context)
            : ExpandSource(item, named: name, from: parent, context: context)
        var rows = RowSet(source)
        if let condition = rows.scope.condition(forType: item.targetType) { rows.conditions.append(condition) }
        if item.targetType.isKind(of: rows.scope.type) { rows.scope.type = item.targetType }
        try rows.applyOptions(item.options)
        return rows
    }
}

extension RowSet {
    /// The rows that are related to bound parents, partitioned by parent.
    fileprivate init(_ source: ExpandSource) {
        self.init(scope: source.scope, tables: source.tables)
        conditions = source.conditions
        parents = source.parents
        partitions = source.parents.partitions()
        scope.resource = source.resource.map { resource(in: $0) }
    }
}

/// The tables and conditions that connect bound anchors and related rows.
struct ExpandSource {
    let scope: TableScope
    let tables: SQLFragment
    let conditions: [SQLFragment]
    let parents: ParentList
    /// The set of the row of `$it`, if it is used.
    let resource: EdmEntitySet?

    init(_ item: ExpandItem, named name: String, from statement: RowStatement, context: StatementContext) throws {
        guard let mapping = statement.source.navigation[name] else {
            throw QueryError.noTable(forNavigation: "\(statement.set.name)/\(name)")
        }
        resource = item.usesResource ? statement.resource : nil
        let named = try resource.map { try context.scope(of: $0).identityColumns().count } ?? 0
        let columns = RowProjection.anchorColumns(of: mapping, source: statement.source)
        let identity = try columns == nil ? Self.identity(of: mapping, statement, context) : []
        var parents = ParentList(anchors: columns?.count ?? identity.count, resource: named)
        let target = try context.scope(of: try context.targetSet(of: mapping, named: name))
        var join: NavigationJoin
        var tables = parents.table
        var conditions: [SQLFragment] = []
        var isScanned = false
        switch (mapping, columns) {
        case (.columns(let pairs, _), .some):
            join = NavigationJoin(columns: Self.conditions(pairs, parents, target: target), to: target)
        case (.columns(let pairs, _), nil):
            let parent = try context.scope(of: statement.set)
            let rows = zip(identity, parents.anchorValues).map {
                parent.stored($0) + " = " + parent.anchor($1, for: $0)
            }
            isScanned = pairs.contains(where: \.isUnindexed)
            if isScanned {
                parents.list(
                    pairs.map { $0.comparable(source: parent.stored($0.source)) }, of: parent.table, where: rows)
                join = NavigationJoin(columns: Self.conditions(pairs, parents, target: target), to: target)
            } else {
                join = try NavigationJoin(mapping, from: parent, to: target)
                tables += " CROSS JOIN " + parent.table
                conditions = rows
            }
        case (.linkTable, _):
            join = try NavigationJoin(mapping, sourceID: parents.anchorValues[0], to: target)
        }
        scope = target
        self.parents = parents
        // If no index finds the rows, they are scanned once: SQLite builds an index for the list of parents.
        self.tables =
            isScanned
            ? join.tables + " CROSS JOIN " + parents.table : tables + " CROSS JOIN " + join.tables
        self.conditions = conditions + join.conditions
    }

    /// The identities of the parents' rows.
    private static func identity(
        of mapping: NavigationMapping, _ statement: RowStatement, _ context: StatementContext
    ) throws -> [String] {
        if case .linkTable = mapping { return [""] }
        return try context.scope(of: statement.set).identityColumns()
    }

    /// A member of a `$crossjoin`, by its identity.
    init(member item: ExpandItem, context: StatementContext) throws {
        guard let set = item.targetSet else {
            throw ExpressionTranslator.unsupported("\(item.navigation.name) in $crossjoin")
        }
        let target = try context.scope(of: set)
        let pairs = try target.identityColumns().map { NavigationMapping.ColumnPair(source: $0, target: $0) }
        parents = ParentList(anchors: pairs.count, resource: 0)
        resource = nil
        let join = NavigationJoin(columns: Self.conditions(pairs, parents, target: target), to: target)
        scope = target
        tables = parents.table + " CROSS JOIN " + join.tables
        conditions = join.conditions
    }

    private static func conditions(
        _ pairs: [NavigationMapping.ColumnPair], _ parents: ParentList, target: TableScope
    ) -> [SQLFragment] {
        zip(pairs, parents.anchorValues).map { pair, value in
            let column = target.stored(pair.target)
            guard !parents.isList else { return pair.comparable(target: column) + " = " + value }
            return column + " = " + target.anchor(value, for: pair.target) + pair.collating
        }
    }
}
