import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// Takes an entry out of the error archive: its request waits again, and so do those that were held because of
    /// it. Where its entity was changed at the service meanwhile (409, 412, 428) and that version has been seen here,
    /// by the upload or a later download, it is sent with the ETag of that version, as ``ConflictResolution/mine`` would; else
    /// with the old one, so that a download comes first. The entries of a change set go together. What became of a
    /// request that is still unconfirmed is found out by the next upload.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `conflict` while a download or upload runs.
    public func retry(errorID: Int64) async throws {
        try await changingQueue("retrying") { try ErrorRepair(context: $0).retry(errorID) }
    }

    /// Gives the request of an entry another body or other headers, and lets it wait again as ``retry(errorID:)``. The
    /// entity shows the new values at once, with those of later requests on top.
    ///
    /// - Parameters:
    ///   - errorID: The ``ErrorEntry/id``.
    ///   - payload: In the place of the whole body, of a create or update; nil: the body stays. A create may get
    ///     another key that way. Nested entities have requests of their own and cannot be given.
    ///   - headers: In the place of all headers of the app's own; nil: they stay.
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `badRequest` if the properties do not fit the
    ///   entity or the request has no such body, `conflict` if there is an entity with the new key already, the body
    ///   names an entity that a later request creates, the request is unconfirmed (``decide(requestID:_:)`` first), or
    ///   a download or upload runs. Nothing is changed then.
    public func edit(errorID: Int64, payload: EntityPayload?, headers: [HeaderField]? = nil) async throws {
        try await changingQueue("editing") {
            try ErrorRepair(context: $0).edit(errorID, payload: payload, headers: headers)
        }
    }

    /// Gives the action of an entry other arguments, and lets it wait again.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `badRequest` if its request calls no action,
    ///   `conflict` if the arguments name an entity that a later request creates, the request is unconfirmed, or a
    ///   download or upload runs.
    public func edit(errorID: Int64, arguments: EdmComplexValue, headers: [HeaderField]? = nil) async throws {
        try await changingQueue("editing") {
            try ErrorRepair(context: $0).edit(errorID, arguments: arguments, headers: headers)
        }
    }

    /// As ``edit(errorID:payload:headers:)`` or ``edit(errorID:arguments:headers:)``, with the body as JSON.
    ///
    /// - Throws: ``ODataError`` as those do; `badRequest` that tells the property or parameter at fault too.
    public func edit(errorID: Int64, json: String, headers: [HeaderField]? = nil) async throws {
        try await changingQueue("editing") {
            try ErrorRepair(context: $0).edit(errorID, json: json, headers: headers)
        }
    }

    /// Gives the request of an entry, the creation of a media entity or the change of a stream, other content, and
    /// lets it wait again.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `badRequest` if its request sends no stream,
    ///   `tooLarge` or `unsupportedMediaType` if the metadata do not allow the content, `storage` if it cannot be kept,
    ///   `conflict` if the request is unconfirmed, or a download or upload
    ///   runs.
    public func edit(errorID: Int64, content: MediaContent) async throws {
        try await streams.writing {
            let stored = try await streams.store(content)
            try await changingQueue("editing") {
                try ErrorRepair(context: $0).edit(errorID, content: stored, type: content.contentType)
            }
        }
        try await streams.collect()
    }

    /// Gives the request of an entry up, with its change set if it has one, and nothing else: what was changed
    /// becomes what the last download has brought, unless a request that waits has changed it too. Requests that were
    /// held because of it are sent with the next upload.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry, `conflict` if requests for other entities depend
    ///   on it (undo takes them along), it is unconfirmed, or a download or upload runs.
    public func skip(errorID: Int64) async throws {
        try await changingQueue("skipping") { try ErrorRepair(context: $0).skip(errorID) }
    }

    /// Undoes the request of an entry with all that depends on it: see ``undo(_:force:)``. Deleting the entry
    /// (`DELETE ErrorArchive(5)`) does the same.
    ///
    /// - Parameters:
    ///   - errorID: The ``ErrorEntry/id``.
    ///   - force: Takes requests back too that may have been executed.
    /// - Throws: ``ODataError`` as ``undo(_:force:)``.
    @discardableResult
    public func undo(errorID: Int64, force: Bool = false) async throws -> UndoPlan {
        try await changingQueue("undoing") { try ErrorRepair(context: $0).undo(errorID, force: force) }
    }

    /// What ``undo(errorID:force:)`` would drop.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such entry.
    public func undoPlan(errorID: Int64) async throws -> UndoPlan {
        let entry = try await database.reading { [offline = try offlineModel()] db in
            try ErrorArchive(db: db, offline: offline).entry(errorID)
        }
        return try await undoPlan(.request(entry.requestID))
    }
}
