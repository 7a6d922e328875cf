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
        let (table, membership) = try collection(request.target)
        let located = try insert(payload, into: table, as: membership)
        return try result(.created, located, request, options: expansions(payload, of: located))
    }

    /// The table that a collection's new entities go to, and what makes them members of it.
    func collection(_ path: ResourcePath) throws -> (PublishedTable, Membership) {
        var path = path
        var type: EdmStructuredType?
        while case .cast(let cast)? = path.segments.last {
            type = type ?? cast
            path.segments.removeLast()
        }
        guard case .navigation(let navigation, _)? = path.segments.last else {
            let table = try schema.table(of: path.rootSet)
            guard path.segments.isEmpty, path.target == .collection else {
                throw ODataError(.methodNotAllowed, "Entities are created in collections only.")
            }
            try requireWritable(table, for: .insert)
            return (table, Membership(type: type))
        }
        let parentPath = ResourcePath(root: path.root, segments: path.segments.dropLast())
        guard navigation.isCollection, let parent = try locate(parentPath) else {
            throw navigation.isCollection
                ? ODataError(.notFound, "There is no such entity.")
                : ODataError(.methodNotAllowed, "Entities are created in collections only.")
        }
        let relation = try relation(navigation.name, of: parent)
        try requireWritable(relation.target, for: .insert)
        return (relation.target, try membership(relation, parent: parent, type: type))
    }

    /// Inserts an entity, before it what it refers to, after it what refers to it.
    func insert(_ payload: EntityPayload, into table: PublishedTable, as membership: Membership = Membership()) throws
        -> LocatedEntity
    {
        try requireWritable(table, for: .insert)
        let writer = try table.declared.map { declared in
            assignments(
                of: table, declared, type: try newType(payload, of: table, declared, path: membership.type),
                mode: DeclaredAssignments.Mode.create)
        }
        var columns = try writer?.columns(payload.properties) ?? newColumns(payload.properties, of: table)
        for column in membership.columns.columns { columns[column] = membership.columns[column] }
        try insertPrincipals(payload.nested, of: table, as: writer?.type, into: &columns)
        try bindToOne(payload.bindings, of: table, as: writer?.type, into: &columns)
        try writer?.complete(&columns)
        let located = LocatedEntity(table: table, row: try insertRow(columns, into: table))
        if let (relation, parent) = membership.link { try link(parent, relation, to: located) }
        for nested in payload.nested {
            let relation = try relation(nested.navigation, of: table, as: writer?.type)
            guard !relation.isDependent else { continue }
            for entity in nested.entities { try insertRelated(entity, relation, of: located) }
        }
        try bindDependents(payload.bindings, of: located)
        if let writer { try requireNavigation(of: located, writer.type) }
        return located
    }

    /// Relations that must lead somewhere do.
    private func requireNavigation(of located: LocatedEntity, _ type: EdmStructuredType) throws {
        guard !isLoading else { return }
        for navigation in type.navigationProperties where !navigation.isCollection && !navigation.isNullable {
            guard let relation = try? relation(navigation.name, of: located.table, as: type) else { continue }
            guard try members(of: relation, from: located).isEmpty else { continue }
            throw ODataError(
                .badRequest, "The navigation property \(navigation.name) must lead to an entity: bind one.")
        }
    }

    /// What the new entity's foreign keys refer to comes first.
    private func insertPrincipals(
        _ nested: [EntityPayload.Nested], of table: PublishedTable, as type: EdmStructuredType?,
        into assignments: inout ColumnAssignments
    ) throws {
        for nested in nested {
            let relation = try relation(nested.navigation, of: table, as: type)
            guard relation.isDependent else { continue }
            for entity in nested.entities {
                let target = try existing(entity) ?? insert(entity, into: relation.target)
                assignments.set(try dependentValues(relation, principal: target))
            }
        }
    }

    /// A nested entity of a deep insert; one that only tells an id is there already.
    func insertRelated(_ entity: EntityPayload, _ relation: WritableNavigation, of parent: LocatedEntity) throws {
        if let target = try existing(entity) { return try link(parent, relation, to: target) }
        _ = try insert(entity, into: relation.target, as: try membership(relation, parent: parent))
    }

    /// The entity that a payload names without saying anything else of it.
    private func existing(_ payload: EntityPayload) throws -> LocatedEntity? {
        guard let id = payload.id, payload.properties.isEmpty, payload.nested.isEmpty, payload.bindings.isEmpty else {
            return nil
        }
        return try resolve(id)
    }

    func insertRow(_ assignments: ColumnAssignments, into table: PublishedTable) throws -> RowReference {
        try requireKey(assignments, of: table)
        try refuseRival(assignments, of: table)
        let (sql, arguments) = assignments.insertion(into: table.name)
        if let rowID = table.rowID {
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
            try requireChange(of: table, "insertion")
            return try written(RowReference(rowID: db.lastInsertedRowID, column: rowID), into: table)
        }
        let names = table.key.map { quoted($0.name) }.joined(separator: ", ")
        guard let row = try Row.fetchOne(db, sql: "\(sql) RETURNING \(names)", arguments: arguments) else {
            try requireChange(of: table, "insertion")
            throw ODataError(.internalError, "The new entity of \(table.set) did not come back.")
        }
        return try written(RowReference(key: Array(zip(table.key, row.databaseValues))), into: table)
    }

    private func written(_ row: RowReference, into table: PublishedTable) throws -> RowReference {
        try requireRow(LocatedEntity(table: table, row: row))
        return row
    }

    /// SQLite takes null for a key column that is not declared `NOT NULL`; such a row could not be addressed.
    private func requireKey(_ assignments: ColumnAssignments, of table: PublishedTable) throws {
        for column in table.key where !column.isServiceMade && !assignments.has(column.name) {
            guard column.description.defaultSQL != nil || column.description.isGenerated else {
                throw ODataError.refused(ValueProblem(column.property, ValueProblem.mustHaveValue))
            }
        }
    }

    /// GUIDs in text are the same in capitals and small letters, which the index of the key need not know. And no new
    /// key has U+0000: `%00` in a URL is refused by much that is on the way to a service.
    private func refuseRival(_ assignments: ColumnAssignments, of table: PublishedTable) throws {
        let key = table.key.compactMap { column -> (PublishedColumn, DatabaseValue)? in
            guard case .value(let value)? = assignments[column.name] else { return nil }
            return (column, value)
        }
        for (column, value) in key where value.hasNul {
            throw ODataError.refused(ValueProblem(column.property, ValueProblem.mustNotHaveNul))
        }
        guard key.count == table.key.count, table.key.contains(where: { $0.codec == .guidText }),
            try access.exists(RowReference(key: key), in: table)
        else { return }
        let names = table.key.map { "\(table.set).\($0.property)" }.joined(separator: ", ")
        throw ODataError(.conflict, "Another entity has the same value of \(names).")
    }

    /// The columns that the properties of a payload set. Values that the service computes are passed over.
    func newColumns(_ properties: EdmComplexValue, of table: PublishedTable, isNew: Bool = true) throws
        -> ColumnAssignments
    {
        var assignments = ColumnAssignments()
        for member in properties.members {
            guard let column = table.column(ofProperty: member.name) else {
                if table.stream(ofProperty: member.name) != nil { continue }
                throw ODataError.undeclared(
                    member.name, by: schema.entitySet(named: table.set)?.type.name ?? EdmQualifiedName(table.set))
            }
            if column.description.isGenerated || (isNew && column.isServiceMade && member.value.isNull) { continue }
            assignments[column.name] = .value(try column.stored(member.value))
        }
        return assignments
    }

    /// The nested entities of a payload come back expanded.
    func expansions(_ payload: EntityPayload, of located: LocatedEntity) throws -> QueryOptions {
        payload.nested.isEmpty
            ? QueryOptions() : expansions(payload, located.table, as: try entityType(of: located))
    }

    private func expansions(_ payload: EntityPayload, _ table: PublishedTable, as type: EdmStructuredType?)
        -> QueryOptions
    {
        guard let set = schema.entitySet(named: table.set) else { return QueryOptions() }
        let owner = type ?? set.type
        var options = QueryOptions()
        for nested in payload.nested {
            guard let relation = try? relation(nested.navigation, of: table, as: type),
                owner.navigationProperty(named: nested.navigation) != nil
            else { continue }
            let isOfAll = set.type.navigationProperty(named: nested.navigation) == relation.navigation
            let target = schema.model.entitySet(named: relation.target.set)
            guard let type = target?.type ?? schema.model.target(of: relation.navigation) else { continue }
            var merged = EntityPayload()
            for entity in nested.entities { merged.nested += entity.nested }
            var names: Set<String> = []
            merged.nested = merged.nested.filter { names.insert($0.navigation).inserted }
            options.expand.append(
                ExpandItem(
                    prefix: isOfAll ? [] : [.cast(owner)], navigation: relation.navigation, targetSet: target,
                    targetType: type, options: expansions(merged, relation.target, as: nil)))
        }
        return options
    }
}
