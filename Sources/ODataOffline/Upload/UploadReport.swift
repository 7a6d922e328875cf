import ODataStores

/// What became of the queue in an upload.
public struct UploadReport: Sendable {
    /// The requests that the service has executed.
    public var succeeded: [QueueEntry] = []
    /// What it refused, one entry for a change set; the requests stay in the queue.
    public var failed: [ErrorEntry] = []
    /// The requests that were held back because one they depend on failed or is unconfirmed.
    public var held: [QueueEntry] = []
    /// The requests that may have been executed: no answer came, and nothing and nobody could tell.
    public var unconfirmed: [QueueEntry] = []
    /// The requests that were not tried because the upload ended before.
    public var notSent: [QueueEntry] = []
    /// The requests that a conflict's resolution dropped.
    public var givenUp: [QueueEntry] = []

    public init() {}

    /// Whether nothing is left of what the upload was about.
    public var isComplete: Bool { failed.isEmpty && held.isEmpty && unconfirmed.isEmpty && notSent.isEmpty }
}

/// Why an upload ended before its end, as the cause of the ``ODataStores/ODataError`` it throws: what had become of
/// the queue until then.
public struct UploadInterruption: Error {
    public var report: UploadReport
    public var cause: (any Error)?
}

/// How far an upload has come.
public struct UploadProgress: Sendable, Hashable {
    /// Requests that the upload is about: those that waited when it began, and those that it has found since.
    public var requests: Int
    /// Of these, the ones that were sent, failed or were held back.
    public var done: Int
    /// What is being sent, if something is.
    public var current: QueueEntry?
}
