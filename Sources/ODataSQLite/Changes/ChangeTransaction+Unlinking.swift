import GRDB
import ODataModel
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// The entities that a relation leads to.
    func members(of relation: WritableNavigation, from source: LocatedEntity) throws -> [LocatedEntity] {
        let sql: String
        var arguments: StatementArguments = []
        switch relation.mapping {
        case .columns(let pairs, _):
            if let rowID = source.row.rowID, let column = source.table.rowID, pairs.contains(where: \.comparesColumns) {
                let list = pairs.map { "s.\(quoted($0.source))" }.joined(separator: ", ")
                let columns = pairs.map { "r.\(quoted($0.target))" }.joined(separator: ", ")
                sql = """
                    (\(columns)) IN (SELECT \(list) FROM \(quoted(source.table.name)) AS s WHERE s.\(quoted(column)) = ?)
                    """
                arguments = [rowID]
                break
            }
            let values = try access.stored(pairs.map(\.source), of: source.row, in: source.table)
            guard !values.contains(where: \.isNull) else { return [] }
            let equal = zip(pairs, values).map { "r.\(quoted($0.target)) = \($1.term)" }
            sql = (equal + typeCondition(of: relation)).joined(separator: " AND ")
            arguments = StatementArguments(values.flatMap(\.parts))
        case .linkTable(let table, let from, let to, _, _):
            guard let column = relation.target.rowID else { return [] }
            sql = """
                r.\(quoted(column)) IN (SELECT \(quoted(to)) FROM \(quoted(table)) WHERE \(quoted(from)) = ?)
                """
            arguments = [source.row.rowID]
        }
        return try rows(of: relation.target, where: sql, arguments)
    }

    /// Only entities of the type that the relation leads to: others may have the same columns.
    private func typeCondition(of relation: WritableNavigation) -> [String] {
        guard let declared = relation.target.declared, declared.hasTypes,
            declared.entitySet.type.name != relation.navigation.target
        else { return [] }
        let names = declared.types.filter { $0.lineage.contains(relation.navigation.target) }
        guard names.count < declared.types.count else { return [] }
        let list = names.map { quotedText("\($0.name)") }.joined(separator: ", ")
        return ["r.\(quoted(DeclaredTable.typeColumn)) IN (\(list))"]
    }

    private func rows(of table: PublishedTable, where condition: String, _ arguments: StatementArguments) throws
        -> [LocatedEntity]
    {
        let columns = table.rowID.map { [$0] } ?? table.key.map(\.name)
        let list = columns.map { "r.\(quoted($0))" }.joined(separator: ", ")
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(list) FROM \(quoted(table.name)) AS r WHERE \(condition)", arguments: arguments)
        var found: [LocatedEntity] = []
        while let row = try rows.next() {
            let reference =
                try table.rowID.map { RowReference(rowID: row[0], column: $0) }
                ?? RowReference(key: Array(zip(table.key, row.wholeValues())))
            found.append(LocatedEntity(table: table, row: reference))
        }
        return found
    }

    /// Takes all that a relation leads to out of it.
    func unlinkAll(_ source: LocatedEntity, _ relation: WritableNavigation) throws {
        if relation.isDependent { return try unlinkPrincipal(source, relation) }
        for member in try members(of: relation, from: source) { try unlink(source, relation, member) }
    }

    /// Takes one member out of a relation. Contained entities, and those whose key is that of the other entity, are
    /// nothing without it and are deleted.
    func unlink(_ source: LocatedEntity, _ relation: WritableNavigation, _ member: LocatedEntity) throws {
        if relation.isDependent { return try unlinkPrincipal(source, relation) }
        switch relation.mapping {
        case .columns(let pairs, _):
            let columns = pairs.map(\.target)
            let isPart = columns.contains { name in member.table.column(named: name)?.isKey == true }
            if relation.navigation.containsTarget || isPart { return try delete(member) }
            try requireNullable(columns, of: member.table, relation)
            var assignments = ColumnAssignments()
            assignments.set(columns.map { ($0, .null) })
            try set(assignments, at: member)
        case .linkTable(let table, let from, let to, _, _):
            try db.execute(
                sql: "DELETE FROM \(quoted(table)) WHERE \(quoted(from)) = ? AND \(quoted(to)) = ?",
                arguments: [source.row.rowID, member.row.rowID])
        }
    }

    private func unlinkPrincipal(_ source: LocatedEntity, _ relation: WritableNavigation) throws {
        try requireNullable(relation.pairs.map(\.source), of: source.table, relation)
        var assignments = ColumnAssignments()
        assignments.set(relation.pairs.map { ($0.source, .null) })
        try set(assignments, at: source)
    }

    /// Of tables that the store made: others have `NOT NULL` constraints.
    func requireNullable(_ columns: [String], of table: PublishedTable, _ relation: WritableNavigation) throws {
        guard table.declared != nil else { return }
        let isRequired = columns.contains { table.column(named: $0)?.isNullable == false }
        guard isRequired || (!relation.isCollection && !relation.navigation.isNullable) else { return }
        throw ODataError.mustLead(relation.navigation.name)
    }

    func delete(_ located: LocatedEntity) throws {
        try requireWritable(located.table, for: .delete)
        try db.cachedStatement(sql: "DELETE FROM \(quoted(located.table.name)) AS r WHERE \(located.row.condition)")
            .execute(arguments: located.row.arguments)
        try requireChange(of: located.table, "deletion")
    }
}
