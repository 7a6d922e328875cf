import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// `POST Products`, `POST Categories(1)/Products`, with nested entities and bindings.
    ///
    /// [OData-Protocol, section 11.4.2]
    func create(_ payload: EntityPayload, _ request: ChangeRequest) throws -> ChangeResult {
        let (table, given) = try collection(request.target)
        let located = try insert(payload, into: table, given: given)
        return try result(.created, located, request, options: Self.expansions(payload, located.table, schema.model))
    }

    /// The table that a collection's new entities go to, and the columns that make them members of it.
    func collection(_ path: ResourcePath) throws -> (PublishedTable, ColumnAssignments) {
        guard case .navigation(let navigation, _)? = path.segments.last else {
            let table = try schema.table(of: path.rootSet)
            guard path.segments.isEmpty, path.target == .collection else {
                throw ODataError(.methodNotAllowed, "Entities are created in collections only.")
            }
            try requireWritable(table)
            return (table, ColumnAssignments())
        }
        let parentPath = ResourcePath(root: path.root, segments: path.segments.dropLast())
        guard navigation.isCollection, let parent = try locate(parentPath) else {
            throw navigation.isCollection
                ? ODataError(.notFound, "There is no such entity.")
                : ODataError(.methodNotAllowed, "Entities are created in collections only.")
        }
        let relation = try relation(navigation.name, of: parent.table)
        try requireWritable(relation.target)
        return (relation.target, try membership(relation, parent: parent))
    }

    /// Inserts an entity, before it what it binds and nests to one, after it what it binds and nests to many.
    func insert(_ payload: EntityPayload, into table: PublishedTable, given: ColumnAssignments) throws -> LocatedEntity
    {
        try requireWritable(table)
        var assignments = try assignments(payload.properties, of: table, isNew: true)
        for column in given.columns { assignments[column] = given[column] }
        for nested in payload.nested {
            let relation = try relation(nested.navigation, of: table)
            guard !relation.isCollection else { continue }
            for entity in nested.entities {
                let target = try insert(entity, into: relation.target, given: ColumnAssignments())
                assignments.set(try dependentValues(relation, principal: target))
            }
        }
        try bindToOne(payload.bindings, of: table, into: &assignments)
        let located = LocatedEntity(table: table, row: try insertRow(assignments, into: table))
        for nested in payload.nested {
            let relation = try relation(nested.navigation, of: table)
            guard relation.isCollection else { continue }
            let given = try membership(relation, parent: located)
            for entity in nested.entities { _ = try insert(entity, into: relation.target, given: given) }
        }
        try bindToMany(payload.bindings, of: located)
        return located
    }

    func insertRow(_ assignments: ColumnAssignments, into table: PublishedTable) throws -> RowReference {
        try requireKey(assignments, of: table)
        try refuseRival(assignments, of: table)
        let (sql, arguments) = assignments.insertion(into: table.name)
        if let rowID = table.rowID {
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
            return RowReference(rowID: db.lastInsertedRowID, column: rowID)
        }
        let names = table.key.map { quoted($0.name) }.joined(separator: ", ")
        guard let row = try Row.fetchOne(db, sql: "\(sql) RETURNING \(names)", arguments: arguments) else {
            throw ODataError(.internalError, "The new entity of \(table.set) did not come back.")
        }
        return RowReference(key: Array(zip(table.key, row.databaseValues)))
    }

    /// SQLite takes null for a key column that is not declared `NOT NULL`; such a row could not be addressed.
    private func requireKey(_ assignments: ColumnAssignments, of table: PublishedTable) throws {
        for column in table.key where !column.isServiceMade && !assignments.has(column.name) {
            guard column.description.defaultSQL != nil || column.description.isGenerated else {
                throw ODataError(.badRequest, "The key property \(table.set).\(column.property) must have a value.")
            }
        }
    }

    /// GUIDs in text are the same in capitals and small letters, which the index of the key need not know. And text
    /// with U+0000 makes no key that could be read back.
    private func refuseRival(_ assignments: ColumnAssignments, of table: PublishedTable) throws {
        let key = table.key.compactMap { column -> (PublishedColumn, DatabaseValue)? in
            guard case .value(let value)? = assignments[column.name] else { return nil }
            return (column, value)
        }
        for (column, value) in key where value.hasNul {
            throw ODataError(
                .badRequest, "The key property \(table.set).\(column.property) must not have U+0000 in it.")
        }
        guard key.count == table.key.count, table.key.contains(where: { $0.codec == .guidText }),
            try access.exists(RowReference(key: key), in: table)
        else { return }
        let names = table.key.map { "\(table.set).\($0.property)" }.joined(separator: ", ")
        throw ODataError(.conflict, "Another entity has the same value of \(names).")
    }

    /// The columns that the properties of a payload set. Values that the service computes are passed over.
    func assignments(_ properties: ComplexValue, of table: PublishedTable, isNew: Bool) throws -> ColumnAssignments {
        var assignments = ColumnAssignments()
        for member in properties.members {
            guard let column = table.column(ofProperty: member.name) else {
                if table.stream(ofProperty: member.name) != nil { continue }
                throw ODataError(.badRequest, "\(table.set) has no property \(member.name).")
            }
            if column.description.isGenerated || (isNew && column.isServiceMade && member.value.isNull) { continue }
            assignments[column.name] = .value(try column.stored(member.value))
        }
        return assignments
    }

    /// The nested entities of a payload come back expanded.
    private static func expansions(_ payload: EntityPayload, _ table: PublishedTable, _ model: Model) -> QueryOptions {
        guard let set = model.entitySet(named: table.set) else { return QueryOptions() }
        return expansions(payload, set: set, model: model)
    }

    private static func expansions(_ payload: EntityPayload, set: EntitySet, model: Model) -> QueryOptions {
        var options = QueryOptions()
        for nested in payload.nested {
            guard let navigation = set.type.navigationProperty(named: nested.navigation),
                let target = model.targetSet(of: navigation, from: set)
            else { continue }
            var merged = EntityPayload()
            for entity in nested.entities { merged.nested += entity.nested }
            var names: Set<String> = []
            merged.nested = merged.nested.filter { names.insert($0.navigation).inserted }
            options.expand.append(
                ExpandItem(
                    navigation: navigation, targetSet: target, targetType: target.type,
                    options: expansions(merged, set: target, model: model)))
        }
        return options
    }
}
