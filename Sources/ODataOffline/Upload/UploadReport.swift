import ODataStores

/// What became of the queue in an upload.
public struct UploadReport: Sendable {
    /// The requests that the service has executed.
    public var succeeded: [QueueEntry] = []
    /// The requests that it refused; they stay in the queue.
    public var failed: [ErrorEntry] = []
    /// The requests that were held back because one they depend on failed.
    public var held: [QueueEntry] = []

    /// The requests that a conflict's resolution dropped.
    public var givenUp: [QueueEntry] = []

    public init() {}

    /// Whether nothing is left in the queue.
    public var isComplete: Bool { failed.isEmpty && held.isEmpty }
}

/// How far an upload has come.
public struct UploadProgress: Sendable, Hashable {
    /// Requests that waited when the upload began.
    public var requests: Int
    /// Of these, the ones that were sent, failed or were held back.
    public var done: Int
    /// What is being sent, if something is.
    public var current: QueueEntry?
}
