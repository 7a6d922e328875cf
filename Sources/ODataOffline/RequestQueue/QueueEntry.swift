import ODataStores

/// A waiting request, as the app sees it.
public struct QueueEntry: Hashable, Sendable, Identifiable {
    /// The state of a request.
    public enum State: String, Sendable {
        /// Not sent yet.
        case waiting
        /// Sent, and the response is awaited.
        case sending
        /// Sent, but its response was lost, or its repetition failed: it may have been executed. The next upload
        /// determines the outcome as far as possible.
        case unconfirmed
        /// The service refused it: see the error archive. The next upload tries it again.
        case failed
        /// Not sent, because a request it depends on failed, is unconfirmed, waits for another network or was stopped by the
        /// app.
        case held

        /// Whether the service may have executed the request without the store knowing.
        var mayBeExecuted: Bool { self == .sending || self == .unconfirmed }
    }

    public var id: Int64
    /// Requests are sent in the order of their positions, as far as they depend on each other.
    public var position: Int64
    /// `POST`
    public var method: String
    /// Relative to the service root: `Orders(1)`
    public var url: String
    /// The state when the queue was read; an upload changes it.
    public var state: State
    /// The number of times it was sent.
    public var attempts: Int
    /// The set of ``entity``; empty for unbound actions.
    public var entitySet: String
    /// The entity that the request changes, relative to the service root: `Orders(1)`. Nil for actions that are not
    /// bound to an entity.
    public var entity: String?
    /// The headers that the app has added.
    public var headers: [HeaderField]
    /// See ``RequestOptions/tag``; nil if the app has not set one.
    public var tag: String?
    /// See ``RequestOptions/category``; nil if the app has not set one.
    public var category: String?
    /// The requests that must have succeeded before this one is sent.
    public var dependsOn: [Int64]
    /// Requests with the same number are one change set: they succeed or fail as one.
    public var changeSet: Int64?
    /// The mechanism that ensures that it is executed once; nil before it is sent.
    public var exactlyOnce: ExactlyOnce?
    /// The body as it would be sent now, for requests with a JSON body.
    public var body: String?
    /// The time of its creation, in UTC: `2024-01-02T03:04:05`
    public var created: String
    /// The time when it was last sent, in the same form; nil if it was not sent.
    public var lastSent: String?

    init(_ record: QueueRecord) {
        id = record.id
        position = record.id
        method = record.method
        url = record.url
        state = record.state
        attempts = record.attempts
        entitySet = record.set
        body = record.body.map { String(decoding: $0, as: UTF8.self) }
        created = record.created
        lastSent = record.sent
        entity = record.entity
        headers = record.headers
        tag = record.tag
        category = record.category
        dependsOn = record.dependsOn
        changeSet = record.changeSet
        exactlyOnce = record.mechanism
    }
}
