import ArgumentParser
import Foundation
import GRDB
import OData

/// Local updates, one transaction each, beside an insert of the same bytes into a bare SQLite file: both with and
/// without waiting for the disk.
struct QueueBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "queue")

    @Option(help: "How many entities the store has.") var entities = 10_000
    @Option(help: "Updates per round.") var updates = 4_000
    @Option var rounds = 5
    @Flag(help: "Ask for minimal responses: the changed entity is not read.") var minimal = false

    func run() async throws {
        try await withTemporaryFolder(measure)
    }

    private func measure(in folder: String) async throws {
        let service = try await ServiceSample(folder: folder, entities: entities)
        for isSynchronised in [false, true] {
            let store = try await service.store(
                remote: service.store, in: folder + "/store-\(isSynchronised)", survivesPowerLoss: isSynchronised)
            var rates: (ours: [Double], bare: [Double]) = ([], [])
            for round in 0..<rounds {
                rates.ours.append(try await queued(in: store, of: service, round: round))
                rates.bare.append(
                    try await bare(folder + "/bare-\(isSynchronised)-\(round).db", isSynchronised: isSynchronised))
            }
            try store.close()
            let (ours, bare) = (rates.ours.quantile(0.5), rates.bare.quantile(0.5))
            print(
                String(
                    format: "%@: %.0f updates per second queued, %.0f rows in bare SQLite, ratio %.2f",
                    isSynchronised ? "full synchronisation" : "in the system's cache", ours, bare, ours / bare))
        }
    }

    private func queued(in store: OfflineStore, of service: ServiceSample, round: Int) async throws -> Double {
        try await rate { number in
            let path = service.path(to: (round * updates + number) % entities)
            let payload = EntityPayload(["Note": .string("change \(round) \(number)")])
            var change = ChangeRequest(path, .update(payload))
            if minimal { change.returnPreference = .minimal }
            _ = try await store.change(change)
        }
    }

    private func bare(_ path: String, isSynchronised: Bool) async throws -> Double {
        let pool = try DatabasePool(path: path)
        try await pool.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA synchronous = \(isSynchronised ? "FULL" : "NORMAL");
                    CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT)
                    """)
        }
        let rate = try await rate { number in
            try await pool.write { db in
                try db.execute(sql: "INSERT INTO t(body) VALUES (?)", arguments: [#"{"Note":"change 1 \#(number)"}"#])
            }
        }
        try pool.close()
        return rate
    }

    /// How many updates were made in a second.
    private func rate(_ body: (Int) async throws -> Void) async throws -> Double {
        Double(updates) / (try await seconds { for number in 0..<updates { try await body(number) } })
    }
}
