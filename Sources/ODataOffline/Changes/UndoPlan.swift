import ODataQuery

/// Which requests are to be taken back. Those of a change set go together: one takes the others along.
public enum UndoScope: Hashable, Sendable {
    /// One request, by its ``QueueEntry/id``.
    case request(Int64)
    /// All that waits for one entity; one that was deleted here too.
    case entity(ResourcePath)
    /// The requests of one change set.
    case changeSet(Int64)
    /// The requests of one upload category.
    case category(String)
    /// All that waits.
    case everything
}

/// What an undo drops: the requests of its scope, those that name an entity whose creation is among them, those that
/// take away a link which only a dropped request makes, and all of each change set that one of them belongs to.
public struct UndoPlan: Hashable, Sendable {
    /// The requests, in the order of the queue.
    public var requests: [QueueEntry] = []
    /// Entities that were made here and go, relative to the service root.
    public var removedEntities: [String] = []
    /// Entities that become what the last download has brought, with the changes that are left on top.
    public var restoredEntities: [String] = []
    /// Streams whose local content is removed: `Photos(1)/$value`
    public var streams: [String] = []

    /// A plan that drops nothing.
    public init() {}

    /// The requests that the service may have executed: an undo refuses them unless it is forced.
    public var unconfirmed: [QueueEntry] { requests.filter(\.state.mayBeExecuted) }
}
