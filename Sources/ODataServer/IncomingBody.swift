import ByteStreams
import HummingbirdCore
import NIOCore

/// A request's body: each pull takes the next bytes off the connection.
actor IncomingBody {
    private var iterator: RequestBody.AsyncIterator
    private var missing: Int64?

    /// - Parameter length: From `Content-Length`, if there is one.
    init(_ body: RequestBody, length: Int64?) {
        iterator = body.makeAsyncIterator()
        missing = length
    }

    /// - Throws: ``ByteStreamError`` if the connection ended before all bytes came, and what the connection throws.
    func next() async throws -> [UInt8]? {
        var iterator = iterator
        defer { self.iterator = iterator }
        while let buffer = try await iterator.next(isolation: self) {
            guard buffer.readableBytes > 0 else { continue }
            missing = missing.map { $0 - Int64(buffer.readableBytes) }
            return Array(buffer.readableBytesView)
        }
        if let missing, missing > 0 {
            throw ByteStreamError(.unreadable, "The request's body ended \(missing) bytes too early.")
        }
        return nil
    }
}
