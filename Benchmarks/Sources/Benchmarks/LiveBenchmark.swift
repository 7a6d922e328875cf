import ArgumentParser
import Foundation
import OData

/// How soon a live query has its new result after a commit that touches its tables.
///
/// The time to the result of one entity by its key is the upper bound of the time to the beginning of a read: it has
/// the wake, the way to a reading connection and the read. That commits to other tables wake nothing is a test's.
struct LiveBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "live")

    @Option(help: "Entities of the store.") var entities = 100_000
    @Option(help: "Commits that each query follows.") var commits = 500

    func run() async throws {
        try await withTemporaryFolder { folder in
            let service = try await ServiceSample(folder: folder, entities: entities)
            let store = try await service.store(remote: service.store, in: folder + "/store")
            for url in [
                "Orders(0)", "Orders?$filter=Amount eq 0&$orderby=ID&$top=20", "Orders?$filter=contains(Note,'x')",
            ] {
                try await measure(url, service, store)
            }
            try await measureNeedless("Orders?$filter=contains(Note,'x')", service, store)
            try store.close()
        }
    }

    private func measure(_ url: String, _ service: ServiceSample, _ store: OfflineStore) async throws {
        let query = try await store.query(url)
        var results = store.live(query).makeAsyncIterator()
        _ = await results.next()
        var times: [Double] = []
        for number in 0..<commits {
            let payload = EntityPayload(["Note": .string("x \(url.count) \(number)")])
            _ = try await store.change(ChangeRequest(service.path(to: 0), .update(payload)))
            times.append(
                try await seconds {
                    guard case .success? = await results.next() else { throw ValidationError("No result.") }
                })
        }
        print(
            String(
                format: "%@: the new result %.2f ms after a commit (median), %.2f ms (99 of 100)", url,
                times.quantile(0.5) * 1e3, times.quantile(0.99) * 1e3))
    }

    /// What a commit costs that cannot change the result of a query that reads all, without the query and with it.
    private func measureNeedless(_ url: String, _ service: ServiceSample, _ store: OfflineStore) async throws {
        let alone = try await update(service, store, "alone")
        let query = try await store.query(url)
        let (started, start) = AsyncStream<Void>.makeStream()
        let reader = Task {
            for await _ in store.live(query) { start.yield() }
        }
        for await _ in started { break }
        let followed = try await update(service, store, "followed")
        // What the last commits have caused counts too.
        let last = ProcessorTime.now
        _ = try await store.change(ChangeRequest(service.path(to: 0), .update(EntityPayload(["Note": .string("xx")]))))
        for await _ in started { break }
        let rest = ProcessorTime.now - last
        reader.cancel()
        let time = try await seconds { _ = try await store.read(ReadRequest(query)) }
        print(
            String(
                format:
                    "%@: %.2f ms of the processor for a commit that does not change the result, %.2f ms without the "
                    + "query, %.1f ms for the last one, whose result is another; a read of it %.1f ms", url,
                followed * 1e3, alone * 1e3, rest * 1e3, time * 1e3))
    }

    /// Seconds of the processor for an update that no query selects.
    private func update(_ service: ServiceSample, _ store: OfflineStore, _ note: String) async throws -> Double {
        let start = ProcessorTime.now
        for number in 1...commits {
            let payload = EntityPayload(["Note": .string("\(note) \(number)")])
            _ = try await store.change(ChangeRequest(service.path(to: number), .update(payload)))
        }
        return (ProcessorTime.now - start) / Double(commits)
    }
}
