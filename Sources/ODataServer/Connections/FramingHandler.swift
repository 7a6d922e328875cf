import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Keeps to what the version of a request demands and what the layers above cannot see: how many `Host` headers there
/// are, and whether the client speaks HTTP/1.0, which has no chunks, no interim responses, and a connection for each
/// request. A request whose end is in doubt is the last one, too.
///
/// [RFC 9112, sections 2.5, 3.2 and 6.1; RFC 9110, section 15.2]
final class FramingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the response to the request under way has no chunks.
    private var isOld = false
    /// Whether the request under way is the connection's last one.
    private var isLast = false
    /// Whether the body of the request under way may end within a line.
    private var isCounted = false
    private let lines: RequestLineHandler

    init(_ lines: RequestLineHandler) {
        self.lines = lines
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            lines.headEnds()
            isCounted = head.headers.contains(name: "Content-Length")
            context.fireChannelRead(wrapInboundOut(.head(framed(head))))
        case .body: context.fireChannelRead(data)
        case .end:
            lines.requestEnds(withinLine: isCounted)
            context.fireChannelRead(data)
        }
    }

    private func framed(_ head: HTTPRequestHead) -> HTTPRequestHead {
        var head = head
        if head.version.major < 1 || head.version == .http1_0 {
            isOld = true
            if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "") }
        }
        if isOld || TransferCodings(head.headers["Transfer-Encoding"])?.isDecoded == false {
            isLast = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        let hosts = head.headers["Host"]
        if hosts.count > 1 {
            head.headers.replaceOrAdd(name: "Host", value: hosts.joined(separator: ","))
        } else if hosts.count == 1, let authority = Self.authority(ofTarget: head.uri) {
            head.headers.replaceOrAdd(name: "Host", value: authority)
        }
        // A URL of HTTP has a host: a name that is empty is none. [RFC 9110, section 4.2.1]
        if !isOld, head.headers["Host"] == [""] { head.headers.remove(name: "Host") }
        return head
    }

    /// `http://localhost:8080/Products` → `localhost:8080`: it takes the place of `Host`.
    private static func authority(ofTarget uri: String) -> String? {
        guard !uri.hasPrefix("/"), let scheme = uri.firstRange(of: "://") else { return nil }
        return String(uri[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isLast, case .head(var head) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        guard head.status.code >= 200 || !isOld else {
            promise?.succeed()
            return
        }
        if isOld {
            head.version = .http1_0
            head.headers.remove(name: "Transfer-Encoding")
        }
        if head.status.code >= 200 { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}

/// Puts a ``FramingHandler`` between the parser and the types of HTTP that all other handlers see, where handlers of the
/// application cannot be named.
final class FramingInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let lines = RequestLineHandler()
            try pipeline.addHandler(lines, position: .before(decoder))
            try pipeline.addHandler(FramingHandler(lines), position: .before(codec))
        } catch {
            context.fireErrorCaught(error)
        }
    }
}
