import ByteStreams
import HTTPTypes
import OData
import ODataService
import Synchronization

/// Stands before a service, and does to the requests of uploads what a test says, one step for each; then nothing more.
final class UploadScript: HTTPResponder {
    enum Step: Sendable {
        /// The service responds.
        case pass
        /// All of the body comes, nothing is done, and this is returned.
        case status(Int, [String: String] = [:])
        /// As ``status(_:_:)``, with OData's error of the code *refused*.
        case refusal(Int)
        /// To the same URL; or to that of another host, which leads here too.
        case redirect(Int, toOtherHost: Bool)
        /// So many bytes of the body reach the service; then the connection is cut.
        case cut(after: Int)
        /// So many bytes of the body reach the service; then nothing happens until the client gives up.
        case stall(after: Int)
        /// The service acts, and the connection is cut before its response.
        case lost
        /// All of the body comes, something happens to its file, and then the service responds.
        case spoil(SourceFault)
    }

    /// What happens to the file of a stream that is uploaded.
    enum SourceFault: Sendable {
        /// One of its last bytes is another one.
        case changed
        case shorter
        case gone
    }

    private struct State {
        var steps: [Step] = []
        var lines: [String] = []
        var whenStalled: AsyncStream<Void>.Continuation?
    }

    /// The token of requests that tell none in their lines.
    static let token = "t0"

    private let service: any HTTPResponder
    private let cut: @Sendable () -> Void
    private let spoil: @Sendable (SourceFault) throws -> Void
    private let state = Mutex(State())
    private let arrivals: (stream: AsyncStream<Void>, new: AsyncStream<Void>.Continuation)
    private let departures: (stream: AsyncStream<Void>, new: AsyncStream<Void>.Continuation)

    /// - Parameter cut: Cuts all connections; new ones can be made.
    init(
        _ service: any HTTPResponder, cut: @escaping @Sendable () -> Void,
        spoil: @escaping @Sendable (SourceFault) throws -> Void
    ) {
        (self.service, self.cut, self.spoil) = (service, cut, spoil)
        let (arrivals, departures) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        self.arrivals = (arrivals.stream, arrivals.continuation)
        self.departures = (departures.stream, departures.continuation)
    }

    func play(_ steps: [Step]) {
        state.withLock { state in (state.steps, state.lines) = (steps, []) }
    }

    /// The requests of uploads that have come since the steps were given: `append 1000` for bytes from there on, with the
    /// token if it is another one than the first, or `nobody`.
    var lines: [String] { state.withLock { $0.lines } }

    /// Waits until so many requests have come: a client that breaks one off itself does not wait for that.
    func waitForLines(_ count: Int) async {
        guard lines.count < count else { return }
        for await _ in arrivals.stream where lines.count >= count { break }
    }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        guard let line = Self.line(of: request) else {
            return await service.respond(to: request, body: body, root: root, context: context)
        }
        let step = state.withLock { state in
            state.lines.append(line)
            return state.steps.isEmpty ? Step.pass : state.steps.removeFirst()
        }
        arrivals.new.yield()
        do { return try await respond(to: request, body, root, context, step) } catch {
            // The client has left.
            return .plain(400)
        }
    }

    private func respond(
        to request: HTTPRequest, _ body: ByteContent, _ root: String, _ context: ResponderContext, _ step: Step
    ) async throws -> ServiceResponse {
        var body = body
        switch step {
        case .pass: break
        case .status(let code, let fields):
            _ = try await body.collect(upTo: 1 << 24)
            return .plain(code, fields)
        case .refusal(let code):
            _ = try await body.collect(upTo: 1 << 24)
            return .json(code, #"{"error":{"code":"refused","message":"Not so."}}"#)
        case .redirect(let code, let toOtherHost):
            _ = try await body.collect(upTo: 1 << 24)
            let target = String(root.dropLast()) + (request.path ?? "/")
            return .plain(
                code, ["Location": toOtherHost ? target.replacing("127.0.0.1", with: "localhost") : target])
        case .cut(let count): body = try Self.part(of: body, count) { [cut] in cut() }
        case .stall(let count): body = try Self.part(of: body, count) { [self] in await waitForDeparture() }
        case .lost:
            let response = await service.respond(to: request, body: body, root: root, context: context)
            cut()
            return response
        case .spoil(let fault):
            body = ByteContent(try await body.collect(upTo: 1 << 24))
            try spoil(fault)
        }
        return await service.respond(to: request, body: body, root: root, context: context)
    }

    /// A body that breaks off.
    private static func part(
        of body: ByteContent, _ count: Int, _ end: @escaping @Sendable () async -> Void
    ) throws -> ByteContent {
        let chunks = try body.chunks().makeAsyncIterator()
        let left = Mutex(count)
        let part = ByteChunks {
            let room = left.withLock { $0 }
            guard room > 0, let chunk = try await chunks.next() else {
                await end()
                throw TransportError(.interrupted, "The client has left.")
            }
            left.withLock { $0 -= min(room, chunk.count) }
            return Array(chunk.prefix(room))
        }
        return ByteContent(part, length: body.length)
    }
}

extension UploadScript {
    /// `PATCH /$uploads/4f2c` with `Upload-Offset: 1000`: `append 1000`. Nil for what is no part of an upload.
    private static func line(of request: HTTPRequest) -> String? {
        guard let name = name(of: request) else { return nil }
        guard let token = request.field("Authorization")?.dropFirst("Bearer ".count) else {
            return name + (request.field("X-Secret") == nil ? " (nobody)" : " (a secret)")
        }
        return token == Self.token ? name : "\(name) (\(token))"
    }

    private static func name(of request: HTTPRequest) -> String? {
        let path = request.path ?? ""
        switch request.method {
        case .put, .patch:
            if request.field("Upload-Complete") == "?0", request.method == .put { return "begin" }
            if request.field("x-ms-transfer-mode") != nil { return "begin" }
            if let offset = request.field("Upload-Offset") { return "append \(offset)" }
            if let start = request.field("Content-Range")?.dropFirst("bytes ".count).prefix(while: { $0 != "-" }) {
                return "append \(start)"
            }
            return request.method == .put ? "whole" : nil
        case .post:
            let isBeginning = request.field("Tus-Resumable") != nil || path.hasSuffix("/createUploadSession")
            return isBeginning ? "begin" : nil
        case .head, .get: return ["/$uploads/", "/files/", "/up/"].contains { path.hasPrefix($0) } ? "ask" : nil
        default: return nil
        }
    }

    private func waitForDeparture() async {
        state.withLock { $0.whenStalled }?.yield()
        for await _ in departures.stream { break }
    }

    /// A transport that gives up a request of which nothing comes any more, as it would after a time.
    func impatient(_ transport: any HTTPTransport) -> any HTTPTransport {
        ImpatientTransport(next: transport, script: self)
    }

    private struct ImpatientTransport: HTTPTransport {
        let next: any HTTPTransport
        let script: UploadScript

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            let (stalls, stall) = AsyncStream<Void>.makeStream()
            script.state.withLock { $0.whenStalled = stall }
            let response = try await withThrowingTaskGroup(of: TransportResponse?.self) { group in
                group.addTask { [next] in try await next.send(request, body: body, context: context) }
                group.addTask {
                    for await _ in stalls { break }
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
            if let response { return response }
            script.departures.new.yield()
            throw TransportError(.timeout, "Nothing came for a while.")
        }
    }
}
