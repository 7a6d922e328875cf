import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// Makes a change here: readers see it at once, and its request waits in the queue for ``upload(categories:progress:)``.
    ///
    /// The change is on the device when this returns. A new entity whose key the service makes gets a temporary one:
    /// its `id` and ``ChangeResult/path`` hold for ever, its key properties are absent until the upload. The result has
    /// the entity as it is now, unless ``ChangeRequest/returnPreference`` is `minimal`: that saves reading it.
    public func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try await change(request, options: RequestOptions())
    }

    /// As ``change(_:)``, with what the app says of the request.
    public func change(_ request: ChangeRequest, options: RequestOptions) async throws -> ChangeResult {
        let results = try await changeSet([request], options: options)
        guard let result = results.first else { throw ODataError(.internalError, "A change gave no result.") }
        return result
    }

    /// Makes all changes or none.
    public func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        try await changeSet(requests, options: RequestOptions())
    }

    /// As ``changeSet(_:)``, with what the app says of all its requests.
    public func changeSet(_ requests: [ChangeRequest], options: RequestOptions) async throws -> [ChangeResult] {
        try await makeOutsideUploads(
            requests.map { LocalChange(request: $0, options: options) }, isSet: requests.count > 1)
    }

    public func createMedia(
        _ content: MediaContent, in target: ResourcePath, slug: String?, properties: EntityPayload
    ) async throws -> ChangeResult {
        try await createMedia(content, in: target, slug: slug, properties: properties, options: RequestOptions())
    }

    /// Makes a media entity with its stream, and with properties in the same call. They are sent as a POST of the
    /// stream and a PATCH of the properties.
    ///
    /// - Parameters:
    ///   - content: The stream; it is copied into the store.
    ///   - target: A set of media entities, or a collection that leads to one: `Inspections(1)/Photos`.
    ///   - slug: What the service may name the entity after.
    ///   - properties: Of the entity; those that are not given are the service's affair.
    ///   - options: What the app says of the request.
    /// - Throws: ``ODataError``; nothing is kept then.
    public func createMedia(
        _ content: MediaContent, in target: ResourcePath, slug: String? = nil,
        properties: EntityPayload = EntityPayload(), options: RequestOptions = RequestOptions()
    ) async throws -> ChangeResult {
        let request = ChangeRequest(target, .createMedia(content, slug: slug))
        let given = properties == EntityPayload() ? nil : properties
        let results = try await makeOutsideUploads(
            [LocalChange(request: request, properties: given, options: options)], isSet: false)
        guard let result = results.first else { throw ODataError(.internalError, "A change gave no result.") }
        return result
    }

    /// Not while an upload or a download runs, where a change undoes a request that was refused.
    private func makeOutsideUploads(_ changes: [LocalChange], isSet: Bool) async throws -> [ChangeResult] {
        let offline = try offlineModel()
        guard !changes.contains(where: { offline.errorID(at: $0.request.target) != nil }) else {
            return try await transferring("undoing") { try await makeAndEvict(changes, isSet: isSet) }
        }
        return try await makeAndEvict(changes, isSet: isSet)
    }

    /// Then makes room in the media folder for new streams.
    private func makeAndEvict(_ changes: [LocalChange], isSet: Bool) async throws -> [ChangeResult] {
        try database.checkWritable(for: "Changes are")
        let results = try await storeStreamsAndQueue(changes, isSet: isSet)
        // The changes are made, whether the room for their streams can be made or not.
        if changes.contains(where: { $0.request.stream != nil }) { try? await streams.makeRoom() }
        return results
    }

    /// Streams go to the media folder first, then everything else happens in one transaction.
    private func storeStreamsAndQueue(_ changes: [LocalChange], isSet: Bool) async throws -> [ChangeResult] {
        try await mappingErrors {
            try await streams.writing {
                var changes = changes
                for index in changes.indices {
                    if let content = changes[index].request.stream {
                        let limits = ContentLimits(
                            at: changes[index].request.target, in: try offlineModel().model)
                        try limits.check(length: content.content.length, type: content.contentType)
                        let media = try await streams.store(content)
                        try limits.check(length: media.length, type: content.contentType)
                        changes[index].media = media
                    }
                }
                let results = try await queueInCurrentDatabase(changes, isSet: isSet)
                await endNeedlessTransfers()
                return results
            }
        }
    }

    /// Once more where a rebuild has put another database in the store's place meanwhile.
    private func queueInCurrentDatabase(_ changes: [LocalChange], isSet: Bool) async throws -> [ChangeResult] {
        let (offline, database) = try working()
        do {
            return try await queue(changes, offline, in: database, isSet: isSet)
        } catch  where database.isRetired {
            // A rebuild came first: nothing was written.
            let (rebuilt, next) = try working()
            return try await queue(changes, rebuilt, in: next, isSet: isSet)
        }
    }

    /// One transaction: the rows as the changes make them, and their requests in the queue.
    private func queue(
        _ changes: [LocalChange], _ offline: OfflineModel, in database: StoreDatabase, isSet: Bool
    ) async throws -> [ChangeResult] {
        try await database.writingDurably(survivesPowerLoss: configuration.changesSurvivePowerLoss) {
            [configuration] db in
            var context = ChangeContext(db: db, offline: offline, configuration: configuration)
            if isSet { context.changeSet = try StoreValues(db: db).nextID() }
            var made = ContentIDs()
            return try changes.enumerated().map { index, change in
                do {
                    var change = change
                    change.request = try made.resolved(change.request)
                    context.options = change.options
                    let outcome = try context.apply(change)
                    made.note(change.request.contentID, outcome.path)
                    return ChangeResult(
                        outcome.outcome, entity: outcome.entity, path: outcome.path,
                        entityID: outcome.path?.url, etag: outcome.etag)
                } catch {
                    var failure = ODataError(any: error)
                    if isSet { failure.requestIndex = index }
                    throw failure
                }
            }
        }
    }
}

extension ChangeRequest {
    var stream: MediaContent? {
        switch operation {
        case .createMedia(let content, _), .replaceStream(let content): content
        default: nil
        }
    }
}

/// What earlier requests of a change set made: `$1`.
struct ContentIDs {
    private var paths: [String: ResourcePath] = [:]

    mutating func note(_ id: String?, _ path: ResourcePath?) {
        if let id, let path { paths[id] = path }
    }

    /// The request with paths in the place of content ids.
    func resolved(_ request: ChangeRequest) throws -> ChangeRequest {
        var request = request
        request.target = try resolved(request.target)
        switch request.operation {
        case .create(let payload): request.operation = .create(try resolved(payload))
        case .update(let payload): request.operation = .update(try resolved(payload))
        case .replace(let payload): request.operation = .replace(try resolved(payload))
        case .addReference(let reference): request.operation = .addReference(try resolved(reference))
        case .removeReference(let reference?): request.operation = .removeReference(try resolved(reference))
        default: break
        }
        return request
    }

    private func resolved(_ path: ResourcePath) throws -> ResourcePath {
        guard case .contentID(let id, _) = path.root else { return path }
        guard var made = paths[id] else {
            throw ODataError(.badRequest, "No earlier request of the change set has the content id \(id).")
        }
        made.segments += path.segments
        return made
    }

    private func resolved(_ payload: EntityPayload) throws -> EntityPayload {
        var payload = payload
        for index in payload.bindings.indices {
            payload.bindings[index].references = try payload.bindings[index].references.map(resolved)
        }
        return payload
    }

    private func resolved(_ reference: EntityReference) throws -> EntityReference {
        switch reference {
        case .path(let path): return .path(try resolved(path))
        case .url(let url):
            guard url.hasPrefix("$"), let path = paths[String(url.dropFirst())] else { return reference }
            return .path(path)
        }
    }
}
