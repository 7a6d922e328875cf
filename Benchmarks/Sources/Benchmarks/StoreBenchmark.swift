import ArgumentParser
import Foundation
import OData
import ODataService
import ODataTesting

/// Small deltas of a small and of a large store, and a comparison of all rows beside their first download. The service
/// responds in this process, in JSON.
struct StoreBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "store")

    @Option(help: "Entities of the large store.") var entities = 1_000_000
    @Option(help: "Entities of the small store.") var few = 10_000
    @Option(help: "Entities that change between two refreshes.") var changes = 100
    @Option var rounds = 5

    func run() async throws {
        try await withTemporaryFolder { folder in
            let small = try await refreshes(few, in: folder + "/few")
            let large = try await refreshes(entities, in: folder + "/all")
            print(
                String(
                    format: "delta of %d changes: %.1f ms of %d entities, %.1f ms of %d, ratio %.2f", changes,
                    small * 1e3, few, large * 1e3, entities, large / small))
            try await compare(in: folder + "/compared")
        }
    }

    /// Seconds of a refresh by delta, the median.
    private func refreshes(_ count: Int, in folder: String) async throws -> Double {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let service = try await ServiceSample(folder: folder, entities: count, tracksChanges: true)
        let store = try await service.store(remote: try remote(service.store), in: folder + "/store")
        var times: [Double] = []
        for round in 0..<rounds {
            try await service.touch(every: count / changes, below: count, round: round)
            times.append(
                try await seconds {
                    let report = try await store.download()
                    guard report.queries.map(\.entities) == [changes], report.queries.map(\.mode) == [.delta] else {
                        throw ValidationError("Not a delta of \(changes) changes: \(report.summary)")
                    }
                })
        }
        try store.close()
        return times.quantile(0.5)
    }

    private func compare(in folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let service = try await ServiceSample(folder: folder, entities: entities)
        var times: (first: [Double], again: [Double]) = ([], [])
        var memory: [(before: Int, peak: Int)] = []
        for round in 0..<max(1, rounds / 2) {
            let store = try OfflineStore(folder: folder + "/store-\(round)", remote: try remote(service.store))
            try await store.open()
            try store.addQuery(DefiningQuery(name: "orders", query: "Orders", refresh: .comparison))
            times.first.append(try await seconds { _ = try await store.download() })
            let before = PeakMemory.reset()
            times.again.append(try await seconds { _ = try await store.download() })
            memory.append((before, PeakMemory.megabytes()))
            try store.close()
        }
        let (first, again) = (times.first.quantile(0.5), times.again.quantile(0.5))
        print(
            String(
                format: "%d entities: first download %.2f s, full comparison %.2f s, %.2f of its speed", entities,
                first, again, first / again))
        for (before, peak) in memory {
            print("memory of a full comparison, with the service's: \(before) MB before, at most \(peak) MB")
        }
    }

    private func remote(_ store: any ODataStore) throws -> OnlineStore {
        try OnlineStore(
            serviceRoot: "http://service.test/", transport: InProcessTransport(service: ODataService(store: store)))
    }
}
