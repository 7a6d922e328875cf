import ODataStores

/// What became of the queue in an upload.
public struct UploadReport: Sendable {
    /// The requests that the service has executed.
    public var succeeded: [QueueEntry] = []
    /// What it refused, one entry for a change set; the requests stay in the queue.
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

    /// The report of an upload that had nothing to send.
    public init() {}

    /// Whether nothing is left of what the upload was about.
    public var isComplete: Bool {
        failed.isEmpty && [held, unconfirmed, notSent, waitingStreams, stoppedStreams].allSatisfy(\.isEmpty)
    }
}

/// Why an upload ended before its end, as the cause of the ``ODataError`` it throws: what had become of
/// the queue until then.
public struct UploadInterruption: Error {
    /// Complete: ``UploadReport/notSent`` has what the upload did not come to.
    public var report: UploadReport
    /// What is below the error that ended the upload, such as a `TransportError`; nil where nothing does.
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
    /// The bytes of streams that the service has, of ``streamBytes``; never fewer than before. Of a stream that is sent
    /// whole it tells when it has all.
    public var acknowledgedBytes: Int64 = 0
    /// The bytes of the streams that this upload has sent or begun to send.
    public var streamBytes: Int64 = 0
}
