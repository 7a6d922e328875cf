import AsyncHTTPTransport
import ByteStreams
import ODataTransport
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TransportStreamingTests {
    private static let length = 24 * 1024 * 1024

    @Test func aLongBodyComesDownWhole() async throws {
        let count = try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.length)\r\n\r\n")
            try await client.send(count: Self.length)
            try await client.stall()
        } _: { url in
            try await withTransport { transport in
                var count = 0
                for try await chunk in try await transport.get(url).body.chunks() { count += chunk.count }
                return count
            }
        }
        #expect(count == Self.length)
    }

    @Test func aLongBodyGoesUpWhole() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            let received = try await client.skip(Self.length)
            let status = received == Self.length ? "204 No Content" : "400 Bad Request"
            try await client.send("HTTP/1.1 \(status)\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let left = Mutex(Self.length)
                let chunks = ByteChunks {
                    left.withLock { left in
                        guard left > 0 else { return nil }
                        left -= 65_536
                        return [UInt8](repeating: 1, count: 65_536)
                    }
                }
                let body = ByteContent(chunks, length: Int64(Self.length))
                let got = try await transport.get(url, .put, body: body).head.status
                #expect(got == .noContent)
            }
        }
    }

    /// What was sent and is not read yet waits at the server, but for what the two sockets hold.
    @Test func aServerIsNotReadFasterThanItsReader() async throws {
        let sent = Mutex(0)
        // The buffers of the two sockets may hold tens of megabytes.
        let total = 128 * 1024 * 1024
        let piece = 64 * 1024
        try await RawServer.run { client in
            let isOther = try await client.requestHead().hasPrefix("get /other")
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            for _ in 0..<total / piece {
                try await client.send(count: piece)
                if !isOther { sent.withLock { $0 += piece } }
            }
            try await client.stall()
        } _: { url in
            try await withTransport { transport in
                let response = try await transport.get(url)
                // While another body comes down whole, the server would run ahead with this one, if it were let.
                var other = 0
                for try await chunk in try await transport.get(url + "/other").body.chunks() { other += chunk.count }
                #expect(other == total)
                var read = 0
                for try await chunk in try response.body.chunks() {
                    let ahead = sent.withLock { $0 } - read
                    #expect(ahead < total / 2)
                    read += chunk.count
                }
                #expect(read == total)
            }
        }
    }

    @Test func aBodyThatIsDroppedEndsItsConnection() async throws {
        let (closed, signal) = AsyncStream<Void>.makeStream()
        try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            try await client.stall()
            signal.finish()
        } _: { url in
            try await withTransport { transport in
                _ = try await transport.get(url)
                for await _ in closed {}
            }
        }
    }

    @Test func aBodyOutlivesItsTransport() async throws {
        let text = try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } _: { url in
            let response = try await AsyncHTTPTransport().get(url)
            return String(decoding: try await response.body.collect(upTo: 10), as: UTF8.self)
        }
        #expect(text == "ok")
    }
}
