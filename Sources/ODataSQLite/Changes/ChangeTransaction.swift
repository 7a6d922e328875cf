import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// Applies the changes of one transaction, one after another.
struct ChangeTransaction {
    let access: RowAccess
    /// What earlier changes of the set made, by content id.
    var made: [String: LocatedEntity] = [:]
    /// Whether entities are taken as they are, with what clients cannot set.
    var isLoading = false

    var schema: PublishedSchema { access.schema }
    var db: Database { access.db }

    mutating func apply(_ change: PreparedChange) throws -> ChangeResult {
        let request = change.request
        let result: ChangeResult
        do { result = try apply(request, upload: change.upload) } catch {
            throw ODataError.change(error, schema: schema)
        }
        if let id = request.contentID, let path = result.path, let located = try locate(path) { made[id] = located }
        return result
    }

    private func apply(_ request: ChangeRequest, upload: StreamUpload?) throws -> ChangeResult {
        if request.target.segments.contains(.each) { return try applyToEach(request) }
        return switch request.operation {
        case .create(let payload): try create(payload, request)
        case .createMedia(_, let slug): try createMedia(upload, slug: slug, request)
        case .update(let payload): try update(payload, request, replaces: false)
        case .replace(let payload): try update(payload, request, replaces: true)
        case .delete: try delete(request)
        case .setValue(let value): try setValue(value, request)
        case .setRawValue(let bytes, _): try setRawValue(bytes, request)
        case .insertValue(let value, let index): try insertValue(value, at: index, request)
        case .addReference(let reference): try addReference(reference, request)
        case .removeReference(let reference): try removeReference(reference, request)
        case .replaceStream: try replaceStream(upload, request)
        case .deleteStream: try deleteStream(request)
        case .call:
            throw ODataError(.notImplemented, "The store has no operations: \(request.target.url) cannot be called.")
        }
    }
}

extension ChangeTransaction {
    /// The entity that a path leads to, over keys, navigation and content ids; nil if there is none. Property and
    /// `$value` segments at the end are passed over.
    func locate(_ path: ResourcePath) throws -> LocatedEntity? {
        var path = path
        path.segments = Array(path.segments.prefix { $0.isNavigable })
        if case .contentID(let id, let set) = path.root {
            guard let located = made[id] else {
                throw ODataError(.badRequest, "No earlier request of the change set has the id \(id).")
            }
            if path.segments.isEmpty { return located }
            let start = try self.path(of: located) ?? ResourcePath(set)
            path = ResourcePath(root: start.root, segments: start.segments + path.segments)
        }
        let table = try schema.table(of: path.rootSet)
        if case .key(let key)? = path.segments.first, path.segments.count == 1 {
            return try access.row(of: table, key: key).map { LocatedEntity(table: table, row: $0) }
        }
        if path.segments.isEmpty, table.declared?.isSingleton == true {
            return try access.singleRow(of: table).map { LocatedEntity(table: table, row: $0) }
        }
        if isKeyless(path) { return try keylessEntity(path) }
        guard let found = try access.executor.locate(path, in: db) else { return nil }
        let target = try schema.table(of: found.set)
        if target.declared != nil, let rowID = found.rowID, let column = target.rowID {
            return LocatedEntity(table: target, row: RowReference(rowID: rowID, column: column))
        }
        return try access.row(of: target, key: found.key).map { LocatedEntity(table: target, row: $0) }
    }

    /// `Products(1)/Profile`, where the profile is contained and has no key.
    private func isKeyless(_ path: ResourcePath) -> Bool {
        guard case .navigation(let navigation, nil)? = path.segments.last, navigation.containsTarget else {
            return false
        }
        return schema.model.target(of: navigation)?.key.isEmpty == true
    }

    private func keylessEntity(_ path: ResourcePath) throws -> LocatedEntity? {
        guard case .navigation(let navigation, _)? = path.segments.last,
            let parent = try locate(ResourcePath(root: path.root, segments: Array(path.segments.dropLast())))
        else { return nil }
        return try members(of: try relation(navigation.name, of: parent), from: parent).first
    }

    /// The entity, which must be there, of a set that can be changed.
    func require(_ path: ResourcePath) throws -> LocatedEntity {
        guard let located = try locate(path) else { throw ODataError(.notFound, "There is no such entity.") }
        try requireWritable(located.table)
        return located
    }

    func requireWritable(_ table: PublishedTable) throws {
        if table.isReadOnly { throw ODataError(.methodNotAllowed, "The entity set \(table.set) is read-only.") }
    }

    /// The entity that a reference names.
    func resolve(_ reference: EntityReference) throws -> LocatedEntity {
        if let located = try find(reference) { return located }
        let text =
            switch reference {
            case .path(let path): path.url
            case .url(let url): url
            }
        throw ODataError(.badRequest, "The reference \(text) names an entity that does not exist.")
    }

    /// The same; nil if there is none.
    func find(_ reference: EntityReference) throws -> LocatedEntity? {
        switch reference {
        case .path(let path): return try locate(path)
        case .url(let url):
            if url.hasPrefix("$"), let located = made[String(url.dropFirst())] { return located }
            return try locate(try access.parser.entityPath(id: url, serviceRoot: nil))
        }
    }

    /// The response to a change of an entity.
    func result(
        _ outcome: ChangeResult.Outcome, _ located: LocatedEntity, _ request: ChangeRequest,
        options: QueryOptions = QueryOptions()
    ) throws -> ChangeResult {
        try requireRow(located)
        let path = try path(of: located)
        var result = ChangeResult(outcome, path: path, entityID: path?.url)
        if request.returnPreference != .minimal, let path {
            result.entity = try access.entity(at: path, options: options)
        }
        result.etag = try result.entity?.etag ?? access.etag(of: located.row, in: located.table)
        return result
    }
}

extension ResourcePath.Segment {
    /// Whether the segment leads to an entity.
    fileprivate var isNavigable: Bool {
        switch self {
        case .key, .navigation, .cast: true
        case .property, .count, .value, .ref, .operation, .filter, .each, .index: false
        }
    }
}
