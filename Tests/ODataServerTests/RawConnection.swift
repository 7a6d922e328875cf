import NIOCore
import NIOPosix

/// Bytes to a port and back, to see what really goes over the wire.
enum RawConnection {
    /// Sends `text` with line ends as HTTP wants them, and gives what came until the server closed.
    ///
    /// - Parameters:
    ///   - endsSending: Whether the connection is closed for sending behind the last byte.
    ///   - arrival: Called for each piece that comes.
    static func exchange(
        _ text: String, port: Int, body: [UInt8] = [], endsSending: Bool = false, arrival: @Sendable () -> Void = {}
    ) async throws -> String {
        let bytes = Array(text.replacing("\n", with: "\r\n").utf8) + body
        return try await open(port: port, halfCloses: endsSending) { _, inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            if endsSending { outbound.finish() }
            var response: [UInt8] = []
            for try await buffer in inbound {
                response += buffer.readableBytesView
                arrival()
            }
            return String(decoding: response, as: UTF8.self).replacing("\r\n", with: "\n")
        }
    }

    /// Sends each of `texts` when the response to the one before has come, the end of which is `}`.
    static func converse(_ texts: [String], port: Int) async throws -> [String] {
        try await open(port: port, halfCloses: false) { _, inbound, outbound in
            var responses: [String] = []
            var iterator = inbound.makeAsyncIterator()
            for text in texts {
                try await outbound.write(ByteBuffer(string: text.replacing("\n", with: "\r\n")))
                var response: [UInt8] = []
                while response.last != UInt8(ascii: "}"), let buffer = try await iterator.next() {
                    response += buffer.readableBytesView
                }
                responses.append(String(decoding: response, as: UTF8.self).replacing("\r\n", with: "\n"))
            }
            return responses
        }
    }

    /// Sends `text`, reads `count` bytes and closes.
    static func begin(_ text: String, port: Int, reading count: Int) async throws {
        try await open(port: port, halfCloses: false) { channel, inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: Array(text.replacing("\n", with: "\r\n").utf8)))
            var seen = 0
            var iterator = inbound.makeAsyncIterator()
            while seen < count, let buffer = try await iterator.next() { seen += buffer.readableBytes }
            // What nobody waits for any more would be read and dropped until the connection is closed.
            try await channel.close()
            withExtendedLifetime(iterator) {}
        }
    }

    /// Sends `text`, waits and closes.
    static func leave(after text: String, port: Int, _ wait: () async -> Void) async throws {
        try await open(port: port, halfCloses: false) { channel, _, outbound in
            try await outbound.write(ByteBuffer(bytes: Array(text.replacing("\n", with: "\r\n").utf8)))
            await wait()
            try await channel.close()
        }
    }

    /// Sends `text` and then a byte whenever one has gone, and gives what came until the server closed.
    static func trickle(_ text: String, port: Int) async throws -> String {
        let head = ByteBuffer(string: text.replacing("\n", with: "\r\n"))
        return try await open(port: port, halfCloses: false) { channel, inbound, outbound in
            try await outbound.write(head)
            let byte = ByteBuffer(string: " ")
            let sending = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
                channel.writeAndFlush(byte, promise: nil)
            }
            defer { sending.cancel() }
            var response: [UInt8] = []
            for try await buffer in inbound {
                response += buffer.readableBytesView
                if response.contains(UInt8(ascii: "{")) { break }
            }
            return String(decoding: response, as: UTF8.self).replacing("\r\n", with: "\n")
        }
    }

    /// Sends `text` and then more and more, whatever the response is, until the other end has closed the connection
    /// whole.
    static func writeUntilClosed(_ text: String, port: Int) async throws {
        try await open(port: port, halfCloses: true) { _, inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            let more = ByteBuffer(repeating: UInt8(ascii: "a"), count: 65_536)
            do { while true { try await outbound.write(more) } } catch {}
            withExtendedLifetime(inbound) {}
        }
    }

    private static func open<Result: Sendable>(
        port: Int, halfCloses: Bool,
        _ work: (
            any Channel, NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: halfCloses))
                }
            }
        return try await channel.executeThenClose { try await work(channel.channel, $0, $1) }
    }
}
