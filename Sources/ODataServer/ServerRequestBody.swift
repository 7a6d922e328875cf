import ByteStreams
import HummingbirdCore
import NIOCore
import Synchronization

/// A request's body: each pull takes the next bytes off the connection.
actor ServerRequestBody {
    private var iterator: RequestBody.AsyncIterator
    /// From `Content-Length`, if there is one.
    nonisolated let length: Int64?
    private var missing: Int64?
    private let slow = Atomic(false)
    private let asked = Atomic(false)
    private let whenAsked: @Sendable () -> Void

    /// - Parameters:
    ///   - length: From `Content-Length`, if there is one.
    ///   - whenAsked: Called before the first bytes are waited for.
    init(_ body: RequestBody, length: Int64?, whenAsked: @escaping @Sendable () -> Void) {
        iterator = body.makeAsyncIterator()
        self.length = length
        self.whenAsked = whenAsked
        missing = length
    }

    /// Whether the connection gave up waiting for it.
    nonisolated var isTooSlow: Bool { slow.load(ordering: .relaxed) }

    /// Whether any of it was requested.
    nonisolated var isAsked: Bool { asked.load(ordering: .relaxed) }

    /// - Throws: ``ByteStreamError`` if the connection ended or broke before all bytes arrived.
    func next() async throws -> [UInt8]? {
        if !asked.exchange(true, ordering: .relaxed) { whenAsked() }
        while let buffer = try await buffer() {
            guard buffer.readableBytes > 0 else { continue }
            missing = missing.map { $0 - Int64(buffer.readableBytes) }
            return Array(buffer.readableBytesView)
        }
        if let missing, missing > 0 { throw cut }
        return nil
    }

    /// The connection's own error for a body that is cut short does not help a client.
    private func buffer() async throws -> ByteBuffer? {
        var iterator = iterator
        defer { self.iterator = iterator }
        do {
            return try await iterator.next(isolation: self)
        } catch let error as CancellationError {
            throw error
        } catch is WaitHandler.SlowBody {
            slow.store(true, ordering: .relaxed)
            throw ByteStreamError(.unreadable, "The request's body arrived too slowly.")
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
