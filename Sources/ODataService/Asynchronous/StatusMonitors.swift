import HTTPTypes
import Synchronization

/// Responses that are made while the client does not wait, by the names of their status monitors.
///
/// [OData-Protocol, section 11.6: Asynchronous Requests]
final class StatusMonitors: Sendable {
    /// A response in memory.
    struct Response: Sendable {
        var head: HTTPResponse
        var body: [UInt8]
    }

    enum State: Sendable {
        case running
        case finished(Response)
    }

    /// Who asks for a response.
    struct Client: Sendable {
        /// The user, who alone gets it; nil: every client that has its URL.
        var user: String?
        /// The user, or else the address.
        var name: String?
    }

    /// How many responses there may be.
    struct Limits: Sendable {
        var all: Int
        var perClient: Int
    }

    private struct Entry {
        let client: Client
        var task: Task<Void, Never>?
        var response: Response?
        var expiry: ContinuousClock.Instant?
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
        self.now = now
    }

    /// Starts making a response; nil if there are as many as there may be.
    func start(
        for client: Client, limits: Limits, lifetime: Duration, _ body: @escaping @Sendable () async -> Response
    ) -> String? {
        let name = Self.name()
        let isAdmitted = entries.withLock { entries in
            entries = entries.filter { $0.value.expiry.map { $0 > now() } ?? true }
            let own = entries.values.count { $0.client.name == client.name }
            guard entries.count < limits.all, own < limits.perClient else { return false }
            entries[name] = Entry(client: client)
            return true
        }
        guard isAdmitted else { return nil }
        let task = Task { finish(name, await body(), lifetime: lifetime) }
        entries.withLock { $0[name]?.task = task }
        return name
    }

    private func finish(_ name: String, _ response: Response, lifetime: Duration) {
        let waiting = entries.withLock { entries -> [AsyncStream<Void>.Continuation] in
            guard var entry = entries[name] else { return [] }
            let waiting = entry.waiting
            entry.response = response
            entry.expiry = now() + lifetime
            entry.waiting = []
            entry.task = nil
            entries[name] = entry
            return waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Nil for a name that is not known, or not any more, and for a response to another user.
    func state(of name: String, for client: Client) -> State? {
        entries.withLock { entries in
            guard let entry = entries[name], entry.client.user == client.user else { return nil }
            if let expiry = entry.expiry, expiry <= now() {
                entries[name] = nil
                return nil
            }
            return entry.response.map(State.finished) ?? .running
        }
    }

    /// Returns when the response is there, or after `limit`.
    func wait(for name: String, atMost limit: Duration) async {
        let (finished, continuation) = AsyncStream<Void>.makeStream()
        let isRunning = entries.withLock { entries in
            guard var entry = entries[name], entry.response == nil else { return false }
            entry.waiting.append(continuation)
            entries[name] = entry
            return true
        }
        guard isRunning else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in finished {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Cancels what is not finished, forgets what is; false for a name that is not known.
    func remove(_ name: String, for client: Client) -> Bool {
        let entry = entries.withLock { entries in
            entries[name]?.client.user == client.user ? entries.removeValue(forKey: name) : nil
        }
        entry?.task?.cancel()
        for continuation in entry?.waiting ?? [] { continuation.finish() }
        return entry != nil
    }

    /// A name that cannot be guessed.
    private static func name() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
    }
}
