import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// Removes an entry from the error archive: its request waits again, and so do the requests that were held because
    /// of it. If the service has changed the entity meanwhile (409, 412, 428) and an upload or download has received
    /// that version, the request is sent with its ETag, as for ``ConflictResolution/mine``; otherwise with the old one,
    /// so that a download is needed first. The entries of a change set are retried together. The next upload determines
    /// the outcome of an unconfirmed request.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `conflict` while a download or upload runs.
    public func retry(errorID: Int64) async throws {
        try await changingQueue("retrying") { try ErrorRepair(context: $0).retry(errorID) }
    }

    /// Replaces the body or the headers of an entry's request, and lets it wait again as ``retry(errorID:)``. The
    /// entity has the new values at once, with those of later requests applied to them.
    ///
    /// - Parameters:
    ///   - errorID: The ``ErrorEntry/id``.
    ///   - payload: Replaces the whole body of a create or update; nil keeps the body. A create may thus get another
    ///     key. Nested entities have their own requests and are not allowed.
    ///   - headers: Replaces all headers of the app; nil keeps them.
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `badRequest` if the properties do not fit the
    ///   entity or the request has no such body, `conflict` if there is an entity with the new key already, the body
    ///   names an entity that a later request creates, the request is unconfirmed (``decide(requestID:_:)`` first), or
    ///   a download or upload runs. Nothing is changed then.
    public func edit(errorID: Int64, payload: EntityPayload?, headers: [HeaderField]? = nil) async throws {
        try await changingQueue("editing") {
            try ErrorRepair(context: $0).edit(errorID, payload: payload, headers: headers)
        }
    }

    /// Replaces the arguments of an entry's action, and lets it wait again.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `badRequest` if its request does not call an
    ///   action, `conflict` if the arguments name an entity that a later request creates, the request is unconfirmed,
    ///   or a download or upload runs.
    public func edit(errorID: Int64, arguments: EdmComplexValue, headers: [HeaderField]? = nil) async throws {
        try await changingQueue("editing") {
            try ErrorRepair(context: $0).edit(errorID, arguments: arguments, headers: headers)
        }
    }

    /// As ``edit(errorID:payload:headers:)`` or ``edit(errorID:arguments:headers:)``, with the body as JSON.
    ///
    /// - Throws: ``ODataError`` as those do; `badRequest` with the property or parameter in error.
    public func edit(errorID: Int64, json: String, headers: [HeaderField]? = nil) async throws {
        try await changingQueue("editing") {
            try ErrorRepair(context: $0).edit(errorID, json: json, headers: headers)
        }
    }

    /// Replaces the content of an entry's request, the creation of a media entity or the change of a stream, and lets
    /// it wait again.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `badRequest` if its request does not send a
    ///   stream, `tooLarge` or `unsupportedMediaType` if the metadata do not allow the content, `storage` if it cannot
    ///   be kept, `conflict` if the request is unconfirmed, or a download or upload runs.
    public func edit(errorID: Int64, content: MediaContent) async throws {
        try await streams.writing {
            let stored = try await streams.store(content)
            try await changingQueue("editing") {
                try ErrorRepair(context: $0).edit(errorID, content: stored, type: content.contentType)
            }
        }
        try await streams.collect()
    }

    /// Discards the request of an entry, with its change set if it has one: the changed properties get the values of
    /// the last download, unless another waiting request has changed them too. Requests that were held because of it
    /// are sent with the next upload.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `conflict` if requests for other entities depend
    ///   on it (undo includes them), it is unconfirmed, or a download or upload runs.
    public func skip(errorID: Int64) async throws {
        try await changingQueue("skipping") { try ErrorRepair(context: $0).skip(errorID) }
    }

    /// Undoes the request of an entry and all dependent requests: see ``undo(_:force:)``. Deleting the entry (`DELETE
    /// ErrorArchive(5)`) does the same.
    ///
    /// - Parameters:
    ///   - errorID: The ``ErrorEntry/id``.
    ///   - force: Whether unconfirmed requests are undone too.
    /// - Throws: ``ODataError`` as ``undo(_:force:)``.
    @discardableResult
    public func undo(errorID: Int64, force: Bool = false) async throws -> UndoPlan {
        try await changingQueue("undoing") { try ErrorRepair(context: $0).undo(errorID, force: force) }
    }

    /// The changes that ``undo(errorID:force:)`` would remove.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry.
    public func undoPlan(errorID: Int64) async throws -> UndoPlan {
        let entry = try await database.reading { [offline = try offlineModel()] db in
            try ErrorArchive(db: db, offline: offline).entry(errorID)
        }
        return try await undoPlan(.request(entry.requestID))
    }
}
