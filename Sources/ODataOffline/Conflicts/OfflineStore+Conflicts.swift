import ODataModel
import ODataStores

extension OfflineStore {
    /// The conflict of a request that waits or is in the error archive: the base version, the local version and the
    /// last known version of the service. Nil if there is none.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request.
    public func conflict(requestID: Int64) async throws -> ChangeConflict? {
        let offline = try offlineModel()
        return try await database.reading { [configuration] db in
            try StoreTransaction(db: db, offline: offline, configuration: configuration).conflict(requestID)
        }
    }

    /// The unresolved conflict of an entity; nil if there is none.
    public func conflict(of id: EntityID) async throws -> ChangeConflict? {
        try await conflicts().first { $0.id == id || $0.path == id.text }
    }

    /// All unresolved conflicts, each once, in the order of the queue.
    public func conflicts() async throws -> [ChangeConflict] {
        let offline = try offlineModel()
        return try await database.reading { [configuration] db in
            try StoreTransaction(db: db, offline: offline, configuration: configuration).conflicts()
        }
    }

    /// Resolves a held conflict: the next upload sends the entity's requests according to the resolution.
    ///
    /// - Throws: ``ODataError`` `notFound` if there is no such request, `badRequest` if the merged properties do not
    ///   fit the entity, `conflict` if the service's version is not known, a request is unconfirmed, or an upload runs.
    public func resolve(requestID: Int64, as resolution: ConflictResolution) async throws {
        try await changingQueue("resolving") { try $0.resolve(requestID, as: resolution) }
    }

    /// Resolves one of ``conflicts()``, as ``resolve(requestID:as:)`` does for one of its requests.
    ///
    /// - Throws: ``ODataError`` `notFound` if all of its requests have left the queue, else as for a request.
    public func resolve(_ conflict: ChangeConflict, as resolution: ConflictResolution) async throws {
        try await changingQueue("resolving") { try $0.resolve(conflict, as: resolution) }
    }
}

extension StoreTransaction {
    fileprivate func conflicts() throws -> [ChangeConflict] {
        var rows: Set<Int64> = []
        return try queue.all().filter { rows.insert($0.row).inserted }.compactMap { try conflict($0.id) }
    }

    fileprivate func conflict(_ request: Int64) throws -> ChangeConflict? {
        guard let row = try row(changedBy: request),
            try row.state.contains(.removedThere) || RowVersions(db: db, offline: offline).theirs(of: row) != nil
        else { return nil }
        // A refused request of the entity has the reason.
        let requests = [request] + (try queue.records(changing: row.id).map(\.id))
        let error = try requests.lazy.compactMap { try ErrorArchive.entry(of: $0, in: db) }.first.map(ODataError.init)
        // Otherwise a download has received the newer version.
        return try ChangeConflict(error == nil ? .download : .upload, row, error: error, in: self)
    }

    /// Nil for an action that is not bound to an entity, and if the entity or its set no longer exists.
    fileprivate func row(changedBy request: Int64) throws -> EntityRow? {
        let record = try queue.known(request)
        guard record.row != 0, let table = schema.tables[record.set],
            let state = try RowLookup(db: db, table: table).state(of: record.row)
        else { return nil }
        return EntityRow(table: table, id: record.row, state: state)
    }

    fileprivate func resolve(_ conflict: ChangeConflict, as resolution: ConflictResolution) throws {
        guard let request = try conflict.requests.first(where: { try queue.record($0.id) != nil }) else {
            throw ODataError(
                .notFound, "\(conflict.path) has no waiting changes: its conflict is resolved already.")
        }
        try resolve(request.id, as: resolution)
    }

    fileprivate func resolve(_ request: Int64, as resolution: ConflictResolution) throws {
        guard let row = try row(changedBy: request) else {
            throw ODataError(.conflict, "The request \(request) does not change an entity: retry it or undo it.")
        }
        let isKnown =
            try row.state.contains(.removedThere) || RowVersions(db: db, offline: offline).theirs(of: row) != nil
        guard isKnown else {
            throw ODataError(
                .conflict, "The service's version of \(try path(of: row).url) is not known: upload or download first.")
        }
        if case .hold = resolution { return }
        let last = try queue.records(changing: row.id).last?.id ?? request
        guard try ConflictSettlement(context: self, row: row, last: last).settle(resolution) != nil else {
            throw ODataError(
                .conflict,
                "The request \(request) cannot be resolved that way: it may have been executed, or does not create an entity."
            )
        }
    }
}

extension ODataError {
    /// The service's error of a request in the error archive.
    fileprivate init(_ entry: ErrorEntry) {
        self.init(Code(refusedWith: entry.status), entry.message)
        status = entry.status
        request = "\(entry.method) \(entry.url)"
        service = ServiceError(
            code: entry.code, message: entry.message, target: entry.target, details: entry.details,
            innerError: entry.innerError)
    }
}

extension ODataError.Code {
    /// The statuses of a conflict.
    fileprivate init(refusedWith status: Int?) {
        switch status {
        case 404: self = .notFound
        case 410: self = .gone
        case 412: self = .preconditionFailed
        case 428: self = .preconditionRequired
        default: self = .conflict
        }
    }
}
