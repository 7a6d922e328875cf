import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension DirectRows {
    func navigation(_ name: String, of set: EdmEntitySet, as type: EdmStructuredType) throws -> ChangeableNavigation {
        let table = try schema.table(of: set)
        let source = schema.rowSources[table.set]
        let bound =
            source?.hasTypedNavigation == true
            ? BoundNavigation.name(of: name, as: type) { source?.navigation[$0] != nil } : name
        let declared = table.declared?.navigation(named: bound)?.navigation
        guard let property = type.navigationProperty(named: name).map({ declared ?? $0 }) else {
            throw ODataError.noNavigation(name, of: type.name)
        }
        guard let mapping = source?.navigation[bound], let target = schema.tables[mapping.targetSet] else {
            throw ODataError.unkept(name)
        }
        let isDependent = schema.navigation[table.set]?[bound]?.isDependent ?? !property.isCollection
        var navigation = ChangeableNavigation(
            property, set: table.set, name: bound, targetSet: target.set, storage: isDependent ? .ownKey : .targetKey)
        switch mapping {
        case .linkTable: navigation.storage = .links
        case .columns(let pairs, _):
            let (holder, other) = isDependent ? (table, target) : (target, table)
            let held = isDependent ? pairs : pairs.map(\.turned)
            navigation.references = held.compactMap { pair in
                guard let own = holder.column(named: pair.source), let far = other.column(named: pair.target) else {
                    return nil
                }
                return (own.property, far.property)
            }
            let columns = held.map { holder.column(named: $0.source) }
            navigation.isPartOfKey = columns.contains { $0?.isKey == true }
            // The column of the containing entity is not that of a property, and never null.
            navigation.isRequired = columns.contains { $0.map { !$0.isNullable } ?? true }
        }
        return navigation
    }

    func mapping(of navigation: ChangeableNavigation) throws -> NavigationMapping {
        guard let mapping = schema.rowSources[navigation.set]?.navigation[navigation.name] else {
            throw ODataError.unkept(navigation.property.name)
        }
        return mapping
    }

    func linked(_ navigation: ChangeableNavigation, from source: LocatedEntity) throws -> [LocatedEntity] {
        let sql: String
        var arguments: StatementArguments = []
        let target = try table(navigation.targetSet)
        switch try mapping(of: navigation) {
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
            sql = (equal + typeCondition(of: navigation, in: target)).joined(separator: " AND ")
            arguments = StatementArguments(values.flatMap(\.parts))
        case .linkTable(let table, let from, let to, _, _):
            guard let column = target.rowID else { return [] }
            sql = """
                r.\(quoted(column)) IN (SELECT \(quoted(to)) FROM \(quoted(table)) WHERE \(quoted(from)) = ?)
                """
            arguments = [source.row.rowID]
        }
        return try rows(of: target, where: sql, arguments)
    }

    /// Only entities of the type that the navigation property leads to: others may have the same columns.
    private func typeCondition(of navigation: ChangeableNavigation, in target: PublishedTable) -> [String] {
        guard let declared = target.declared, declared.hasTypes,
            declared.entitySet.type.name != navigation.property.target
        else { return [] }
        let names = declared.types.filter { $0.lineage.contains(navigation.property.target) }
        guard names.count < declared.types.count else { return [] }
        let list = names.map { quotedText("\($0.name)") }.joined(separator: ", ")
        return ["r.\(quoted(DeclaredTable.typeColumn)) IN (\(list))"]
    }

    private func rows(of table: PublishedTable, where condition: String, _ arguments: StatementArguments) throws
        -> [LocatedEntity]
    {
        let columns = table.rowID.map { [$0] } ?? table.key.map(\.name)
        let list = columns.map { "r.\(quoted($0))" }.joined(separator: ", ")
        let rows = try GRDB.Row.fetchCursor(
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

    func isLinked(_ navigation: ChangeableNavigation, from source: LocatedEntity, to target: LocatedEntity) throws
        -> Bool
    {
        guard target.setName == navigation.targetSet else { return false }
        switch try mapping(of: navigation) {
        case .columns(let pairs, _):
            let held = try access.stored(pairs.map(\.target), of: target.row, in: target.table)
            return try held == access.stored(pairs.map(\.source), of: source.row, in: source.table)
        case .linkTable(let table, let from, let to, _, _):
            return try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM \(quoted(table)) WHERE \(quoted(from)) = ? AND \(quoted(to)) = ?)
                    """, arguments: [source.row.rowID, target.row.rowID]) ?? false
        }
    }
}
