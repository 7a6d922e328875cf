import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Writes a queued request with the current keys of its entities.
struct RequestLine {
    let db: Database
    let offline: OfflineModel
    /// Rows that earlier requests of the same change set make, by their content ids.
    var made: [Int64: String] = [:]
    /// A row whose path is known.
    var known: (row: QueueRecord.Named, path: ResourcePath)?

    /// `POST Orders`, `PATCH Orders(1)`, `PUT Photos(1)/$value`
    func line(of record: QueueRecord) throws -> (method: String, url: String) {
        if record.operation == .call { return ("POST", try call(of: record).url) }
        let path = try path(of: record)
        switch record.operation {
        case .create, .createMedia, .call: return ("POST", path.url)
        case .update: return ("PATCH", path.url)
        case .replace: return ("PUT", path.url)
        case .delete, .deleteStream: return ("DELETE", path.url)
        case .replaceStream: return ("PUT", path.url)
        case .addReference: return (path.target == .collection ? "POST" : "PUT", path.appending(.ref).url)
        case .removeReference:
            let target = try record.target.flatMap { try entityPath($0)?.url } ?? record.targetURL
            return ("DELETE", path.appending(.ref).url + (target.map { "?$id=\($0)" } ?? ""))
        }
    }

    /// The target of the request, without `$ref`.
    func path(of record: QueueRecord) throws -> ResourcePath {
        if record.operation == .call { return try call(of: record).path }
        let set = try offline.set(named: record.set)
        switch record.operation {
        case .create, .createMedia:
            guard record.parent != nil else { return ResourcePath(set) }
            return try navigation(of: record)
        case .addReference, .removeReference: return try navigation(of: record)
        case .replaceStream, .deleteStream:
            let path = try entity(.init(set: record.set, row: record.row), of: record)
            guard let name = record.property else {
                return record.operation == .replaceStream ? path.appending(.value) : path
            }
            let table = try offline.schema.table(of: set)
            guard let stream = table.stream(of: name) else {
                throw ODataError(.notFound, "\(path.url) has no stream \(name) in the metadata.")
            }
            return table.segments(of: stream).reduce(path) { $0.appending($1) }
        case .update, .replace, .delete, .call: return try entity(.init(set: record.set, row: record.row), of: record)
        }
    }

    /// The entity that the request changes: `Orders(1)`.
    func entity(of record: QueueRecord) throws -> String? {
        try entityPath(.init(set: record.set, row: record.row))?.url
    }

    private func navigation(of record: QueueRecord) throws -> ResourcePath {
        guard let parent = record.parent, let name = record.property,
            let (navigation, type) = try navigation(named: name, of: parent)
        else {
            throw ODataError(
                .notFound,
                """
                The request \(record.id) (\(record.method) \(record.url)) is addressed to a navigation property \
                \(record.property.map(BoundNavigation.plainName) ?? "") that the metadata no longer contain: undo it, and make the change again.
                """)
        }
        let set = try offline.set(named: parent.set)
        let path = try entity(parent, of: record)
        let segment = ResourcePath.Segment.navigation(navigation, target(of: navigation, from: set, as: type))
        // `Vehicles(2)/Shop.Car/Stickers`
        let isOfAll = set.type.navigationProperty(named: navigation.name) == navigation
        return (isOfAll ? path : path.appending(.cast(type))).appending(segment)
    }

    /// The navigation property of a ``BoundNavigation/name``, and the type of the entity that has it.
    private func navigation(
        named name: String, of parent: QueueRecord.Named
    ) throws -> (EdmNavigationProperty, EdmStructuredType)? {
        let table = try offline.schema.table(of: offline.set(named: parent.set))
        let types = table.navigations.first { $0.name == name }?.types ?? []
        let told = try RowLookup(db: db, table: table).typeName(of: parent.row)
        let type = types.first { "\($0.name)" == told } ?? types.first
        return type.flatMap { type in
            type.navigationProperty(named: BoundNavigation.plainName(of: name)).map { ($0, type) }
        }
    }

    /// Where the property leads from entities of `type`.
    func target(of navigation: EdmNavigationProperty, from set: EdmEntitySet, as type: EdmStructuredType)
        -> EdmEntitySet?
    {
        let storage = offline.schema.storage(of: set.name, navigation.name, as: type)
        return storage.flatMap { offline.model.entitySet(named: $0.targetSet) }
            ?? offline.model.targetSet(of: navigation, from: set, as: type)
    }

    private func entity(_ named: QueueRecord.Named, of record: QueueRecord) throws -> ResourcePath {
        guard let path = try entityPath(named) else {
            if try isUntold(named) { throw ODataError.untold(named.set) }
            throw ODataError(
                .notFound,
                """
                The request \(record.id) (\(record.method) \(record.url)) names an entity of \(named.set) that is not in \
                the store any more: undo the request.
                """)
        }
        return path
    }

    func entityPath(_ named: QueueRecord.Named) throws -> ResourcePath? {
        guard named.row != 0 else { return nil }
        if let known, known.row == named { return known.path }
        let set = try offline.set(named: named.set)
        if let id = made[named.row] { return ResourcePath(root: .contentID(id, set)) }
        let table = try offline.schema.table(of: set)
        guard let key = try RowLookup(db: db, table: table).key(of: named.row), try !isUntold(named) else { return nil }
        return ResourcePath(set, key: key)
    }

    /// Whether the entity was sent, and the service has not returned its key.
    private func isUntold(_ named: QueueRecord.Named) throws -> Bool {
        guard let table = offline.schema.tables[named.set] else { return false }
        return try RowLookup(db: db, table: table).state(of: named.row)?.isUntold ?? false
    }

    /// The body with real keys in the place of temporary ones, where they are known.
    func payload(of record: QueueRecord) throws -> EntityPayload {
        let set = try offline.set(named: record.set)
        guard let body = record.body else { return EntityPayload() }
        var payload = try Self.read(body, of: set, offline)
        if !made.isEmpty { try nameMade(in: &payload, of: set) }
        try repairKeys(in: &payload, of: set)
        for index in payload.bindings.indices {
            payload.bindings[index].references = try payload.bindings[index].references.map(resolved)
        }
        return payload
    }

    /// The body, converted by `read`; nil if it no longer fits the metadata: a rebuild has moved its request to the
    /// error archive.
    static func ifFit<Result>(_ read: () throws -> Result) throws -> Result? {
        do { return try read() } catch let error as ODataError where error.code == .unusableStore { return nil }
    }

    static func read(_ body: Data, of set: EdmEntitySet, _ offline: OfflineModel) throws -> EntityPayload {
        do {
            return try JSONPayload.entity(
                [UInt8](body), type: set.type, model: offline.model, parser: offline.parser, serviceRoot: nil)
        } catch {
            throw ODataError(.unusableStore, "The body of a queued request cannot be read: \(error)", cause: error)
        }
    }

    /// The type of the entity that a body is of: the set's, or the one that it names.
    func entityType(of payload: EntityPayload, in set: EdmEntitySet) -> EdmStructuredType {
        payload.type.flatMap { offline.model.structuredType(named: $0) } ?? set.type
    }

    /// `{"OrderID":-2147483647}` → `{"OrderID":11078}`
    func repairKeys(in payload: inout EntityPayload, of set: EdmEntitySet) throws {
        let resolver = PathResolver(db: db, schema: offline.schema)
        let type = entityType(of: payload, in: set)
        for navigation in type.navigationProperties where !navigation.constraints.isEmpty {
            guard let target = target(of: navigation, from: set, as: type),
                let key = key(of: target, by: navigation, in: payload),
                let current = try resolver.currentKey(key, of: target)
            else { continue }
            for constraint in navigation.constraints {
                if let value = current[constraint.referencedProperty] {
                    payload.properties[constraint.property] = value
                }
            }
        }
    }

    /// The key of the entity that the properties of a navigation property refer to, if all of them are there.
    func key(of target: EdmEntitySet, by navigation: EdmNavigationProperty, in payload: EntityPayload) -> EntityKey? {
        let members = target.type.key.compactMap { name -> EdmComplexValue.Member? in
            let constraint = navigation.constraints.first { $0.referencedProperty == name }
            guard let value = constraint.flatMap({ payload.properties[$0.property] }) else { return nil }
            return EdmComplexValue.Member(name: name, value: value)
        }
        return members.isEmpty || members.count != target.type.key.count ? nil : EntityKey(members)
    }

    /// Whether a temporary key belongs to an entity that is not in the store any more, or whose key is unknown.
    func isLost(_ key: EntityKey, of set: EdmEntitySet) throws -> Bool {
        guard let table = offline.schema.tables[set.name],
            let row = try PathResolver(db: db, schema: offline.schema).row(of: key, in: set.name)
        else { return false }
        if let state = try RowLookup(db: db, table: table).state(of: row) { return state.isUntold }
        // A key that the service has changed may belong to another entity by now.
        return try RowLookup(db: db, table: table).id(of: key) == nil
    }
}

extension LocalState {
    /// The entity was sent, and the service has not returned its key.
    var isUntold: Bool { contains(.temporaryKey) && !contains(.madeHere) }
}

extension ODataError {
    /// The error for an entity that was sent without the service returning its key.
    static func untold(_ set: String) -> ODataError {
        ODataError(
            .notFound,
            """
            The entity of \(set) was sent, but the service has not returned its key. Change it after the next download, \
            which will.
            """)
    }
}
