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
    ///   - properties: Of the entity; those that are not given get the service's defaults.
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
        let writer = LocalChangeWriter(
            state: state, streams: streams, transfers: transfers, configuration: configuration)
        guard !changes.contains(where: { offline.errorID(at: $0.request.target) != nil }) else {
            return try await transferring("undoing") { try await writer.make(changes, isSet: isSet) }
        }
        return try await writer.make(changes, isSet: isSet)
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
