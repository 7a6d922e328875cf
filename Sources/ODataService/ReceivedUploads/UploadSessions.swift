import ByteStreams
import Synchronization

/// The requests to uploads that are under way: one for each upload. A new one ends the bytes that an older one still
/// waits for, since its client has given it up, and then has its turn.
///
/// [draft-ietf-httpbis-resumable-upload-12, section 4.6: Concurrency]
final class UploadSessions: Sendable {
    private struct Work: Sendable {
        var cancel: @Sendable () -> Void
        /// Waits until it has ended.
        var end: @Sendable () async throws -> Void
    }

    private let works = Mutex<[String: Work]>([:])

    /// Does `receiving` and then `finish`, and nothing else for this upload at the same time.
    ///
    /// - Parameters:
    ///   - receiving: Is cancelled when another request arrives.
    ///   - finish: Is not.
    func run<Received: Sendable, Response: Sendable>(
        _ token: String, receiving: @escaping @Sendable () async throws -> Received,
        then finish: @escaping @Sendable (Received) async throws -> Response
    ) async throws -> Response {
        while true {
            let (task, earlier) = works.withLock { works -> (Task<Response, any Error>?, Work?) in
                if let earlier = works[token] { return (nil, earlier) }
                let reception = Task<Received, any Error> { try await receiving() }
                let task = Task<Response, any Error> {
                    defer { self.end(token) }
                    return try await finish(try await reception.value)
                }
                works[token] = Work(cancel: { reception.cancel() }, end: { try await Self.end(of: task) })
                return (task, nil)
            }
            if let task { return try await task.value }
            earlier?.cancel()
            try await earlier?.end()
        }
    }

    /// - Throws: `CancellationError` if the caller is cancelled, which does not wait any longer.
    private static func end(of task: Task<some Sendable, any Error>) async throws {
        do { _ = try await task.valueUnlessCancelled() } catch { try Task.checkCancellation() }
    }

    private func end(_ token: String) { _ = works.withLock { $0.removeValue(forKey: token) } }
}
