import ArgumentParser
import Foundation
import GRDB
import HTTPTypes
import OData
import ODataService
import ODataTesting

/// Uploads in batches beside uploads one by one, over a link that answers late.
struct UploadBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "upload")

    @Option(help: "Updates that are uploaded in a round.") var updates = 1_000
    @Option(help: "Requests of a batch.") var batch = 1_000
    @Option(help: "Milliseconds that each answer comes late.") var delay = 20
    @Option var rounds = 3

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-upload-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let service = try await UploadSample(folder: folder, entities: updates)
        let transport = InProcessTransport(service: ODataService(store: service.store))
            .with([DelayMiddleware(milliseconds: delay)])
        let remote = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        var times: (batched: [Double], single: [Double]) = ([], [])
        for round in 0..<rounds {
            times.batched.append(try await upload(batch, remote, service, folder + "/batched-\(round)"))
            times.single.append(try await upload(1, remote, service, folder + "/single-\(round)"))
        }
        let (batched, single) = (times.batched.sorted()[rounds / 2], times.single.sorted()[rounds / 2])
        print("\(updates) updates, answers \(delay) ms late, median of \(rounds) rounds")
        print(
            String(
                format: "batches of %d: %.2f s, one by one: %.2f s, %.1f × as fast", batch, batched, single,
                single / batched))
    }

    /// Seconds of an upload.
    private func upload(
        _ size: Int, _ remote: OnlineStore, _ service: UploadSample, _ folder: String
    ) async throws -> Double {
        let store = try await service.store(remote: remote, in: folder, batchSize: size)
        for number in 0..<updates {
            let payload = EntityPayload(["Note": .string("\(folder.suffix(12)) \(number)")])
            _ = try await store.change(ChangeRequest(service.path(to: number), .update(payload)))
        }
        let rate = try await rate(1) { _ in
            guard try await store.upload().isComplete else { throw ValidationError("Not all was sent.") }
        }
        try store.close()
        return 1 / rate
    }
}

/// A service with entities that can be changed.
struct UploadSample {
    let store: SQLiteStore
    private let set: EntitySet

    init(folder: String, entities: Int) async throws {
        let path = folder + "/service.db"
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(sql: "CREATE TABLE Orders(ID INTEGER PRIMARY KEY, Note TEXT, Amount INTEGER)")
            for id in 0..<entities {
                try db.execute(sql: "INSERT INTO Orders VALUES (?, ?, ?)", arguments: [id, "note \(id)", id % 100])
            }
        }
        try queue.close()
        store = try SQLiteStore(path: path)
        guard let set = try await store.model().entitySet(named: "Orders") else { throw ValidationError("No orders.") }
        self.set = set
    }

    func path(to id: Int) -> ResourcePath { ResourcePath(set, key: EntityKey("ID", .integer(Int64(id)))) }

    /// A store that has downloaded all.
    func store(remote: any ODataStore, in folder: String, batchSize: Int = 100) async throws -> OfflineStore {
        var configuration = OfflineStore.Configuration()
        configuration.batchSize = batchSize
        configuration.combinesRequests = false
        let store = try OfflineStore(folder: folder, remote: remote, configuration: configuration)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "orders", query: "Orders"))
        try await store.download()
        return store
    }
}

/// Each answer comes late, as over a mobile network: what batches save is the waiting, which there is none of inside a
/// process.
struct DelayMiddleware: HTTPMiddleware {
    var milliseconds: Int

    func intercept(_ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport) async throws -> HTTPReply {
        try await Task.sleep(for: .milliseconds(milliseconds))
        return try await next.send(request, body: body)
    }
}
