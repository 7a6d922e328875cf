import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Keeps to what the version of a request demands and what the layers above cannot see: how often `Host` came, and
/// whether the client speaks HTTP/1.0, which has no chunks, no interim responses, and a connection for each request.
///
/// [RFC 9112, sections 2.5, 3.2 and 6.1; RFC 9110, section 15.2]
final class FramingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the request under way is the connection's last one, and its response without chunks.
    private var isOld = false
    private let lines: RequestLineHandler

    init(_ lines: RequestLineHandler) {
        self.lines = lines
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .end = part { lines.requestEnds() }
        guard case .head(var head) = part else {
            context.fireChannelRead(data)
            return
        }
        lines.headEnds()
        if head.version.major < 1 || head.version == .http1_0 {
            isOld = true
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "") }
        }
        let hosts = head.headers["Host"]
        if hosts.count > 1 {
            head.headers.replaceOrAdd(name: "Host", value: hosts.joined(separator: ","))
        } else if hosts.count == 1, let authority = Self.authority(ofTarget: head.uri) {
            head.headers.replaceOrAdd(name: "Host", value: authority)
        }
        // A URL of HTTP has a host: a name that is empty is none. [RFC 9110, section 4.2.1]
        if !isOld, head.headers["Host"] == [""] { head.headers.remove(name: "Host") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// `http://localhost:8080/Products` → `localhost:8080`: it takes the place of `Host`.
    private static func authority(ofTarget uri: String) -> String? {
        guard !uri.hasPrefix("/"), let scheme = uri.firstRange(of: "://") else { return nil }
        return String(uri[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOld, case .head(var head) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        guard head.status.code >= 200 else {
            promise?.succeed()
            return
        }
        head.version = .http1_0
        head.headers.remove(name: "Transfer-Encoding")
        head.headers.replaceOrAdd(name: "Connection", value: "close")
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
