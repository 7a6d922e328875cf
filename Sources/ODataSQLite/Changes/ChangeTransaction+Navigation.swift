import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

extension ChangeTransaction {
    /// The relation that entities of `type` have under the name of a navigation property; nil for the set's type.
    func relation(_ navigation: String, of table: PublishedTable, as type: EdmStructuredType?) throws
        -> WritableNavigation
    {
        guard let type, let source = schema.rowSources[table.set], source.hasTypedNavigation else {
            return try relation(named: navigation, of: table)
        }
        return try relation(
            named: BoundNavigation.name(of: navigation, as: type) { source.navigation[$0] != nil }, of: table)
    }

    /// The relation that an entity has under the name of a navigation property.
    func relation(_ navigation: String, of located: LocatedEntity) throws -> WritableNavigation {
        let isTyped = schema.rowSources[located.table.set]?.hasTypedNavigation == true
        return try relation(navigation, of: located.table, as: isTyped ? entityType(of: located) : nil)
    }

    private func relation(named name: String, of table: PublishedTable) throws -> WritableNavigation {
        let navigation =
            table.declared?.navigation(named: name)?.navigation
            ?? schema.entitySet(named: table.set)?.type.navigationProperty(named: name)
        guard let navigation else {
            throw ODataError.noNavigation(
                name, of: schema.entitySet(named: table.set)?.type.name ?? EdmQualifiedName(table.set))
        }
        guard let mapping = schema.rowSources[table.set]?.navigation[name],
            let target = schema.tables[mapping.targetSet]
        else { throw ODataError(.notImplemented, "The store keeps no relation for \(table.set)/\(name).") }
        let isDependent = schema.navigation[table.set]?[name]?.isDependent ?? !navigation.isCollection
        return WritableNavigation(navigation: navigation, target: target, mapping: mapping, isDependent: isDependent)
    }

    /// What makes a new entity a member of `parent`'s collection.
    func membership(_ relation: WritableNavigation, parent: LocatedEntity, type: EdmStructuredType? = nil) throws
        -> Membership
    {
        var membership = Membership(type: type)
        switch relation.mapping {
        case .columns(let pairs, _):
            let values = try access.stored(pairs.map(\.source), of: parent.row, in: parent.table)
            membership.columns.set(Array(zip(pairs.map(\.target), values)))
        case .linkTable: membership.link = (relation, parent)
        }
        return membership
    }

    /// What this side's foreign key columns hold when the relation leads to `principal`.
    func dependentValues(_ relation: WritableNavigation, principal: LocatedEntity) throws -> [(String, DatabaseValue)] {
        try requireMember(principal, of: relation)
        let values = try access.stored(relation.pairs.map(\.target), of: principal.row, in: principal.table)
        return Array(zip(relation.pairs.map(\.source), values))
    }

    func requireMember(_ target: LocatedEntity, of relation: WritableNavigation) throws {
        guard target.table.set == relation.target.set else {
            throw ODataError.wrongSet(
                relation.navigation.name, takes: relation.target.set, not: "an entity of \(target.table.set)")
        }
    }

    /// `"Category@odata.bind": "Categories(1)"`, where the foreign key is on this side; an empty binding takes the
    /// relation away.
    func bindToOne(
        _ bindings: [EntityPayload.Binding], of table: PublishedTable, as type: EdmStructuredType?,
        into assignments: inout ColumnAssignments
    ) throws {
        for binding in bindings {
            let relation = try relation(binding.navigation, of: table, as: type)
            guard relation.isDependent else { continue }
            guard let reference = binding.references.last else {
                try requireNullable(relation.pairs.map(\.source), of: table, relation)
                assignments.set(relation.pairs.map { ($0.source, .null) })
                continue
            }
            assignments.set(try dependentValues(relation, principal: try resolve(reference)))
        }
    }

    /// `"Products@odata.bind": ["Products(1)", "Products(2)"]`, and all else whose foreign key is not on this side.
    func bindDependents(_ bindings: [EntityPayload.Binding], of located: LocatedEntity) throws {
        for binding in bindings {
            let relation = try relation(binding.navigation, of: located)
            guard !relation.isDependent else { continue }
            if binding.references.isEmpty, !relation.isCollection { try unlinkAll(located, relation) }
            for reference in binding.references { try link(located, relation, to: try resolve(reference)) }
        }
    }

    /// Makes `target` what `relation` leads to.
    func link(_ source: LocatedEntity, _ relation: WritableNavigation, to target: LocatedEntity) throws {
        try requireMember(target, of: relation)
        switch relation.mapping {
        case .columns where relation.isDependent:
            var assignments = ColumnAssignments()
            assignments.set(try dependentValues(relation, principal: target))
            try set(assignments, at: source)
        case .columns:
            guard relation.navigation.containsTarget == false else {
                throw ODataError(.badRequest, "What \(relation.navigation.name) contains cannot be given to another.")
            }
            if !relation.isCollection { try unlinkAll(source, relation) }
            try set(try membership(relation, parent: source).columns, at: target)
        case .linkTable(let table, let from, let to, _, _):
            if !relation.isCollection { try unlinkAll(source, relation) }
            try db.execute(
                sql: "INSERT OR IGNORE INTO \(quoted(table)) (\(quoted(from)), \(quoted(to))) VALUES (?, ?)",
                arguments: [source.row.rowID, target.row.rowID])
        }
    }

    func set(_ assignments: ColumnAssignments, at located: LocatedEntity) throws {
        try requireWritable(located.table)
        guard !assignments.isEmpty else { return }
        var assignments = assignments
        try touch(&assignments, of: located.table)
        let (sql, arguments) = assignments.update(of: located.table.name, at: located.row)
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
        try requireChange(of: located.table, "update")
        try requireRow(located)
    }

    /// - Throws: ``ODataError`` `conflict` if the last statement has changed no row: triggers keep changes from being made
    ///   without an error with `RAISE(IGNORE)`, constraints with `ON CONFLICT IGNORE`.
    func requireChange(of table: PublishedTable, _ change: String) throws {
        guard db.changesCount == 0 else { return }
        let cause = change == "deletion" ? "" : " or a constraint with ON CONFLICT IGNORE"
        throw ODataError(.conflict, "A trigger\(cause) of \(table.set) keeps this \(change) from being made.")
    }

    /// - Throws: ``ODataError`` `conflict` if a row that was written is not there any more: a trigger may delete it or give
    ///   it another key.
    func requireRow(_ located: LocatedEntity) throws {
        guard located.table.declared == nil, try !access.exists(located.row, in: located.table) else { return }
        throw ODataError(
            .conflict,
            "The entity of \(located.table.set) is not there after this change: a trigger deletes it or gives it another key."
        )
    }
}
