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
}
