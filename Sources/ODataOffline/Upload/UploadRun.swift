import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Sends the queue: one request at a time, in order.
struct UploadRun {
    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let progress: @Sendable (UploadProgress) -> Void
    private var gate = DependencyGate()
    private var report = UploadReport()
    /// How often conflicts of a request were decided: an entity may change again and again.
    private var rounds: [Int64: Int] = [:]
    private static let maximumRounds = 5

    init(
        store: OfflineStore, offline: OfflineModel, remote: any ODataStore,
        progress: @escaping @Sendable (UploadProgress) -> Void
    ) {
        self.store = store
        self.offline = offline
        self.remote = remote
        self.progress = progress
    }

    /// - Throws: ``ODataError`` that concerns more than one request; what follows stays unsent.
    mutating func run() async throws -> UploadReport {
        let count = try await store.database.reading { try RequestQueue(db: $0).all().count }
        var last: Int64 = 0
        while let record = try await next(after: last) {
            last = record.id
            progress(UploadProgress(requests: count, done: done, current: QueueEntry(record)))
            guard !Task.isCancelled else {
                throw ODataError(.cancelled, "The upload was cancelled; what is not sent stays in the queue.")
            }
            try await send(record)
        }
        progress(UploadProgress(requests: count, done: done))
        return report
    }

    private func next(after id: Int64) async throws -> QueueRecord? {
        try await store.database.reading { try RequestQueue(db: $0).next(after: id) }
    }

    private var done: Int { report.succeeded.count + report.failed.count + report.held.count + report.givenUp.count }

    private mutating func send(_ record: QueueRecord) async throws {
        let references = try await store.database.reading { try RequestQueue(db: $0).references(of: record.id) }
        guard gate.lets(record.row, references: references) else { return try await hold(record) }
        let request: ChangeRequest
        do { request = try await prepare(record) } catch let error as ODataError where error.code != .storage {
            return try await fail(record, error)
        }
        do {
            let result = try await remote.change(request)
            try await succeed(record, result)
        } catch let error as ODataError {
            try await settle(record, request, error)
        } catch {
            // Whether it was executed is not known: the request stays as sent.
            throw ODataError(
                .cancelled, "The upload was cut off; the request is sent again with the next one.", cause: error)
        }
    }

    /// Writes the request out and notes that it may reach the service from now on: one transaction.
    private func prepare(_ record: QueueRecord) async throws -> ChangeRequest {
        try await store.database.writingDurably { [offline, media = store.media] db in
            let request = try RequestWriter(db: db, offline: offline, media: media).request(record)
            try RequestQueue(db: db).setLine(RequestLine(db: db, offline: offline).line(of: record), of: record.id)
            try RequestQueue(db: db).markSent(record.id)
            return request
        }
    }

    private mutating func settle(_ record: QueueRecord, _ request: ChangeRequest, _ error: ODataError) async throws {
        if error.isOutcomeUnknown { throw error.code == .unreachable ? error : unanswered(error) }
        switch error.code {
        case .unreachable, .unauthorized, .cancelled, .storage, .busy:
            try await finish { db, _ in
                try RequestQueue(db: db).setState(record.state == .unconfirmed ? .unconfirmed : .waiting, of: record.id)
            }
            throw error
        case .notFound where record.operation == .delete, .gone where record.operation == .delete:
            try await succeed(record, ChangeResult(.deleted))
        default:
            if record.state == .unconfirmed, let result = await Probe(remote: remote).confirm(request, error) {
                return try await succeed(record, result)
            }
            try await refused(record, error)
        }
    }

    /// A conflict may be decided, and its requests be sent again.
    private mutating func refused(_ record: QueueRecord, _ error: ODataError) async throws {
        guard rounds[record.id, default: 0] < Self.maximumRounds else { return try await fail(record, error) }
        rounds[record.id, default: 0] += 1
        switch try await ConflictDesk(store: store, offline: offline, remote: remote).resolve(record, error) {
        case .held: try await fail(record, error)
        case .givenUp(let requests): report.givenUp += requests
        case .again: if let next = try await next(after: record.id - 1) { try await send(next) }
        }
    }

    private func unanswered(_ error: ODataError) -> ODataError {
        var failure = ODataError(
            .unreachable,
            "No answer came: the request may have been executed and is sent again with the next upload. "
                + error.message, cause: error)
        failure.request = error.request
        return failure
    }

    private mutating func succeed(_ record: QueueRecord, _ result: ChangeResult) async throws {
        let result = await completed(result, record)
        try await finish { db, context in
            try AnswerApplication(context: context, record: record).apply(result)
        }
        report.succeeded.append(QueueEntry(record))
    }

    /// The entity is read if the service did not send it: the store must have its ETag and computed values.
    private func completed(_ result: ChangeResult, _ record: QueueRecord) async -> ChangeResult {
        guard record.operation != .delete, result.outcome != .deleted || record.operation != .create else {
            return result
        }
        guard result.entity == nil else { return result }
        var result = result
        let known = try? await store.database.writing { [offline] db in
            try RequestLine(db: db, offline: offline).entityPath(.init(set: record.set, row: record.row))
        }
        let isNew = record.operation == .create || record.operation == .createMedia
        let set = offline.model.entitySet(named: record.set)
        let given = set.flatMap { set in
            result.entityID.flatMap { offline.key(inID: $0, of: set) }.map { ResourcePath(set, key: $0) }
        }
        guard let path = result.path ?? (isNew ? given : known ?? nil) else { return result }
        result.path = path
        result.entity = await Probe(remote: remote).entity(at: path)
        return result
    }

    private mutating func fail(_ record: QueueRecord, _ error: ODataError) async throws {
        let entry = try await finish { [offline] db, context in
            let line = (try? RequestLine(db: db, offline: offline).line(of: record)) ?? (record.method, record.url)
            try RequestQueue(db: db).setState(.failed, of: record.id)
            try RequestQueue(db: db).renew(record.id, as: context.repeatability())
            try ErrorArchive(db: db, offline: offline).add(error, of: record, line: line, at: context.time.column)
            return try Row.fetchOne(db, sql: #"SELECT * FROM "$error" WHERE "entry" = ?"#, arguments: [record.id])
                .map(ErrorEntry.init)
        }
        if let entry { report.failed.append(entry) }
        try await close(record)
    }

    private mutating func hold(_ record: QueueRecord) async throws {
        if record.state != .unconfirmed {
            try await finish { db, _ in try RequestQueue(db: db).setState(.held, of: record.id) }
        }
        var entry = QueueEntry(record)
        entry.state = .held
        report.held.append(entry)
        try await close(record)
    }

    private mutating func close(_ record: QueueRecord) async throws {
        // Not as a read, which a cancelled task does not get.
        let state = try await store.database.writing { [offline] db in
            try offline.schema.tables[record.set].flatMap { try RowLookup(db: db, table: $0).state(of: record.row) }
        }
        gate.close(record.row, isMadeHere: state?.contains(.madeHere) ?? true)
    }

    /// Records what the service has answered, though the task was cancelled.
    @discardableResult
    private func finish<Result: Sendable>(
        _ body: @escaping @Sendable (Database, ChangeContext) throws -> Result
    ) async throws -> Result {
        try await store.database.writingDurably { [offline, configuration = store.configuration] db in
            try body(db, ChangeContext(db: db, offline: offline, configuration: configuration))
        }
    }
}
