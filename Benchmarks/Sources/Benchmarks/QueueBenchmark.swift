import ArgumentParser
import Foundation
import GRDB
import OData

/// Local updates, one durable transaction each, beside an insert of the same bytes into a bare SQLite file with full
/// synchronisation.
struct QueueBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "queue")

    @Option(help: "How many entities the store has.") var entities = 10_000
    @Option(help: "Updates per round.") var updates = 4_000
    @Option var rounds = 5

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-queue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let service = try await UploadSample(folder: folder, entities: entities)
        let store = try await service.store(remote: service.store, in: folder + "/store")
        var rates: (ours: [Double], bare: [Double]) = ([], [])
        for round in 0..<rounds {
            rates.ours.append(
                try await rate(updates) { number in
                    let path = service.path(to: (round * updates + number) % entities)
                    _ = try await store.change(
                        ChangeRequest(path, .update(EntityPayload(["Note": .string("change \(round) \(number)")]))))
                })
            rates.bare.append(try await bare(folder + "/bare-\(round).db"))
        }
        let (ours, bare) = (rates.ours.sorted()[rounds / 2], rates.bare.sorted()[rounds / 2])
        print("updates per second, one transaction each, fully synchronised; median of \(rounds) rounds of \(updates)")
        print(String(format: "queue %.0f, bare SQLite %.0f, ratio %.2f", ours, bare, ours / bare))
    }

    private func bare(_ path: String) async throws -> Double {
        let pool = try DatabasePool(path: path)
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT)")
        }
        let rate = try await rate(updates) { number in
            try await pool.write { db in
                try db.execute(
                    sql: "INSERT INTO t(body) VALUES (?)", arguments: [#"{"Note":"change 1 \#(number)"}"#])
            }
        }
        try pool.close()
        return rate
    }
}

/// How often a second `body` was done, `count` times in all.
func rate(_ count: Int, _ body: (Int) async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<count { try await body(number) }
    let time = start.duration(to: clock.now).components
    return Double(count) / (Double(time.seconds) + Double(time.attoseconds) / 1e18)
}
