import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback server that says on each connection exactly what a test tells it to, HTTP or not.
enum RawServer {
    typealias Script = @Sendable (Conversation) async throws -> Void

    /// Runs `body` with the server's URL (`http://127.0.0.1:port`) while `script` talks on each connection; a
    /// connection is closed when its script ends.
    static func run<Result: Sendable>(
        tls: NIOSSLContext? = nil, _ script: @escaping Script,
        _ body: @escaping @Sendable (String) async throws -> Result
    ) async throws -> Result {
        let accepted = Mutex<[any Channel]>([])
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    accepted.withLock { $0.append(channel) }
                    return channel
                }
            }
        // Connections of which the test ended before they were served.
        defer { for channel in accepted.withLock({ $0 }) { channel.close(promise: nil) } }
        let port = server.channel.localAddress?.port ?? 0
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve(server, script) }
            defer { group.cancelAll() }
            return try await body("\(tls == nil ? "http" : "https")://127.0.0.1:\(port)")
        }
    }

    private static func serve(_ server: NIOAsyncChannel<any Channel, Never>, _ script: @escaping Script) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { try? await serve(connection, script) }
                }
            }
        }
    }

    /// Wraps the connection here and not where it is accepted: whoever wraps one must see it through to its end. Nothing
    /// is read before that.
    private static func serve(_ connection: any Channel, _ script: @escaping Script) async throws {
        let channel = try await connection.eventLoop.submit {
            try NIOAsyncChannel<ByteBuffer, Never>(wrappingChannelSynchronously: connection)
        }.get()
        try await channel.executeThenClose { inbound in
            try await connection.setOption(.autoRead, value: true).get()
            try await script(Conversation(inbound: inbound, connection: connection))
        }
    }
}

/// One connection as its script sees it.
final class Conversation {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let connection: any Channel
    private var unread = ByteBuffer()

    init(inbound: NIOAsyncChannelInboundStream<ByteBuffer>, connection: any Channel) {
        self.inbound = inbound.makeAsyncIterator()
        self.connection = connection
    }

    /// The request line and headers of the next request, in lower case; empty if the client closed the connection.
    func requestHead() async throws -> String {
        while true {
            let text = String(buffer: unread)
            if let end = text.range(of: "\r\n\r\n") {
                unread.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
                return text[..<end.lowerBound].lowercased()
            }
            guard var next = try await inbound.next() else { return "" }
            unread.writeBuffer(&next)
        }
    }

    /// Reads `count` bytes of a body and gives their sum.
    func body(_ count: Int) async throws -> Int {
        var left = count
        var sum = 0
        while left > 0 {
            if unread.readableBytes == 0 {
                guard let next = try await inbound.next() else { return sum }
                unread = next
            }
            let taken = min(left, unread.readableBytes)
            for byte in unread.readableBytesView.prefix(taken) { sum &+= Int(byte) }
            unread.moveReaderIndex(forwardBy: taken)
            left -= taken
        }
        return sum
    }

    /// The next `count` bytes; an error if the client closed the connection.
    func bytes(_ count: Int) async throws -> [UInt8] {
        while unread.readableBytes < count, var next = try await inbound.next() { unread.writeBuffer(&next) }
        guard let bytes = unread.readBytes(length: count) else { throw ChannelError.eof }
        return bytes
    }

    /// The next chunk of a chunked body; nil for the last, which is empty. An error if the client closed the connection.
    func chunk() async throws -> [UInt8]? {
        var line: [UInt8] = []
        while line.suffix(2) != [13, 10] { line += try await bytes(1) }
        let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
        let chunk = try await bytes(size)
        _ = try await bytes(2)
        return size == 0 ? nil : chunk
    }

    /// The rest of a chunked body. An error if the client closed the connection before its end.
    func chunks() async throws -> [UInt8] {
        var body: [UInt8] = []
        while let chunk = try await chunk() { body += chunk }
        return body
    }

    /// Reads `count` bytes of a body without a look at them, and gives their number.
    func skip(_ count: Int) async throws -> Int {
        var received = unread.readableBytes
        while received < count, let next = try await inbound.next() { received += next.readableBytes }
        return received
    }

    func send(_ text: String) async throws {
        try await send(ByteBuffer(string: text))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await send(ByteBuffer(bytes: bytes))
    }

    /// Sends `count` bytes in pieces, no faster than the client takes them.
    func send(count: Int) async throws {
        let piece = ByteBuffer(repeating: 7, count: 64 * 1024)
        var left = count
        while left > 0 {
            try await send(left >= 64 * 1024 ? piece : ByteBuffer(repeating: 7, count: left))
            left -= 64 * 1024
        }
    }

    /// Returns when the bytes have left: the writer of an asynchronous channel would take any number before its event
    /// loop comes to them.
    private func send(_ buffer: ByteBuffer) async throws {
        try await connection.writeAndFlush(buffer).get()
    }

    /// Says nothing more until the client closes the connection.
    func stall() async throws {
        while try await inbound.next() != nil {}
    }
}
