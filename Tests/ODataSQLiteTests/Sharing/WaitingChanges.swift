import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

@testable import ODataSQLite

/// A file with what can refuse a change, and changes that wait at the same time for the connection that writes.
final class WaitingChanges: Sendable {
    static let sql = """
        CREATE TABLE Item(ID INTEGER PRIMARY KEY, Name TEXT NOT NULL UNIQUE, Amount INTEGER CHECK (Amount >= 0),
          OwnerID INTEGER REFERENCES Owner, LaterID INTEGER REFERENCES Owner DEFERRABLE INITIALLY DEFERRED);
        CREATE TABLE Owner(ID INTEGER PRIMARY KEY, Code TEXT UNIQUE ON CONFLICT ROLLBACK);
        CREATE TABLE Photo(ID INTEGER PRIMARY KEY, Content BLOB);
        CREATE TRIGGER refused BEFORE INSERT ON Item WHEN NEW.Name LIKE 'refused%' BEGIN
          SELECT CASE NEW.Name WHEN 'refused, rolled back' THEN RAISE(ROLLBACK, 'all of it')
            WHEN 'refused, aborted' THEN RAISE(ABORT, 'this')
            WHEN 'refused, failed' THEN RAISE(FAIL, 'the rest') ELSE RAISE(IGNORE) END;
        END;
        CREATE TRIGGER slow BEFORE INSERT ON Item WHEN NEW.Name = 'slow' BEGIN
          SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);
        END;
        INSERT INTO Owner(ID, Code) VALUES (1, 'A'), (2, 'B');
        INSERT INTO Photo VALUES (1, x'00');
        INSERT INTO Item(ID, Name, Amount) VALUES (1, 'first', 0), (2, 'second', 0);
        """

    let file: SampleFile
    let store: SQLiteStore
    private let commits: CommitCounter

    /// How often transactions were committed.
    var commitCount: Int { commits.count }

    /// - Parameter willCommit: Called before each commit, which fails if it throws.
    init(
        _ sql: String = WaitingChanges.sql, willCommit: @escaping @Sendable () throws -> Void = {},
        configure: (inout SQLiteStore.Configuration) -> Void = { _ in }
    ) throws {
        file = try SampleFile(sql)
        store = try file.store { configuration in
            configuration.sharedTransactionTime = .seconds(3600)
            configure(&configuration)
        }
        commits = CommitCounter(willCommit)
        store.pool.add(transactionObserver: commits)
    }

    deinit { try? store.close() }

    func request(
        _ target: String, _ operation: ChangeRequest.Operation, configure: (inout ChangeRequest) -> Void = { _ in }
    ) throws -> ChangeRequest {
        var request = ChangeRequest(try store.path(target), operation)
        configure(&request)
        return request
    }

    func create(_ set: String = "Item", _ properties: EdmComplexValue) throws -> ChangeRequest {
        try request(set, .create(EntityPayload(properties)))
    }

    /// Items with the keys from 100 and the names `n0`, `n1`, …
    ///
    /// - Parameter size: How many characters the names have besides.
    func creations(_ count: Int64, size: Int = 0) throws -> [ChangeRequest] {
        try (0..<count).map { number in
            let name = "n\(number)" + String(repeating: "x", count: size)
            return try create("Item", ["ID": .integer(100 + number), "Name": .string(name)])
        }
    }

    func repeatability(_ id: String) -> RepeatabilityHeaders {
        let now = EdmDateTimeOffset(secondsSinceEpoch: store.configuration.now())
        return RepeatabilityHeaders(requestID: id, firstSent: now.httpDate)
    }

    /// Holds the connection until all of `requests` wait, in their order, and calls `meanwhile` before they begin.
    func outcomes(
        of requests: [ChangeRequest],
        meanwhile: @Sendable ([Task<ChangeResult, any Error>]) async throws -> Void = { _ in }
    ) async throws -> [Outcome] {
        let tasks = try await store.whileWriterIsBusy {
            var tasks: [Task<ChangeResult, any Error>] = []
            for request in requests {
                let task = Task { [store] in try await store.change(request) }
                tasks.append(task)
                while store.opened.waiting.count < tasks.count { await Task.yield() }
            }
            try await meanwhile(tasks)
            return tasks
        }
        var outcomes: [Outcome] = []
        for task in tasks { outcomes.append(Outcome(await task.result)) }
        return outcomes
    }
}

/// What a caller got.
enum Outcome: Hashable, CustomStringConvertible {
    case done(String?, etag: String?)
    case failed(ODataError.Code, String)

    init(_ result: Result<ChangeResult, any Error>) {
        switch result {
        case .success(let result): self = .done(result.entityID, etag: result.etag)
        case .failure(let error as ODataError): self = .failed(error.code, error.message)
        case .failure(let error): self = .failed(ODataError.Code("\(type(of: error))"), "\(error)")
        }
    }

    var isDone: Bool { if case .done = self { true } else { false } }
    var code: ODataError.Code? { if case .failed(let code, _) = self { code } else { nil } }
    var etag: String? { if case .done(_, let etag) = self { etag } else { nil } }

    var description: String {
        switch self {
        case .done(let id, let etag): "\(id ?? "done") \(etag ?? "")"
        case .failed(let code, let message): "\(code): \(message)"
        }
    }
}

/// Counts commits of the connection that writes, and can make them fail.
private final class CommitCounter: TransactionObserver, Sendable {
    private let commits = Mutex(0)
    private let willCommit: @Sendable () throws -> Void

    var count: Int { commits.withLock { $0 } }

    init(_ willCommit: @escaping @Sendable () throws -> Void) { self.willCommit = willCommit }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { try willCommit() }
    func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: Database) {}
}
