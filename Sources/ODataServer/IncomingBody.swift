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

    /// - Throws: ``ByteStreamError`` if the connection ended or broke before all bytes came.
    func next() async throws -> [UInt8]? {
        while let buffer = try await buffer() {
            guard buffer.readableBytes > 0 else { continue }
            missing = missing.map { $0 - Int64(buffer.readableBytes) }
            return Array(buffer.readableBytesView)
        }
        if let missing, missing > 0 { throw cut }
        return nil
    }

    /// The connection's own error for a body that is cut short tells a client nothing.
    private func buffer() async throws -> ByteBuffer? {
        var iterator = iterator
        defer { self.iterator = iterator }
        do {
            return try await iterator.next(isolation: self)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw cut
        }
    }

    private var cut: ByteStreamError {
        guard let missing else {
            return ByteStreamError(.unreadable, "The request's body ended before its last chunk.")
        }
        return ByteStreamError(.unreadable, "The request's body ended \(missing) bytes too early.")
    }
}
