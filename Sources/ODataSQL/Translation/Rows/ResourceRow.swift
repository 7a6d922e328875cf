import ODataModel
import ODataQuery

/// The row of `$it` in the options of `$expand`, at any depth: `Customers?$expand=Orders($filter=$it/City eq
/// ShipCity)`. Its identity is carried along from level to level.
///
/// [OData-URL, section 5.1.1.14.4]
struct ResourceRow {
    let set: EdmEntitySet
    /// Its row id, or the parts of its key.
    let identity: [SQLFragment]
}

extension RowSet {
    /// The row of `$it`, identified by partitions.
    func resource(in set: EdmEntitySet) -> ResourceRow {
        let named = resourcePartitions ?? 1..<1 + (parents?.resource ?? 0)
        return ResourceRow(set: set, identity: partitions[named.clamped(to: partitions.indices)].map(\.term.sql))
    }

    /// The identity of the row of `$it` in the options of `item`, which is expanded from these rows.
    func resourceIdentity(for item: ExpandItem) throws -> [SQLFragment] {
        if let resource = scope.resource { return resource.identity }
        guard isEntities, scope.members.isEmpty else { throw Self.unnamedResource(of: item) }
        return try scope.identityColumns().map { scope.stored($0) }
    }

    /// These rows under another alias, for `steps` about their related rows. The last partition is the number of the
    /// row; partitions before it identify the row of `$it` if that is one of these.
    ///
    /// - Parameter name: the name of the transformation.
    /// - Returns: the rows, and the number of a row of these.
    mutating func owners(for steps: [ApplyExpression.Step], of name: String) throws -> (
        rows: RowSet, number: SQLFragment
    ) {
        let asks = scope.resource == nil && QuerySets(steps).usesResource
        let set = scope.set
        let number = Column(
            name: "n$\(context.number())", property: nil,
            term: Term("row_number() OVER ()", .integer, isNullable: false))
        var columns = asks ? try identity(for: name) : []
        columns.append(number)
        try define(columns)
        var rows = self
        rows.order = []
        let first = rows.partitions.count
        for column in columns {
            var term = column.term
            term.sql = scope.column(column.name)
            term.isColumn = true
            rows.partitions.append(Partition(name: column.name, term: term))
        }
        if asks { rows.resourcePartitions = first..<rows.partitions.count - 1 }
        rows.reopen()
        if asks { rows.scope.resource = rows.resource(in: set) }
        return (rows, scope.column(number.name))
    }

    /// The identity of a row, as columns to carry along.
    private func identity(for name: String) throws -> [Column] {
        let names = isEntities && scope.members.isEmpty ? try scope.identityColumns() : []
        let codecs = names.map { name in scope.source.columns.values.first { $0.column == name }?.codec ?? .integer }
        guard !names.isEmpty, !codecs.contains(where: { [.blob, .guidBlob].contains($0) }) else {
            throw ExpressionTranslator.unsupported("$it in \(name), since nothing names its rows")
        }
        return zip(names, codecs).map { column, codec in
            Column(name: "i$\(context.number())", property: nil, term: Term(scope.stored(column), codec))
        }
    }

    private static func unnamedResource(of item: ExpandItem) -> QueryError {
        ExpressionTranslator.unsupported("$it in the options of \(item.navigationPath), since nothing names its rows")
    }
}

extension ExpandItem {
    /// Whether the options, or nested options, refer to an outer row by `$it`.
    var usesResource: Bool { QuerySets(self).usesResource }
}
