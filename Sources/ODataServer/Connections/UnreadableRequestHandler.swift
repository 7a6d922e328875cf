import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import ODataService

/// Adds an OData error as the body of the response to a request that is not HTTP.
///
/// The channel responds to such a request with a bare 400, in its turn, and closes its sending side. This handler knows
/// why. What the client still sends is dropped for a while, so that it can read the response; then the connection is
/// closed whole, whether or not the client ever closes its side. [RFC 9112, section 9.6]
final class UnreadableRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let lingering = TimeAmount.seconds(2)

    private var failure: HTTPParserError?
    private var isRefused = false

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isRefused { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError { failure = error }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let failure, case .head(let head) = unwrapOutboundIn(data), isBare(head) else {
            context.write(data, promise: promise)
            return
        }
        isRefused = true
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(mode: .all, promise: nil) }
        context.read()
        let lines = try? context.pipeline.syncOperations.handler(type: RequestLineHandler.self)
        let refusal = refusal(failure, isLineTooLong: lines?.isTooLong == true)
        context.write(wrapOutboundOut(.head(refusal.head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: refusal.body))), promise: promise)
    }

    private func isBare(_ head: HTTPResponse) -> Bool {
        head.status == .badRequest && head.headerFields[.contentLength] == "0"
    }

    private func refusal(_ failure: HTTPParserError, isLineTooLong: Bool) -> (head: HTTPResponse, body: [UInt8]) {
        let (status, message): (HTTPResponse.Status, String) =
            switch failure {
            case .invalidMethod: (.notImplemented, "The method is not supported.")
            case .headerOverflow where isLineTooLong:
                (.uriTooLong, "The URL is too long: send a query as the body of POST …/$query.")
            case .headerOverflow: (.requestHeaderFieldsTooLarge, "The headers are too long.")
            case .invalidURL, .invalidHost, .invalidPort, .invalidPath, .invalidQueryString, .invalidFragment:
                (.badRequest, "The URL is not valid.")
            default: (.badRequest, "The request is not HTTP/1.1.")
            }
        let (refusal, bytes) = ServiceResponse.refusalBytes(status, message)
        var head = refusal.head
        head.headerFields[.connection] = "close"
        return (head, bytes)
    }
}
