import ODataStores

/// The result of an upload.
public struct UploadReport: Sendable {
    /// The requests that the service has executed.
    public var succeeded: [QueueEntry] = []
    /// The refusals, one entry for a change set; the requests stay in the queue.
    public var failed: [ErrorEntry] = []
    /// The requests that were held back because one they depend on failed, is unconfirmed, waits for another network or was
    /// stopped by the app.
    public var held: [QueueEntry] = []
    /// The requests that may have been executed: their responses were lost, and probes could not determine the outcome.
    public var unconfirmed: [QueueEntry] = []
    /// The requests that were not tried because the upload ended before.
    public var notSent: [QueueEntry] = []
    /// The requests that a conflict's resolution dropped, and streams that were deleted while they were sent.
    public var givenUp: [QueueEntry] = []

    /// The requests whose streams the network policy does not allow now: the next upload asks it again.
    public var waitingStreams: [QueueEntry] = []
    /// The requests whose streams the app has paused or cancelled. The next upload sends those that were cancelled.
    public var stoppedStreams: [QueueEntry] = []

    /// Notices about the course of the upload.
    package var notice: String?

    /// The report of an upload without requests.
    public init() {}

    /// Whether all requests of the upload are done.
    public var isComplete: Bool {
        failed.isEmpty && [held, unconfirmed, notSent, waitingStreams, stoppedStreams].allSatisfy(\.isEmpty)
    }
}

/// The cause of the ``ODataError`` of an upload that ended early, with the report until then.
public struct UploadInterruption: Error {
    /// The complete report: ``UploadReport/notSent`` has the requests that were not tried.
    public var report: UploadReport
    /// The underlying error that ended the upload, such as a `TransportError`; nil if there is none.
    public var cause: (any Error)?
}

/// The progress of an upload.
public struct UploadProgress: Sendable, Hashable {
    /// The requests of the upload: those that waited when it began, and those that it has found since.
    public var requests: Int
    /// Of these, the ones that were sent, failed or were held back.
    public var done: Int
    /// What is being sent, if something is.
    public var current: QueueEntry?
    /// The bytes of streams that the service has, of ``streamBytes``; never fewer than before. A stream that is sent as
    /// a whole is counted at its end.
    public var acknowledgedBytes: Int64 = 0
    /// The bytes of the streams that this upload has sent or begun to send.
    public var streamBytes: Int64 = 0
}
