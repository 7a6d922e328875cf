import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores

/// A navigation property with the columns behind it.
struct WritableRelation {
    var navigation: NavigationProperty
    var target: PublishedTable
    /// Columns of this side and of the target.
    var pairs: [RelationMapping.ColumnPair]

    var isCollection: Bool { navigation.isCollection }
}

extension ChangeTransaction {
    func relation(_ name: String, of table: PublishedTable) throws -> WritableRelation {
        guard let set = schema.model.entitySet(named: table.set),
            let navigation = set.type.navigationProperty(named: name),
            case .columns(let pairs, let targetSet)? = schema.rowSources[table.set]?.relations[name],
            let target = schema.tables[targetSet]
        else { throw ODataError(.badRequest, "\(table.set) has no navigation property \(name).") }
        return WritableRelation(navigation: navigation, target: target, pairs: pairs)
    }

    /// What the foreign key columns of a new member of `parent`'s collection hold.
    func membership(_ relation: WritableRelation, parent: LocatedEntity) throws -> ColumnAssignments {
        let values = try access.stored(relation.pairs.map(\.source), of: parent.row, in: parent.table)
        var assignments = ColumnAssignments()
        assignments.set(Array(zip(relation.pairs.map(\.target), values)))
        return assignments
    }

    /// What this side's foreign key columns hold when the relation leads to `principal`.
    func dependentValues(_ relation: WritableRelation, principal: LocatedEntity) throws -> [(String, DatabaseValue)] {
        guard principal.table.set == relation.target.set else {
            throw ODataError(
                .badRequest, "\(relation.navigation.name) leads to \(relation.target.set), not \(principal.table.set).")
        }
        let values = try access.stored(relation.pairs.map(\.target), of: principal.row, in: principal.table)
        return Array(zip(relation.pairs.map(\.source), values))
    }

    /// `"Category@odata.bind": "Categories(1)"`; an empty binding takes the relation away.
    func bindToOne(
        _ bindings: [EntityPayload.Binding], of table: PublishedTable, into assignments: inout ColumnAssignments
    ) throws {
        for binding in bindings {
            let relation = try relation(binding.navigation, of: table)
            guard !relation.isCollection else { continue }
            guard let reference = binding.references.last else {
                assignments.set(relation.pairs.map { ($0.source, .null) })
                continue
            }
            assignments.set(try dependentValues(relation, principal: try resolve(reference)))
        }
    }

    /// `"Products@odata.bind": ["Products(1)", "Products(2)"]`
    func bindToMany(_ bindings: [EntityPayload.Binding], of located: LocatedEntity) throws {
        for binding in bindings {
            let relation = try relation(binding.navigation, of: located.table)
            guard relation.isCollection else { continue }
            for reference in binding.references { try link(located, relation, to: try resolve(reference)) }
        }
    }

    /// Makes `target` what `relation` leads to: sets the foreign key of the dependent side.
    func link(_ source: LocatedEntity, _ relation: WritableRelation, to target: LocatedEntity) throws {
        if relation.isCollection {
            guard target.table.set == relation.target.set else {
                throw ODataError(
                    .badRequest, "\(relation.navigation.name) holds \(relation.target.set), not \(target.table.set).")
            }
            try set(try membership(relation, parent: source), at: target)
        } else {
            var assignments = ColumnAssignments()
            assignments.set(try dependentValues(relation, principal: target))
            try set(assignments, at: source)
        }
    }

    func set(_ assignments: ColumnAssignments, at located: LocatedEntity) throws {
        try requireWritable(located.table)
        guard !assignments.isEmpty else { return }
        let (sql, arguments) = assignments.update(of: located.table.name, at: located.row)
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension ChangeTransaction {
    /// `POST Categories(1)/Products/$ref`, `PUT Products(1)/Category/$ref`
    ///
    /// [OData-Protocol, section 11.4.6]
    func addReference(_ reference: EntityReference, _ request: ChangeRequest) throws -> ChangeResult {
        let (source, relation) = try relationEnd(request.target)
        try Precondition(request).check([try access.etag(of: source.row, in: source.table)].compactMap(\.self))
        try link(source, relation, to: try resolve(reference))
        return try result(.updated, source, request)
    }

    /// `DELETE Products(1)/Category/$ref`, `DELETE Categories(1)/Products(2)/$ref`, `…/Products/$ref?$id=Products(2)`
    func removeReference(_ reference: EntityReference?, _ request: ChangeRequest) throws -> ChangeResult {
        let (source, relation) = try relationEnd(request.target)
        try Precondition(request).check([try access.etag(of: source.row, in: source.table)].compactMap(\.self))
        var assignments = ColumnAssignments()
        guard relation.isCollection else {
            assignments.set(relation.pairs.map { ($0.source, .null) })
            try set(assignments, at: source)
            return try result(.updated, source, request)
        }
        let member: LocatedEntity
        if let reference { member = try resolve(reference) } else { member = try require(request.target) }
        let held = try access.stored(relation.pairs.map(\.target), of: member.row, in: member.table)
        let own = try access.stored(relation.pairs.map(\.source), of: source.row, in: source.table)
        guard member.table.set == relation.target.set, held == own else {
            throw ODataError(.notFound, "The entity is no member of \(relation.navigation.name).")
        }
        assignments.set(relation.pairs.map { ($0.target, .null) })
        try set(assignments, at: member)
        return try result(.updated, source, request)
    }

    /// The entity before the last navigation property of a path, and that property.
    private func relationEnd(_ path: ResourcePath) throws -> (LocatedEntity, WritableRelation) {
        let position = path.segments.lastIndex { if case .navigation = $0 { true } else { false } }
        guard let position, case .navigation(let navigation, _) = path.segments[position] else {
            throw ODataError(.badRequest, "The path does not lead to a relation.")
        }
        let source = try locate(ResourcePath(root: path.root, segments: Array(path.segments[..<position])))
        guard let source else { throw ODataError(.notFound, "There is no such entity.") }
        return (source, try relation(navigation.name, of: source.table))
    }
}
