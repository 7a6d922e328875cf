import ODataModel
import ODataQuery

/// The row that `$it` stands for in the options of `$expand`, however many relations down:
/// `Customers?$expand=Orders($filter=$it/City eq ShipCity)`. What names it is carried along from level to level.
///
/// [OData-URL, section 5.1.1.14.4]
struct ResourceRow {
    let set: EntitySet
    /// Its row id, or the parts of its key.
    let identity: [SQLFragment]
}

extension RowSet {
    /// The row that `$it` stands for, by the partitions that name it.
    func resource(in set: EntitySet) -> ResourceRow {
        ResourceRow(set: set, identity: partitions.dropFirst().prefix(parents?.resource ?? 0).map(\.term.sql))
    }

    /// What names the row that `$it` stands for in the options of `item`, which is expanded from these rows.
    func resourceIdentity(for item: ExpandItem) throws -> [SQLFragment] {
        if let resource = scope.resource { return resource.identity }
        guard isEntities, scope.members.isEmpty else { throw Self.unnamedResource(of: item) }
        return try scope.identityColumns().map { scope.column($0) }
    }

    /// Transformations of related rows know these rows no more.
    func checkResource(in steps: [Application.Step], of name: String) throws {
        guard scope.resource != nil || !QuerySets(steps).usesResource else {
            throw ExpressionTranslator.unsupported("$it in \(name)")
        }
    }

    private static func unnamedResource(of item: ExpandItem) -> QueryError {
        ExpressionTranslator.unsupported("$it in the options of \(item.relationName), since nothing names its rows")
    }
}

extension ExpandItem {
    /// Whether `$it` stands for something outside in the options, or in those of what these expand.
    var usesResource: Bool { QuerySets(self).usesResource }
}
