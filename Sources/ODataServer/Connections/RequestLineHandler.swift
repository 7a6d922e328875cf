import NIOCore

/// Measures the incoming request line: the parser only reports that a head is too long, and not whether its
/// URL is to blame.
final class RequestLineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// In bytes: what the parser takes of a URL. [NIOHTTPDecoderConfiguration]
    private static let maximum = 80 * 1024

    /// Whether the next bytes are part of a head.
    private var isInHead = true
    /// The first bytes of the incoming line, as many as distinguish a request line from a header.
    private var start: [UInt8] = []
    private var length = 0
    /// Whether the incoming or refused head has a request line that is too long.
    private(set) var isTooLong = false

    /// A body follows, or nothing.
    func headEnds() { isInHead = false }

    /// The bytes after the last line end is the start of the next request.
    ///
    /// - Parameter withinLine: Whether it may be the end of a body instead.
    func requestEnds(withinLine: Bool) {
        (isInHead, isTooLong) = (true, false)
        if withinLine { (start, length) = ([], 0) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isInHead { take(unwrapInboundIn(data).readableBytesView) }
        context.fireChannelRead(data)
    }

    private func take(_ bytes: ByteBufferView) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        start += bytes[..<end].prefix(max(0, 32 - start.count))
        length += end - bytes.startIndex
        if length > Self.maximum, isRequestLine { isTooLong = true }
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
        let rest = bytes[(last + 1)...]
        (start, length) = (Array(rest.prefix(32)), rest.count)
    }

    /// A method and a space come before anything else; in a header, a colon does.
    private var isRequestLine: Bool {
        start.first { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") } == UInt8(ascii: " ")
    }
}
