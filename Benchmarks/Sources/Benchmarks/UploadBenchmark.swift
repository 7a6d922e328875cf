import ArgumentParser
import Foundation
import HTTPTypes
import OData
import ODataService
import ODataTesting

/// Uploads in batches beside uploads one by one, over a link that responds late.
struct UploadBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "upload")

    @Option(help: "Updates that are uploaded in a round.") var updates = 1_000
    @Option(help: "Requests of a batch.") var batch = 1_000
    @Option(help: "Milliseconds that each response comes late.") var delay = 20
    @Option var rounds = 3

    func run() async throws {
        try await withTemporaryFolder(measure)
    }

    private func measure(in folder: String) async throws {
        let service = try await ServiceSample(folder: folder, entities: updates)
        let transport = InProcessTransport(service: ODataService(store: service.store))
            .with([DelayMiddleware(milliseconds: delay)])
        let remote = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        var times: (batched: [Double], single: [Double]) = ([], [])
        for round in 0..<rounds {
            times.batched.append(try await upload(batch, remote, service, folder + "/batched-\(round)"))
            times.single.append(try await upload(1, remote, service, folder + "/single-\(round)"))
        }
        let (batched, single) = (times.batched.quantile(0.5), times.single.quantile(0.5))
        print("\(updates) updates, responses \(delay) ms late, median of \(rounds) rounds")
        print(
            String(
                format: "batches of %d: %.2f s, one by one: %.2f s, %.1f × as fast", batch, batched, single,
                single / batched))
    }

    /// Seconds of an upload.
    private func upload(
        _ size: Int, _ remote: OnlineStore, _ service: ServiceSample, _ folder: String
    ) async throws -> Double {
        let store = try await service.store(remote: remote, in: folder, batchSize: size)
        for number in 0..<updates {
            let payload = EntityPayload(["Note": .string("\(folder.suffix(12)) \(number)")])
            _ = try await store.change(ChangeRequest(service.path(to: number), .update(payload)))
        }
        let time = try await seconds {
            guard try await store.upload().isComplete else { throw ValidationError("Not all was sent.") }
        }
        try store.close()
        return time
    }
}

/// Each response comes late, as over a mobile network, in real time: what batches save is the waiting.
struct DelayMiddleware: HTTPMiddleware {
    var milliseconds: Int

    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        try await Task.sleep(for: .milliseconds(milliseconds))
        return try await next.send(request, body: body)
    }
}
