import ODataModel
import ODataQuery

/// `nest(groupby((Name)) as Names)`, `addnested(Sales,filter(Amount gt 3) as Big)`: collections as values, in JSON.
///
/// [OData-Aggregation, sections 3.2.4 and 3.4]
extension RowSet {
    /// One row whose properties are the results of each sequence for all rows.
    mutating func nest(_ items: [NestItem]) throws {
        let shared = try self.shared()
        var main = shared
        main.reopen()
        try main.collapse([])
        for item in items {
            var branch = shared
            branch.reopen()
            try branch.apply(item.steps)
            try branch.collect(as: item.alias)
            try main.join(branch, alias: item.alias, missing: "'[]'")
        }
        self = main
    }

    /// Adds to each row the results of the sequences for its related rows.
    mutating func addNested(_ path: PropertyPath, _ items: [NestItem]) throws {
        let (owners, number) = try self.owners(for: items.flatMap(\.steps), of: "addnested")
        var lists: [(alias: String, rows: RowSet)] = []
        for item in items {
            var others = owners
            others.reopen()
            try others.follow(path.steps)
            try others.apply(item.steps)
            try others.collect(as: item.alias)
            lists.append((item.alias, others))
        }
        var columns: [Column] = []
        for (alias, rows) in lists {
            guard let column = rows.scope.source.columns[alias], let own = rows.partitions.last else { continue }
            tables = tables + " LEFT JOIN " + rows.tables + " ON " + number + " = " + own.term.sql
            let value = SQLFragment.call("coalesce", [rows.scope.column(column.column), "'[]'"])
            columns.append(Column(name: "c$\(context.number())", property: alias, term: Term(value, .json)))
        }
        try define(columns)
    }

    /// One row for each combination of the partitions, with the rows as a JSON array.
    private mutating func collect(as alias: String) throws {
        var statement = statement
        statement.columns = partitions.map { $0.term.sql.named($0.name) }
        statement.columns.append(try object() + " AS \"object$\"")
        statement.order = try totalOrder().map(\.sql)
        rebase(on: RowSource(table: try context.define(statement.sql), rowID: nil, columns: [:]))
        order = []
        isEntities = false
        let list = Term(context.bounded("json_group_array(json(" + scope.column("object$") + "))"), .json)
        try collapse([Aggregate(alias, list)])
    }

    /// A row as a JSON object.
    ///
    /// - Parameter more: properties besides those of the type.
    func object(with more: [String] = []) throws -> SQLFragment {
        if let lost = groupedRelation {
            throw ExpressionTranslator.unsupported("a nested result of groups by the navigation property \(lost)")
        }
        var names = scope.type.properties.filter { !$0.isStream }.map(\.name) + more
        names += scope.source.columns.keys.filter { $0.contains("/") && !names.contains($0) }.sorted()
        return try object(names.map { ($0.split(separator: "/").map(String.init)[...], $0) })
    }

    /// The navigation property of `groupby((Customer))`, whose entity is only a reference and not a value; nil for
    /// others.
    private var groupedRelation: String? {
        guard !isEntities, scope.type.key.isEmpty else { return nil }
        return scope.type.navigationProperties.map(\.name).first { name in
            !scope.source.columns.keys.contains { $0 == name || $0.hasPrefix(name + "/") }
        }
    }

    /// `json_object('Name', "t0"."Name", 'Customer', json_object('Country', …))`
    private func object(_ properties: [(path: ArraySlice<String>, name: String)]) throws -> SQLFragment {
        var parts: [SQLFragment] = []
        var done: Set<String> = []
        for (path, name) in properties {
            guard let first = path.first, !done.contains(first) else { continue }
            if path.count == 1 {
                guard let column = scope.source.columns[name] else { continue }
                let term = Term(scope.column(column.column), column.codec, isColumn: true)
                parts += [.bound(.text(first)), try expressions.json(term)]
            } else {
                let inner = properties.filter { $0.path.first == first && $0.path.count > 1 }
                parts += [.bound(.text(first)), try object(inner.map { ($0.path.dropFirst(), $0.name) })]
            }
            done.insert(first)
        }
        return .call("json_object", parts)
    }
}
