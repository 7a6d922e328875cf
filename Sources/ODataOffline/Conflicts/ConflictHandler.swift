import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Resolves conflicts: reads the service's version, calls the resolver, and applies its resolution.
struct ConflictHandler: Sendable {
    /// The changes of the queue by a resolution.
    struct Decision: Sendable {
        var givenUp: [QueueEntry] = []
        /// New requests.
        var made: [UploadItem] = []
        /// The remaining requests, whose dependencies may have changed.
        var changed: [UploadItem] = []
    }

    /// The outcome for a refused request.
    enum Outcome: Sendable {
        /// It is moved to the error archive, with this error.
        case held(ODataError)
        /// The service has the version that the request was made for: the refusal was not because of the ETag.
        case unchanged
        /// It was discarded, or waits again, possibly as another request, and can be sent in the same upload.
        case settled(Decision)
    }

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore

    /// Called if the service has refused a request, or its change set: determines whether the service has changed the
    /// entity. While the resolver runs the requests stay in flight, so that no change modifies them.
    ///
    /// - Throws: ``ODataError`` `unreachable` and the like, if the service cannot be asked for its version.
    func resolve(_ outgoing: OutgoingUnit, _ error: ODataError) async throws -> Outcome {
        let place = outgoing.place(of: error)
        let record = outgoing.records[place]
        guard error.mayBeConflict(of: record) else { return .held(error) }
        let found = try await reading { context -> (row: EntityRow, path: ResourcePath, etag: String?)? in
            guard let table = context.schema.tables[record.set],
                let row = try? context.row(record.row, in: table), !row.state.contains(.temporaryKey)
            else { return nil }
            let etag = try String.fromDatabaseValue(context.storedValue(of: HiddenColumn.etag.name, of: row))
            return try (row, context.path(of: row), etag)
        }
        guard let (row, path, etag) = found else { return .held(error) }
        let version: ServiceVersion
        do { version = try await ServiceVersion.read(path, from: remote) } catch let failure as ODataError {
            guard failure.endsUpload else { return .held(error.withUnknownVersion(failure)) }
            throw failure
        }
        if record.mechanism?.namesRequests == true, error.code == .preconditionFailed,
            case .entity(_, let newer?) = version, newer == outgoing.request(of: error).ifMatch
        {
            return .unchanged
        }
        guard version.differs(from: etag, error, isMadeHere: row.state.contains(.madeHere)) else { return .held(error) }
        return try await resolve(version, of: row, outgoing, error)
    }

    private func resolve(
        _ version: ServiceVersion, of row: EntityRow, _ outgoing: OutgoingUnit, _ error: ODataError
    ) async throws -> Outcome {
        let conflict = try await writing { context in
            try version.keep(for: row, in: context)
            let row = try context.row(row.id, in: row.table)
            return try ChangeConflict(.upload, row, error: error, in: context)
        }
        store.observation.note(conflict)
        let resolution = await store.configuration.conflictResolver(of: conflict.entitySet).resolution(of: conflict)
        let settled = Set(outgoing.records.map(\.id))
        do {
            return try await writing { context in
                let row = try context.row(row.id, in: row.table)
                let settlement = ConflictSettlement(
                    context: context, row: row, last: conflict.requests.last?.id ?? 0, settled: settled)
                let removals = try settlement.removals().map(QueueEntry.init)
                guard let made = try settlement.settle(resolution) else { return .held(error) }
                let items = { (ids: [Int64]) in try ids.compactMap(context.queue.record).map(UploadItem.init) }
                let changed = try items(conflict.requests.map(\.id))
                let left = Set(changed.map(\.id))
                let dropped = try removals.filter { try context.queue.record($0.id) == nil }
                return .settled(
                    Decision(
                        givenUp: conflict.requests.filter { !left.contains($0.id) } + dropped, made: try items(made),
                        changed: changed))
            }
        } catch let failure as ODataError where !failure.endsUpload {
            return .held(failure.ofResolution(of: conflict))
        }
    }

    /// A read that a cancellation of the task does not stop.
    private func reading<Result: Sendable>(
        _ body: @escaping @Sendable (StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await store.database.readingToEnd { [offline, configuration = store.configuration] db in
            try body(StoreTransaction(db: db, offline: offline, configuration: configuration))
        }
    }

    /// A transaction that a cancellation of the task does not stop.
    private func writing<Result: Sendable>(
        _ body: @escaping @Sendable (StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await store.database.writingDurably { [offline, configuration = store.configuration] db in
            try body(StoreTransaction(db: db, offline: offline, configuration: configuration))
        }
    }
}

extension ConflictHandler {
    /// Called after a download: resolves conflicts of entities with waiting changes that have a newer version or were
    /// deleted, in sets with a resolver. Entities with an unconfirmed request are left to the upload.
    func resolveDownloaded() async throws {
        for set in offline.schema.tables.keys.sorted()
        where !store.configuration.conflictResolver(of: set).isHold {
            let table = try offline.schema.table(named: set)
            for id in try await store.database.reading({ db in try Self.rows(in: db, table) }) {
                try await resolveDownloaded(id, table)
            }
        }
    }

    /// Rows with waiting changes that have a newer version or were deleted.
    static func rows(in db: Database, _ table: LocalTable) throws -> [Int64] {
        guard try db.tableExists(table.name), try db.tableExists(table.theirsName) else { return [] }
        let waiting = LocalState([.madeHere, .pending]).rawValue
        // Without ETags only the values show whether the version differs.
        let names = [HiddenColumn.etag.name] + table.columns.map(\.name)
        let values = { (alias: String) in names.map { "\(alias).\(quoted($0))" }.joined(separator: ", ") }
        return try Int64.fetchAll(
            db,
            sql: """
                SELECT l.\(.id) FROM \(table.sqlName) AS l
                LEFT JOIN \(quoted(table.theirsName)) AS t ON t.\(.id) = l.\(.id)
                LEFT JOIN \(quoted(table.baseName)) AS b ON b.\(.id) = l.\(.id)
                WHERE l.\(.state) <> 0 AND l.\(.state) & \(waiting) = \(LocalState.pending.rawValue)
                AND (t.\(.id) IS NOT NULL AND (\(values("t"))) IS NOT (\(values("b"))) OR l.\(.state) & \(LocalState.removedThere.rawValue) <> 0)
                AND NOT EXISTS (SELECT 1 FROM \(.queue) AS q
                WHERE q."row" = l.\(.id) AND q."state" IN ('sending', 'unconfirmed'))
                ORDER BY l.\(.id)
                """)
    }

    private func resolveDownloaded(_ id: Int64, _ table: LocalTable) async throws {
        guard try await isReallyGoneOrThere(id, table) else { return }
        let conflict = try await reading { context -> ChangeConflict? in
            guard let row = try? context.row(id, in: table) else { return nil }
            return try ChangeConflict(.download, row, error: nil, in: context)
        }
        guard let conflict, let last = conflict.requests.last?.id else { return }
        store.observation.note(conflict)
        let resolution = await store.configuration.conflictResolver(of: table.set.name).resolution(of: conflict)
        do {
            try await writing { context in
                guard let row = try? context.row(id, in: table) else { return }
                _ = try ConflictSettlement(context: context, row: row, last: last).settle(resolution)
            }
        } catch let failure as ODataError where !failure.endsUpload {
            try await writing { try Self.archive(failure.ofResolution(of: conflict), of: last, in: $0) }
        }
    }

    /// A resolution that cannot be carried out is reported with the refused requests.
    private static func archive(_ error: ODataError, of request: Int64, in context: StoreTransaction) throws {
        guard let record = try context.queue.record(request), !record.state.mayBeExecuted else { return }
        try ErrorArchive(db: context.db, offline: context.offline)
            .refuse(record, error, line: (record.method, record.url), at: context.time.column)
    }

    /// An entity that has only left the result of its query still exists: it has a conflict only if its version has changed.
    private func isReallyGoneOrThere(_ id: Int64, _ table: LocalTable) async throws -> Bool {
        let removed = try await reading { context -> (row: EntityRow, path: ResourcePath, etag: String?)? in
            guard let row = try? context.row(id, in: table), row.state.contains(.removedThere) else { return nil }
            let etag = try String.fromDatabaseValue(context.storedValue(of: HiddenColumn.etag.name, of: row))
            return try (row, context.path(of: row), etag)
        }
        guard let (row, path, etag) = removed else { return true }
        guard let version = try? await ServiceVersion.read(path, from: remote) else { return false }
        guard case .entity(_, let newer) = version else { return true }
        guard newer == nil || newer != etag else { return false }
        return try await writing { context in
            try version.keep(for: row, in: context)
            try NewerVersion.dropUnchanged(of: table, in: context.db)
            return try RowVersions(db: context.db, offline: context.offline).theirs(of: row) != nil
        }
    }
}

extension ChangeConflict {
    init(_ occasion: Occasion, _ row: EntityRow, error: ODataError?, in context: StoreTransaction) throws {
        let versions = RowVersions(db: context.db, offline: context.offline)
        self.occasion = occasion
        entitySet = row.table.set.name
        path = try context.path(of: row).url
        requests = try context.queue.records(changing: row.id).map(QueueEntry.init)
        base = row.state.contains(.madeHere) ? nil : try versions.base(of: row)
        mine = try versions.mine(of: row)
        theirs = row.state.contains(.removedThere) ? nil : try versions.theirs(of: row)
        self.error = error
    }
}

extension ODataError {
    /// Whether the response can mean that the entity differs from the version that the request was made for.
    fileprivate func mayBeConflict(of record: QueueRecord) -> Bool {
        switch code {
        // A creation by PUT finds the entity: `If-None-Match: *`.
        case .preconditionFailed where record.operation == .create: record.mechanism == .conditional
        case .preconditionFailed, .preconditionRequired: !record.operation.isCreation
        case .conflict: record.operation != .createMedia
        case .notFound, .gone: !record.operation.isCreation
        default: false
        }
    }

    /// The service's version could not be read, so the conflict cannot be presented.
    fileprivate func withUnknownVersion(_ failure: ODataError) -> ODataError {
        let hint = """
            What the service has could not be read (\(failure.message)): download, then retry the request, or overwrite \
            that version with it.
            """
        var error = self
        error.message += " " + hint
        error.service?.message += " " + hint
        return error
    }

    /// The error of a resolution that cannot be applied: the requests are moved to the error archive with it.
    fileprivate func ofResolution(of conflict: ChangeConflict) -> ODataError {
        var error = ODataError(
            .conflict, "The resolver's decision for \(conflict.path) cannot be applied: decide again. \(message)",
            cause: self)
        error.status = conflict.error?.status
        error.requestIndex = conflict.error?.requestIndex
        return error
    }
}

extension ServiceVersion {
    /// Whether the version explains that the service refused a request with the ETag `etag`.
    fileprivate func differs(from etag: String?, _ error: ODataError, isMadeHere: Bool) -> Bool {
        guard case .entity(_, let newer) = self else { return !isMadeHere }
        switch error.code {
        // The service has compared the ETags.
        case .preconditionFailed: return true
        // The service requires an ETag that was not known.
        case .preconditionRequired: return newer != etag
        // The entity exists: something else was not found.
        case .notFound, .gone: return false
        default: return isMadeHere || newer != etag
        }
    }
}
