import ArgumentParser
import AsyncHTTPTransport
import OData

/// Clients that read one stream at the same time, each on a connection of its own, a piece now and then.
struct SlowReaders {
    private static let pause = Duration.milliseconds(50)

    let root: String
    let count: Int
    let duration: Duration

    /// Bytes that came to all.
    func read(_ stream: String) async throws -> Int {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.connectionsPerHost = count
        let transport = AsyncHTTPTransport(configuration: configuration)
        let store = try OnlineStore(serviceRoot: root, transport: transport)
        let path = try QueryParser(model: try await store.model()).path(stream)
        let end = ContinuousClock.now + duration
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await Self.read(path, of: store, until: end) }
            }
            var sum = 0
            for try await count in group { sum += count }
            return sum
        }
        try await transport.shutdown()
        return bytes
    }

    private static func read(
        _ path: ResourcePath, of store: OnlineStore, until end: ContinuousClock.Instant
    ) async throws -> Int {
        var bytes = 0
        for try await chunk in try await store.readStream(StreamRequest(path)).content.chunks() {
            bytes += chunk.count
            try await Task.sleep(for: pause)
            if ContinuousClock.now >= end { return bytes }
        }
        throw ValidationError("A reader was at the end of the stream too soon: give a larger --size.")
    }
}
