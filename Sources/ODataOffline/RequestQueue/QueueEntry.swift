/// A request that waits to be sent, as the app sees it.
public struct QueueEntry: Hashable, Sendable, Identifiable {
    /// Where a request stands.
    public enum State: String, Sendable {
        /// Not sent yet.
        case waiting
        /// Being sent: an answer is waited for.
        case sending
        /// Sent, but no answer came: it may have been executed. It is sent again with the same repeatability id.
        case unconfirmed
        /// The service refused it: see the error archive. The next upload tries it again.
        case failed
        /// Not sent, because a request it depends on failed.
        case held

        /// Whether the service may have executed the request without the store knowing.
        var mayBeExecuted: Bool { self == .sending || self == .unconfirmed }
    }

    public var id: Int64
    /// `POST`
    public var method: String
    /// Relative to the service root: `Orders(1)`
    public var url: String
    public var state: State
    /// How often it was sent.
    public var attempts: Int
    public var entitySet: String
    /// The body as it would be sent now, for requests with a JSON body.
    public var body: String?
    /// When it was made, in UTC: `2024-01-02T03:04:05`
    public var created: String
    /// The number of the change set it belongs to; nil: none.
    public var changeSet: Int64?

    init(_ record: QueueRecord) {
        id = record.id
        method = record.method
        url = record.url
        state = record.state
        attempts = record.attempts
        entitySet = record.set
        body = record.body.map { String(decoding: $0, as: UTF8.self) }
        created = record.created
        changeSet = record.changeSet
    }
}
