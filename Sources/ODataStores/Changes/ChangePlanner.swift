import ODataModel
import ODataQuery

/// Decides what a change does to the entities of a store: which entity it is about, which others it inserts, updates,
/// deletes and links, in which order, and whether it can be made at all. It reads and changes nothing.
package struct ChangePlanner<Rows: ChangeableRows> {
    package typealias Plan = ChangePlan<Rows.Row>
    package typealias Row = Rows.Row
    package typealias Target = Plan.Target

    package let rows: Rows
    /// The entities that earlier requests of the change set are about, by content id.
    let made: [String: Row]
    var plan = Plan()

    package init(_ rows: Rows, made: [String: Row] = [:]) {
        self.rows = rows
        self.made = made
    }

    /// - Parameter properties: Those given beside the stream of a new media entity.
    /// - Throws: ``ODataError`` if the change cannot be made.
    package func plan(_ request: ChangeRequest, properties: EntityPayload? = nil) throws -> Plan {
        var (planner, request) = (self, request)
        request.target = request.target.resource
        try planner.add(request, properties)
        return planner.plan
    }

    private mutating func add(_ request: ChangeRequest, _ properties: EntityPayload?) throws {
        switch request.operation {
        case .create(let payload): try create(payload, request)
        case .createMedia: try createMedia(properties, request)
        case .update(let payload): try update(payload, request, replaces: false)
        case .replace(let payload): try update(payload, request, replaces: true)
        case .delete: try delete(request)
        case .setValue(let value): try setValue(value, request)
        case .setRawValue(let bytes, _): try setRawValue(bytes, request)
        case .insertValue(let value, let index): try insertValue(value, at: index, request)
        case .addReference(let reference): try addReference(reference, request)
        case .removeReference(let reference): try removeReference(reference, request)
        case .replaceStream: try replaceStream(request)
        case .deleteStream: try deleteStream(request)
        case .call:
            throw ODataError(.notImplemented, "The store has no operations: \(request.target.url) cannot be called.")
        }
    }
}

extension ChangePlanner {
    /// The entity that a path leads to, property and stream segments at its end not counted; nil if there is none.
    package func locate(_ path: ResourcePath) throws -> Row? {
        let path = ResourcePath(root: path.root, segments: Array(path.segments.prefix { $0.leadsToEntity }))
        if path.segments.isEmpty, let row = try madeRow(path) { return row }
        return try rows.row(at: resolved(path))
    }

    /// The entity of an earlier request that a path starts at; nil if it does not start at one.
    private func madeRow(_ path: ResourcePath) throws -> Row? {
        guard case .contentID(let id, _) = path.root else { return nil }
        if let row = made[id] { return row }
        throw ODataError(.badRequest, "No earlier request of the change set has the content id \(id).")
    }

    /// `$1/Items` → `Orders(1)/Items`
    private func resolved(_ path: ResourcePath) throws -> ResourcePath {
        guard var start = try madeRow(path).map(rows.path(of:)) else { return path }
        start.segments += path.segments
        return start
    }

    /// - Throws: ``ODataError`` `notFound` if the entity does not exist.
    package func require(_ path: ResourcePath) throws -> Row {
        guard let row = try locate(path) else { throw rows.missing(path) }
        return row
    }

    func set(of row: Row) throws -> EdmEntitySet { try rows.entitySet(named: row.setName) }

    func navigation(_ name: String, of row: Row) throws -> ChangeableNavigation {
        try rows.navigation(name, of: set(of: row), as: rows.type(of: row))
    }

    func types(of set: EdmEntitySet) -> ChangedEntityTypes { ChangedEntityTypes(of: set, types: rows.types(of: set)) }

    /// - Throws: ``ODataError`` if the store or the metadata do not allow entities of a set to be changed so.
    func checkAccess(_ access: ChangeAccess, of set: EdmEntitySet) throws {
        try rows.check(access, of: set)
        guard !rows.isLoading, set.rejects(access), rows.isComplete || !set.hasSAPRestriction(access) else { return }
        throw ODataError(.methodNotAllowed, "Entities of \(set.name) cannot be \(access.participle).")
    }

    /// - Throws: ``ODataError`` `preconditionFailed`.
    func check(_ condition: Precondition, of row: Row) throws {
        if !condition.isEmpty { try condition.check(rows.etags(of: row)) }
    }

    /// The path that a reference stands for.
    package func path(of reference: EntityReference) throws -> ResourcePath {
        switch reference {
        case .path(let path): return try resolved(path)
        case .url(let url):
            if url.hasPrefix("$"), let row = made[String(url.dropFirst())] { return try rows.path(of: row) }
            do { return try rows.parser.entityPath(id: url, serviceRoot: nil) } catch {
                throw ODataError(.badRequest, "\(url) does not name an entity of the service.", cause: error)
            }
        }
    }

    /// The entity that a reference names; nil if the store does not hold it.
    func find(_ reference: EntityReference) throws -> (row: Row?, path: ResourcePath) {
        let path = try path(of: reference)
        return (try locate(path), path)
    }

    /// The entity that a reference names, which a navigation property is to lead to.
    ///
    /// - Throws: ``ODataError`` `badRequest` for an entity that cannot exist, or of another set.
    func target(_ reference: EntityReference, of navigation: ChangeableNavigation) throws -> Target {
        let (row, path) = try find(reference)
        guard row == nil, rows.isComplete else {
            let target = row.map(Target.row) ?? .absent(path)
            try check(target, of: navigation)
            return target
        }
        throw ODataError(.badRequest, "The reference \(path.url) names an entity that does not exist.")
    }

    /// The same, of an entity that the store must hold.
    func row(_ reference: EntityReference, of navigation: ChangeableNavigation) throws -> Row {
        switch try target(reference, of: navigation) {
        case .row(let row): return row
        case .absent(let path): throw rows.missing(path)
        case .inserted: throw ODataError.noSuchEntity
        }
    }

    /// - Throws: ``ODataError`` `badRequest` if the navigation property leads to entities of another set.
    func check(_ target: Target, of navigation: ChangeableNavigation) throws {
        let found: String
        switch target {
        case .inserted: return
        case .row(let row):
            guard row.setName != navigation.targetSet else { return }
            found = "an entity of \(row.setName)"
        case .absent(let path):
            let set = path.target == .entity ? path.entitySet?.name : nil
            guard set != navigation.targetSet else { return }
            found = set.map { "an entity of \($0)" } ?? path.url
        }
        throw ODataError.wrongSet(navigation.property.name, takes: navigation.targetSet, not: found)
    }

    /// - Throws: ``ODataError`` `badRequest` if the navigation property must lead to an entity.
    func requireOptional(_ navigation: ChangeableNavigation) throws {
        guard !navigation.isRequired, navigation.isCollection || navigation.property.isNullable else {
            throw ODataError.mustLead(navigation.property.name)
        }
    }
}

extension ResourcePath.Segment {
    fileprivate var leadsToEntity: Bool {
        switch self {
        case .key, .navigation, .cast: true
        case .property, .count, .value, .ref, .operation, .filter, .each, .index: false
        }
    }
}
