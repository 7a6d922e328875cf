import ByteStreams
import HTTPTypes
import HummingbirdCore
import NIOCore
import ODataService

/// One request and its response on a connection. It runs on the event loop of the connection, and the service elsewhere.
struct Exchange {
    /// Ends the connection: what was written so far is all there is.
    private struct ConnectionMustClose: Error {}

    /// As many bytes go to the event loop before they are waited for.
    private static let window = 65_536

    let service: any HTTPResponder
    let request: Request
    let authorities: Authorities
    /// Of the connection.
    let eventLoop: any EventLoop
    /// Where the connection comes from.
    let address: String?
    /// Ends what only the client waits for.
    let departure: ClientDeparture

    func run(_ writer: consuming ResponseWriter) async throws {
        let waitsForContinue = waitsForContinue
        var response: ServiceResponse
        if waitsForContinue || request.head.takesInterimResponses {
            response = await interimResponses(waitsForContinue, writer)
        } else {
            let incoming = incomingBody {}
            response = await self.respond(to: incoming, context)
            if let incoming, incoming.isTooSlow { response.head.status = .requestTimeout }
        }
        response.head.headerFields[.date] = HTTPDate.now
        if request.method == .head || response.body.length == 0 {
            try await finish(response.head, writer)
        } else if let bytes = response.body.bytes {
            try await send(ByteBuffer(bytes: bytes), head: response.head, writer)
        } else {
            try await send(response.body, head: response.head, writer)
        }
    }

    /// Whether the client sends the body only after `100 Continue`. The headers may be a reason to refuse it: it is
    /// sent when the body is first read.
    ///
    /// [RFC 9110, section 10.1.1]
    private var waitsForContinue: Bool { request.headers[.expect]?.lowercased() == "100-continue" }

    /// The response, before which interim responses go out.
    private func interimResponses(
        _ waitsForContinue: Bool, _ writer: borrowing ResponseWriter
    ) async -> ServiceResponse {
        let (stream, interim) = AsyncStream<HTTPResponse>.makeStream()
        let incoming = incomingBody { if waitsForContinue { interim.yield(HTTPResponse(status: .continue)) } }
        var context = context
        if request.head.takesInterimResponses { context.sendInterim = { interim.yield($0) } }
        let responding = Task { [context] in
            defer { interim.finish() }
            return await respond(to: incoming, context)
        }
        for await head in stream {
            // A client that has disconnected gets no response.
            _ = try? await writer.writeInformationalHead(head)
        }
        var response = await withTaskCancellationHandler {
            await responding.value
        } onCancel: {
            responding.cancel()
        }
        // It is unknown whether the body arrives now.
        if waitsForContinue, let incoming, !incoming.isAsked { response.head.headerFields[.connection] = "close" }
        if let incoming, incoming.isTooSlow { response.head.status = .requestTimeout }
        return response
    }

    private func respond(to incoming: ServerRequestBody?, _ context: ResponderContext) async -> ServiceResponse {
        let root: String
        switch authorities.target(request.head.authority) {
        case .root(let url): root = url
        case .refused(let status, let message): return ServiceResponse.refusal(status, message)
        }
        if let codingRefusal { return codingRefusal }
        let content = content(of: incoming)
        let (service, head) = (service, request.head)
        let isRead = isRead
        do {
            return try await (isRead ? departure : ClientDeparture()).ending {
                await service.respond(to: head, body: content, root: root, context: context)
            }
        } catch {
            return ServiceResponse.refusal(.serviceUnavailable, "The request was cancelled.")
        }
    }

    /// The error in the transfer coding of the body; nil if it can be read.
    private var codingRefusal: ServiceResponse? {
        guard request.headers.contains(.transferEncoding) else { return nil }
        let fields = request.headers[values: .transferEncoding]
        guard let codings = TransferCodings(fields), !codings.isDecoded else { return nil }
        guard codings.hasEnd else {
            return ServiceResponse.refusal(
                .badRequest, "The Transfer-Encoding “\(codings.text)” does not end with “chunked”, once.")
        }
        return ServiceResponse.refusal(
            .notImplemented, "The Transfer-Encoding “\(codings.text)” is not supported: only “chunked” is.")
    }

    private var context: ResponderContext {
        var context = ResponderContext()
        (context.address, context.departure) = (address, departure)
        return context
    }

    /// Whether the request can be cancelled when the client disconnects.
    private var isRead: Bool {
        if request.method == .get || request.method == .head { return true }
        let path = (request.head.path ?? "").prefix { $0 != "?" }
        return request.method == .post && path.hasSuffix("/$query")
    }

    /// A body that is in memory, at once if it is short.
    private func send(_ body: ByteBuffer, head: HTTPResponse, _ writer: consuming ResponseWriter) async throws {
        var body = body
        guard body.readableBytes > Self.window else {
            return try await writer.write(response: head, body: ResponseBody(byteBuffer: body))
        }
        var output = try await writer.writeHead(head)
        while body.readableBytes > 0, let piece = body.readSlice(length: min(Self.window, body.readableBytes)) {
            try await output.write(piece)
        }
        try await output.finish(nil)
    }

    /// An error while the body is read ends the connection without the end of the message: the client sees it cut.
    private func send(_ body: ByteContent, head: HTTPResponse, _ writer: consuming ResponseWriter) async throws {
        var output = try await writer.writeHead(head)
        let chunks = try body.chunks().makeAsyncIterator()
        var count = 0
        while let buffer = try await nextBuffer(chunks) {
            count += buffer.readableBytes
            try await output.write(buffer)
            guard count >= Self.window else { continue }
            // Only the event loop informs the writer that the client is behind: a writer that does not wait for it
            // would hand it far more than the connection takes.
            try await eventLoop.submit {}.get()
            count = 0
        }
        try await output.finish(nil)
    }

    /// The next chunk, which is let go of before the buffer is written.
    private func nextBuffer(_ chunks: ByteChunks.AsyncIterator) async throws -> ByteBuffer? {
        try await departure.ending { try await chunks.next().map { ByteBuffer(bytes: $0) } }
    }

    private func finish(_ head: HTTPResponse, _ writer: consuming ResponseWriter) async throws {
        var head = head
        let hasFraming = head.headerFields.contains(.contentLength) || head.status == .noContent
        if head.status == .notModified || hasFraming {
            try await writer.writeResponse(head)
        } else {
            // The encoder would write the end of a chunked body, which a response to HEAD does not have.
            head.headerFields[.connection] = "close"
            _ = try await writer.writeHead(head)
            throw ConnectionMustClose()
        }
    }

    /// The request's body as it arrives; nil for none.
    private func incomingBody(_ whenAsked: @escaping @Sendable () -> Void) -> ServerRequestBody? {
        let length = request.headers[.contentLength].flatMap { Int64($0) }
        guard length != 0, length != nil || request.headers.contains(.transferEncoding) else { return nil }
        return ServerRequestBody(request.body, length: length, whenAsked: whenAsked)
    }

    private func content(of body: ServerRequestBody?) -> ByteContent {
        guard let body else { return .empty }
        return ByteContent(ByteChunks { try await body.next() }, length: body.length)
    }
}
