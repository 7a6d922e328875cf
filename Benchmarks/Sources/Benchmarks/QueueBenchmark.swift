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
    @Flag(help: "Without waiting for the disk only.") var cached = false
    @Flag(help: "Ask for minimal responses: the changed entity is not read.") var minimal = false

    func run() async throws {
        try await withTemporaryFolder(measure)
    }

    private func measure(in folder: String) async throws {
        let service = try await ServiceSample(folder: folder, entities: entities)
        for isSynchronised in cached ? [false] : [false, true] {
            let store = try await service.store(
                remote: service.store, in: folder + "/store-\(isSynchronised)", survivesPowerLoss: isSynchronised)
            var rates: (ours: [Rate], bare: [Rate]) = ([], [])
            for round in 0..<rounds {
                rates.ours.append(try await queued(in: store, of: service, round: round))
                rates.bare.append(
                    try await bare(folder + "/bare-\(isSynchronised)-\(round).db", isSynchronised: isSynchronised))
            }
            try store.close()
            let ratios = zip(rates.ours, rates.bare).map {
                ($0.perSecond / $1.perSecond, $0.ofProcessor / $1.ofProcessor)
            }
            print(
                String(
                    format: "%@: %.0f updates per second queued, %.0f rows in bare SQLite, ratio %.2f; "
                        + "per second of the processor %.0f and %.0f, ratio %.2f",
                    isSynchronised ? "full synchronisation" : "in the system's cache",
                    rates.ours.map(\.perSecond).quantile(0.5), rates.bare.map(\.perSecond).quantile(0.5),
                    ratios.map(\.0).quantile(0.5), rates.ours.map(\.ofProcessor).quantile(0.5),
                    rates.bare.map(\.ofProcessor).quantile(0.5), ratios.map(\.1).quantile(0.5)))
        }
    }

    /// How many changes were made in a second, and in a second of the processor.
    private struct Rate {
        var perSecond: Double
        var ofProcessor: Double
    }

    private func queued(in store: OfflineStore, of service: ServiceSample, round: Int) async throws -> Rate {
        try await rate { number in
            let path = service.path(to: (round * updates + number) % entities)
            let payload = EntityPayload(["Note": .string("change \(round) \(number)")])
            var change = ChangeRequest(path, .update(payload))
            if minimal { change.returnPreference = .minimal }
            _ = try await store.change(change)
        }
    }

    private func bare(_ path: String, isSynchronised: Bool) async throws -> Rate {
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

    private func rate(_ body: (Int) async throws -> Void) async throws -> Rate {
        let start = ProcessorTime.now
        let time = try await seconds { for number in 0..<updates { try await body(number) } }
        return Rate(perSecond: Double(updates) / time, ofProcessor: Double(updates) / (ProcessorTime.now - start))
    }
}
