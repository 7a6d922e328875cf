import ODataModel
import ODataQuery

/// `groupby((rolluprecursive($root/Orgs,Tree,Org/ID)),aggregate(…))`: repeats each row for its node and each node above
/// it.
///
/// [OData-Aggregation, section 6.3]
extension RowSet {
    /// - Parameter others: further grouping values inside each node.
    mutating func rollUp(
        _ rollups: [RecursiveRollup], beside others: [GroupingItem], steps: [ApplyExpression.Step]
    ) throws {
        let depth = partitions.count
        let outer = (combinations, self.rollups)
        if !partitions.isEmpty { try define() }
        let start = self
        var nodes: [String] = []
        for rollup in rollups { nodes.append(try spread(over: rollup)) }
        self.rollups = rollups.enumerated().map { Rollup(partition: depth + $0, hierarchy: $1.hierarchy) }
        combinations = try Combinations(of: start, with: nodes, named: partitions[depth...].map(\.name))
        scope.rollupNodes = rollupNodes
        if !others.isEmpty {
            try group(others, steps: steps)
        } else if steps.isEmpty {
            try collapse([])
        } else {
            try apply(steps)
        }
        try mark(rollups, from: depth, isOneRow: others.isEmpty && rollups.count == 1 && steps.giveOneRow)
        (combinations, self.rollups) = outer
        scope.rollupNodes = rollupNodes
    }

    /// Repeats each row for its node and each node above it; returns the table of the nodes.
    private mutating func spread(over rollup: RecursiveRollup) throws -> String {
        guard rollup.hierarchy.parents.type?.isCollection == false else {
            throw ExpressionTranslator.unsupported(
                "rolluprecursive of a hierarchy whose nodes may have several parents")
        }
        let hierarchy = try context.tables(of: rollup.hierarchy)
        let nodes = try context.define(try hierarchy.rooted(expressions))
        try spread(to: try context.define(try hierarchy.pairs(of: nodes, expressions)), hierarchy, along: rollup.node)
        return nodes
    }

    /// Repeats each row for each `top` that the table `pairs` has for the row's nodes, and makes `top` a partition.
    private mutating func spread(to pairs: String, _ hierarchy: HierarchyTables, along path: PropertyPath) throws {
        let steps = QueryExpression.path(path).collectionSteps
        let alias = "n$\(context.number())"
        if steps.isEmpty {
            let (left, right) = try expressions.sides(
                try term(path), hierarchy.term("node", of: alias), ordered: false)
            tables += " JOIN " + hierarchy.table(pairs, alias)
            conditions.append(left + " = " + right)
        } else {
            let number = try define(numbering: Term("row_number() OVER ()", .integer, isNullable: false))
            let found = try context.define(
                try belonging(to: pairs, hierarchy, along: path, through: steps, number: number))
            tables += " JOIN " + hierarchy.table(found, alias)
            conditions.append(SQLFragment.column(alias, "row") + " = " + number)
        }
        partitions.append(Partition(name: "p$\(context.number())", term: hierarchy.term("top", of: alias)))
        try define()
    }

    /// `traverse` along a path that may lead to several nodes, or that is not a navigation path: repeats each row for
    /// each of its nodes, with the node's identifier.
    ///
    /// - Parameter walk: the table with the nodes and their traversal numbers.
    mutating func arrange(by walk: String, _ traversal: HierarchyTraversal) throws {
        let hierarchy = try context.tables(of: traversal.hierarchy)
        let (depth, outer) = (partitions.count, rollups)
        var pairs = SelectStatement(tables: .identifier(walk))
        pairs.columns = ["\"node\"", "\"node\" AS \"top\""]
        try spread(to: try context.define(pairs.sql), hierarchy, along: traversal.node)
        let alias = "n$\(context.number())"
        let (left, right) = try expressions.sides(
            partitions[depth].term, hierarchy.term("node", of: alias), ordered: false)
        tables = tables + " JOIN " + hierarchy.table(walk, alias)
        conditions.append(left + " = " + right)
        let number = SQLFragment.column(alias, "number")
        order = [OrderTerm(expression: number, isDescending: false, isNullable: false)] + order
        try define()
        rollups = [Rollup(partition: depth, hierarchy: traversal.hierarchy)]
        scope.rollupNodes = rollupNodes
        try mark([traversal.rollup], from: depth, isOneRow: false)
        rollups = outer
        scope.rollupNodes = rollupNodes
    }

    /// The distinct pairs of rows and nodes along a path through collections.
    private func belonging(
        to pairs: String, _ hierarchy: HierarchyTables, along path: PropertyPath, through steps: [PropertyPath.Step],
        number: SQLFragment
    ) throws -> SQLFragment {
        var members = self
        members.order = []
        try members.follow(steps)
        let alias = "n$\(context.number())"
        let (left, right) = try members.expressions.sides(
            try members.term(try path.droppingSteps(steps)), hierarchy.term("node", of: alias), ordered: false)
        let top = hierarchy.term("top", of: alias).sql
        var statement = members.statement
        statement.tables += " JOIN " + hierarchy.table(pairs, alias)
        statement.conditions.append(left + " = " + right)
        statement.columns = [number + " AS \"row\"", top + " AS \"top\""]
        statement.groups = [number, top]
        return statement.sql
    }
}

// MARK: What distinguishes the nodes

extension RowSet {
    /// Adds the values of the nodes to the rows: the partitions from `depth` on, which no longer distinguish the rows.
    ///
    /// - Parameter isOneRow: whether there is one row for each node.
    private mutating func mark(_ rollups: [RecursiveRollup], from depth: Int, isOneRow: Bool) throws {
        // Rows that are not aggregated need the columns of their group.
        if partitions[depth...].contains(where: { !$0.term.isColumn || $0.term.sql != scope.column($0.name) }) {
            try define()
        }
        for (index, rollup) in rollups.enumerated() where rollup.isOfNodes {
            try becomeNodes(of: rollup.hierarchy, by: depth + index)
        }
        isEntities = isOneRow && rollups.contains(where: \.isOfNodes)
        for (index, rollup) in rollups.enumerated() { try mark(rollup, depth + index, position: index + 1) }
        if !isEntities {
            order += partitions[depth...].map {
                OrderTerm(expression: $0.term.sortKey, isDescending: false, isNullable: false)
            }
        }
        partitions.removeSubrange(depth...)
    }

    private mutating func mark(_ rollup: RecursiveRollup, _ index: Int, position: Int) throws {
        let partition = partitions[index]
        var source = scope.source
        switch rollup.mark {
        case .node: return
        case .navigation(let navigation):
            let nodes = try RollupNode(hierarchy: rollup.hierarchy, identifier: partition.term).scope(in: context)
            guard let target = nodes.source.columns[rollup.hierarchy.identifier.name] else {
                throw ExpressionTranslator.unsupported("rolluprecursive over nodes whose identifiers have no column")
            }
            source.navigation[navigation.name] = .columns(
                [.init(source: partition.name, target: target.column)], target: nodes.set.name)
        case .identifier(let property):
            source.columns[property.name] = ColumnMapping(column: partition.name, codec: partition.term.codec)
        case .nested(let property):
            return try define(property.name, as: Term(try nested(rollup, partition, position: position), .json))
        }
        rename(source)
    }

    /// `{"Superordinate":{"ID":"US"}}`: the node or its identifier, nested as the path requires.
    private func nested(_ rollup: RecursiveRollup, _ partition: Partition, position: Int) throws -> SQLFragment {
        var value: SQLFragment
        if rollup.isWhole {
            let node = try scope.joiningNode(position)
            value = try RowObject(rows: RowSet(scope: node, tables: node.table)).sql()
        } else {
            value = try expressions.json(partition.term)
        }
        for (index, step) in rollup.wrapping.enumerated().reversed() {
            let (name, isCollection) = step.member
            if isCollection { value = .call("json_array", [value]) }
            if index > 0 { value = .call("json_object", [.bound(.text(name)), value]) }
        }
        return value
    }

    /// Replaces the rows by their nodes, with the additional properties of the rows.
    private mutating func becomeNodes(of hierarchy: RecursiveHierarchy, by index: Int) throws {
        try define()
        var nodes = try RowSet(nodesOf: hierarchy, context: context)
        let (left, right) = try nodes.expressions.sides(
            try nodes.term(hierarchy.identifier), partitions[index].term, ordered: false)
        nodes.tables += " JOIN " + tables
        nodes.conditions.append(left + " = " + right)
        (nodes.partitions, nodes.parents, nodes.rollups) = (partitions, parents, rollups)
        nodes.scope.resource = scope.resource
        let own = nodes.scope.source
        var columns: [Column] = []
        /// The column of the nodes' table for one of these rows.
        func carry(_ column: String, _ codec: ColumnCodec = .integer, property: String? = nil) -> String {
            let name = "c$\(context.number())"
            columns.append(Column(name: name, property: property, term: Term(scope.column(column), codec)))
            return name
        }
        let more = scope.source
        for (name, mapping) in more.columns.sorted(by: { $0.key < $1.key }) where own.columns[name] == nil {
            _ = carry(mapping.column, mapping.codec, property: name)
        }
        var presence: [String: String] = [:]
        for (name, flag) in more.presence.sorted(by: { $0.key < $1.key }) where own.columns[name] == nil {
            presence[name] = carry(flag)
        }
        var navigation: [String: NavigationMapping] = [:]
        for (name, mapping) in more.navigation.sorted(by: { $0.key < $1.key }) where own.navigation[name] == nil {
            guard case .columns(let pairs, let target) = mapping else { continue }
            navigation[name] = .columns(
                pairs.map { .init(source: carry($0.source), target: $0.target, collation: $0.collation) },
                target: target)
        }
        try nodes.define(columns)
        var source = nodes.scope.source
        source.presence.merge(presence) { $1 }
        source.navigation.merge(navigation) { $1 }
        nodes.rename(source)
        nodes.combinations = combinations
        self = nodes
    }
}

extension [ApplyExpression.Step] {
    /// Whether the transformations return one row for each group.
    fileprivate var giveOneRow: Bool {
        let last = lastIndex { step in
            switch step.transformation {
            case .aggregate, .nest: true
            default: false
            }
        }
        guard let last else { return isEmpty }
        return self[(last + 1)...].allSatisfy { step in
            switch step.transformation {
            case .identity, .compute, .filter: true
            default: false
            }
        }
    }
}

extension PropertyPath.Step {
    fileprivate var member: (name: String, isCollection: Bool) {
        switch self {
        case .navigation(let navigation, _, _): (navigation.name, navigation.isCollection)
        case .property(let property): (property.name, property.type.isCollection)
        case .cast, .key, .filter, .annotation: ("", false)
        }
    }
}
