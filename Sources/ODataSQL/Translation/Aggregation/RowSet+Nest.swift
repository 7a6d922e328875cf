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
        statement.columns.append(try RowObject(rows: self).sql() + " AS \"object$\"")
        statement.order = try totalOrder().map(\.sql)
        rebase(on: RowSource(table: try context.define(statement.sql), rowID: nil, columns: [:]))
        order = []
        isEntities = false
        let list = Term(context.bounded("json_group_array(json(" + scope.column("object$") + "))"), .json)
        try collapse([Aggregate(alias, list)])
    }
}
