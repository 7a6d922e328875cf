import ArgumentParser
import Foundation
import GRDB
import OData

/// A service with entities that can be changed.
struct ServiceSample {
    let store: SQLiteStore
    private let set: EdmEntitySet
    private let path: String

    init(folder: String, entities: Int, tracksChanges: Bool = false) async throws {
        path = folder + "/service.db"
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(sql: "CREATE TABLE Orders(ID INTEGER PRIMARY KEY, Note TEXT, Amount INTEGER)")
            try db.execute(
                sql: """
                    WITH RECURSIVE ids(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM ids WHERE id + 1 < ?)
                    INSERT INTO Orders SELECT id, 'note ' || id, id % 100 FROM ids
                    """, arguments: [entities])
        }
        try queue.close()
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = tracksChanges
        store = try SQLiteStore(path: path, configuration: configuration)
        guard let set = try await store.model().entitySet(named: "Orders") else { throw ValidationError("No orders.") }
        self.set = set
    }

    func path(to id: Int) -> ResourcePath { ResourcePath(set, key: EntityKey("ID", .integer(Int64(id)))) }

    /// Changes one entity in `step`, at the service.
    func touch(every step: Int, below entities: Int, round: Int) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            try db.execute(
                sql: "UPDATE Orders SET Note = 'touched ' || ? || ' ' || ID WHERE ID % ? = 0 AND ID < ?",
                arguments: [round, step, entities])
        }
        try queue.close()
    }

    /// A store that has downloaded all.
    func store(
        remote: any ODataStore, in folder: String, batchSize: Int = 100, survivesPowerLoss: Bool = true
    ) async throws -> OfflineStore {
        var configuration = OfflineStore.Configuration()
        configuration.changesSurvivePowerLoss = survivesPowerLoss
        configuration.batchSize = batchSize
        configuration.combinesRequests = false
        let store = try OfflineStore(folder: folder, remote: remote, configuration: configuration)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "orders", query: "Orders"))
        try await store.download()
        return store
    }
}

/// A folder that is gone afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "odata-benchmark-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}

/// Seconds that `body` takes.
func seconds(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    let time = start.duration(to: clock.now).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
}

extension [Double] {
    /// The value that the share `part` of all does not exceed; 0.5: the median.
    func quantile(_ part: Double) -> Double { sorted()[Swift.min(count - 1, Int(Double(count) * part))] }
}
