import ODataStores

/// The result of a synchronization.
public struct SyncReport: Sendable {
    /// The result of the upload; nil if no request was in the queue, or an error ended the upload before its first
    /// request.
    public var upload: UploadReport?
    /// The result of the download; nil if an error ended it, or the upload before it.
    public var download: DownloadReport?
    /// The time of the upload.
    public var uploading = Duration.zero
    /// The time of the download.
    public var downloading = Duration.zero

    /// The report of a synchronization that has not begun.
    public init() {}

    /// Whether all requests were sent and accepted, and all queries and streams are up to date.
    public var isComplete: Bool {
        guard upload?.isComplete ?? true, let download else { return false }
        return download.failedStreams.isEmpty && download.waitingStreams == 0 && download.pausedStreams == 0
    }

    /// A text of one line for the user: `3 requests sent, 1 failed; 2 queries, 14 entities, 0 streams (0 bytes)`
    public var summary: String {
        var parts: [String] = []
        if let upload {
            let waiting = [upload.held, upload.notSent, upload.waitingStreams, upload.stoppedStreams]
                .reduce(0) { $0 + $1.count }
            var text = upload.succeeded.count.counted("request") + " sent"
            if !upload.failed.isEmpty { text += ", \(upload.failed.count) failed" }
            if !upload.unconfirmed.isEmpty { text += ", \(upload.unconfirmed.count) unconfirmed" }
            if waiting > 0 { text += ", \(waiting) waiting" }
            parts.append(text)
        }
        if let download { parts.append(download.summary) }
        return parts.isEmpty ? "nothing was sent or received" : parts.joined(separator: "; ")
    }
}

/// The cause of the ``ODataError`` of a synchronization that ended early, with the report until then.
public struct SyncInterruption: Error {
    /// What was done before.
    public var report: SyncReport
    /// The underlying error, such as an ``UploadInterruption`` or a `TransportError`; nil if there is none.
    public var cause: (any Error)?
}
