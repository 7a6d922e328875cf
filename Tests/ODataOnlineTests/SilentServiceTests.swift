import ByteStreams
import HTTPTypes
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@Suite("A service that does not respond when its metadata are asked for")
struct SilentServiceTests {
    /// Responds when a test says so, or fails when the request is cancelled.
    private final class Silence: HTTPTransport {
        let asked = AsyncStream.makeStream(of: Void.self)
        let response = AsyncStream.makeStream(of: Void.self)

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            asked.continuation.finish()
            for await _ in response.stream {}
            if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
            return TransportResponse(head: HTTPResponse(status: .ok), body: ByteContent(Array(Shop.metadata.utf8)))
        }
    }

    @Test("One deadline holds for all tries")
    func deadline() async throws {
        var configuration = OnlineStore.Configuration()
        configuration.metadataTimeout = .milliseconds(10)
        configuration.middleware = [RetryMiddleware()]
        for asksAgain in [false, true] {
            let store = try OnlineStore(
                serviceRoot: "http://h/root", transport: Silence(), configuration: configuration)
            await #expect {
                _ = asksAgain ? try await store.currentModel() : try await store.model()
            } throws: { error in
                (error as? ODataError)?.code == .unreachable && "\(error)".contains("metadataTimeout")
                    && "\(error)".contains("http://h/root/$metadata")
            }
        }
    }

    /// Responds with redirects to itself, or with metadata that do not end.
    private struct Trickle: HTTPTransport {
        let redirects: Bool

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            if redirects {
                try await Self.pause()
                return TransportResponse(
                    head: HTTPResponse(status: .found, headerFields: [.location: "/root/$metadata"]))
            }
            let bytes = ByteChunks {
                try await Self.pause()
                return [UInt8(ascii: " ")]
            }
            return TransportResponse(head: HTTPResponse(status: .ok), body: ByteContent(bytes, length: nil))
        }

        /// Lets other tasks run; ends with the request.
        private static func pause() async throws {
            await Task.yield()
            try Task.checkCancellation()
        }
    }

    @Test("The deadline holds for redirects and for the body too", arguments: [true, false])
    func wholeDeadline(redirects: Bool) async throws {
        var configuration = OnlineStore.Configuration()
        configuration.metadataTimeout = .milliseconds(100)
        configuration.redirectLimit = .max - 1
        let store = try OnlineStore(
            serviceRoot: "http://h/root", transport: Trickle(redirects: redirects), configuration: configuration)
        let error = await #expect(throws: ODataError.self) { try await store.model() }
        #expect(error?.code == .unreachable && "\(error as Any)".contains("metadataTimeout"))
    }

    /// Passes the cancellation of a request over until a test ends.
    private final class Deafness: HTTPTransport {
        let asked = AsyncStream.makeStream(of: Void.self)
        let end = AsyncStream.makeStream(of: Void.self)

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            asked.continuation.finish()
            await Task.detached { [end] in for await _ in end.stream {} }.value
            throw TransportError(.cancelled, "cancelled")
        }
    }

    @Test("A cancelled caller leaves at once whatever the transport does", arguments: [nil, Duration.seconds(600)])
    func stubborn(limit: Duration?) async throws {
        var configuration = OnlineStore.Configuration()
        configuration.metadataTimeout = limit
        for asksAgain in [false, true] {
            let transport = Deafness()
            let store = try OnlineStore(
                serviceRoot: "http://h/root", transport: transport, configuration: configuration)
            let caller = Task { asksAgain ? try await store.currentModel() : try await store.model() }
            for await _ in transport.asked.stream {}
            caller.cancel()
            let error = await #expect(throws: ODataError.self) { try await caller.value }
            #expect(error?.code == .cancelled)
            transport.end.continuation.finish()
        }
    }

    @Test("A caller that is cancelled leaves at once; another gets the metadata")
    func cancelled() async throws {
        let silence = Silence()
        let store = try OnlineStore(serviceRoot: "http://h/root", transport: silence)
        let staying = Task { try await store.model() }
        for await _ in silence.asked.stream {}
        let leaving = Task { try await store.model() }
        leaving.cancel()
        let error = await #expect(throws: ODataError.self) { try await leaving.value }
        #expect(error?.code == .cancelled)
        silence.response.continuation.finish()
        #expect(try await staying.value.entitySet(named: "Products") != nil)
    }
}
