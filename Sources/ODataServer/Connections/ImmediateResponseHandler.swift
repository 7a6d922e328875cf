import HTTPTypes
import NIOCore
import NIOHTTPTypes
import ODataService

/// Responds on the event loop to requests whose responses need not be waited for, and hands all others on. Such a request
/// takes no task and no other thread.
///
/// Of requests that arrive together only the first one is taken, and none while the client does not take what is sent:
/// other connections of the event loop get their turns, and responses do not gather in memory.
final class ImmediateResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Longer bodies are sent in pieces, for which the client is waited for.
    private static let longest = 262_144

    private let responder: any ImmediateResponder
    private let endpoint: Endpoint
    /// Of the connection: its service roots and its client's address.
    private var peer: (authorities: Authorities, address: String?)?
    /// The number of requests that were handed on and have no response yet.
    private var requests = 0
    /// The request that is arriving, if it may be taken.
    private var head: HTTPRequest?
    /// Whether one of the requests that have arrived together was taken.
    private var hasResponded = false

    init(_ responder: any ImmediateResponder, at endpoint: Endpoint) {
        self.responder = responder
        self.endpoint = endpoint
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request) where mayTake(request, context): head = request
        case .head:
            requests += 1
            context.fireChannelRead(data)
        case .end:
            if let head, respond(to: head, context) {
                self.head = nil
            } else {
                handOn(context)
                context.fireChannelRead(data)
            }
        case .body:
            handOn(context)
            context.fireChannelRead(data)
        }
    }

    /// Whether the request is a GET without a body, on a connection that stays open and has nothing else to do.
    private func mayTake(_ request: HTTPRequest, _ context: ChannelHandlerContext) -> Bool {
        guard requests == 0, !hasResponded, request.method == .get, context.channel.isWritable,
            !request.takesInterimResponses
        else { return false }
        for field in request.headerFields {
            switch field.name {
            case .contentLength, .transferEncoding, .expect: return false
            case .connection where field.value.lowercased() != "keep-alive": return false
            default: break
            }
        }
        return true
    }

    /// - Returns: Whether there was a response.
    private func respond(to request: HTTPRequest, _ context: ChannelHandlerContext) -> Bool {
        let (authorities, address) = peer(of: context.channel)
        guard case .root(let root) = authorities.target(request.authority) else { return false }
        var responderContext = ResponderContext()
        responderContext.address = address
        let response = responder.immediateResponse(to: request, root: root, context: responderContext)
        guard let response, let bytes = response.body.bytes, bytes.count <= Self.longest, hasFraming(response.head)
        else { return false }
        hasResponded = true
        var head = response.head
        head.headerFields[.date] = HTTPDate.now
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !bytes.isEmpty { context.write(wrapOutboundOut(.body(ByteBuffer(bytes: bytes))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        return true
    }

    /// Whether the encoder needs no chunks.
    private func hasFraming(_ head: HTTPResponse) -> Bool {
        head.status == .notModified || head.headerFields.contains(.contentLength)
    }

    private func peer(of channel: any Channel) -> (authorities: Authorities, address: String?) {
        if let peer { return peer }
        let made = (Authorities(endpoint, port: channel.localAddress?.port), channel.remoteAddress?.ipAddress)
        peer = made
        return made
    }

    /// Hands on the request that was not taken.
    private func handOn(_ context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        requests += 1
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    // MARK: Events

    func channelReadComplete(context: ChannelHandlerContext) {
        handOn(context)
        hasResponded = false
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handOn(context)
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        handOn(context)
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        handOn(context)
        context.fireChannelInactive()
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { requests -= 1 }
        context.write(data, promise: promise)
    }
}
