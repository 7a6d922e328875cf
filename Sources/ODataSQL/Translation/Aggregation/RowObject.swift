import ODataModel
import ODataQuery

/// Rows as JSON objects.
struct RowObject {
    let rows: RowSet

    /// A row as a JSON object.
    ///
    /// - Parameter more: properties besides those of the type.
    func sql(with more: [String] = []) throws -> SQLFragment {
        if let lost = groupedNavigation {
            throw ExpressionTranslator.unsupported("a nested result of groups by the navigation property \(lost)")
        }
        var names = rows.scope.type.properties.filter { !$0.isStream }.map(\.name) + more
        names += rows.scope.source.columns.keys.filter { $0.contains("/") && !names.contains($0) }.sorted()
        return try object(names.map { ($0.split(separator: "/").map(String.init)[...], $0) })
    }

    /// The navigation property of `groupby((Customer))`, whose entity is only a reference and not a value; nil for
    /// others.
    private var groupedNavigation: String? {
        guard !rows.isEntities, rows.scope.type.key.isEmpty else { return nil }
        return rows.scope.type.navigationProperties.map(\.name).first { name in
            !rows.scope.source.columns.keys.contains { $0 == name || $0.hasPrefix(name + "/") }
        }
    }

    /// `json_object('Name', "t0"."Name", 'Customer', json_object('Country', …))`
    private func object(_ properties: [(path: ArraySlice<String>, name: String)]) throws -> SQLFragment {
        var parts: [SQLFragment] = []
        var done: Set<String> = []
        for (path, name) in properties {
            guard let first = path.first, !done.contains(first) else { continue }
            if path.count == 1 {
                guard let column = rows.scope.source.columns[name] else { continue }
                let term = Term(rows.scope.column(column.column), column.codec, isColumn: true)
                parts += [.bound(.text(first)), try rows.expressions.json(term)]
            } else {
                let inner = properties.filter { $0.path.first == first && $0.path.count > 1 }
                parts += [.bound(.text(first)), try object(inner.map { ($0.path.dropFirst(), $0.name) })]
            }
            done.insert(first)
        }
        return .call("json_object", parts)
    }
}
