import Foundation
import Logging
import NIOCore

/// Takes no more connections than there may be, and waits where the system gives no more files for them: it would report
/// the waiting client again and again, and the server would do nothing else.
final class AcceptHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private static let pause = TimeAmount.milliseconds(200)
    /// Out of files or of memory: it may pass.
    private static let shortages: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let connections: OpenConnections
    private let logger: Logger
    private var isHeld = false

    init(_ connections: OpenConnections, logger: Logger) {
        self.connections = connections
        self.logger = logger
    }

    /// How many connections there may be, so that files are left for the service.
    static func limit(_ limits: ServerLimits) -> Int {
        var files = rlimit()
        #if canImport(Darwin)
            let result = getrlimit(RLIMIT_NOFILE, &files)
        #else
            let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        #endif
        guard result == 0, let most = Int(exactly: files.rlim_cur) else { return max(limits.connections, 1) }
        return max(min(limits.connections, max((most - 128) / 2, 8)), 1)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        connections.open()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        channel.closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            let (handler, context) = bound.value
            handler.connections.close()
            handler.goOn(context)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        isHeld = !connections.takesMore
        if !isHeld { context.read() }
    }

    private func goOn(_ context: ChannelHandlerContext) {
        if isHeld { read(context: context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode else {
            context.fireErrorCaught(error)
            return
        }
        if code == ECONNABORTED { return }
        guard Self.shortages.contains(code) else {
            context.fireErrorCaught(error)
            return
        }
        logger.warning("The system has no room for another connection.", metadata: ["error": "\(error)"])
        connections.closeLongestResting()
        let channel = context.channel
        channel.setOption(ChannelOptions.autoRead, value: false).whenSuccess {
            channel.eventLoop.scheduleTask(in: Self.pause) {
                _ = channel.setOption(ChannelOptions.autoRead, value: true)
            }
        }
    }
}
