import ODataMedia
import ODataStores

/// The transfers of streams, one by one. The app's controls of transfers last until the store is closed.
extension OfflineStore {
    /// The streams of the running or last download or upload, and those that wait or are paused, in the order they
    /// became known. A stream of a change set of several changes is not among them: it is sent with its change set. Of
    /// a download of very many streams the next ones, about a thousand, and those that ended last are known.
    public var transferSnapshots: [TransferSnapshot] { transferBoard.snapshots }

    /// ``transferSnapshots``, then each change of one; changes of a transfer that are faster than the iterator are
    /// combined. A transfer that leaves ``transferSnapshots`` before it was returned is omitted. Ends when the store is
    /// closed.
    ///
    ///     for await transfer in store.transferChanges { print(transfer.path, transfer.transferred, transfer.state) }
    public var transferChanges: AsyncStream<TransferSnapshot> { transferBoard.changes }

    /// Pauses a transfer until it is resumed; received or acknowledged bytes are kept. A download or an upload ends
    /// without waiting for paused transfers. An upload sends other requests meanwhile; requests that depend on the
    /// paused one wait, and are held at the end. Deletions of entities that its entity may refer to are not sent before
    /// it either.
    ///
    /// - Returns: False if there is nothing to pause, or the stream is being sent to a service that accepts it only as
    ///   a whole: ``TransferSnapshot/canPause``.
    @discardableResult
    public func pauseTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.pause(id) }

    /// Resumes a paused transfer in the running download or upload, unless that has already stopped waiting for it;
    /// else in the next one.
    ///
    /// - Returns: False if it was not paused.
    @discardableResult
    public func resumeTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.resume(id) }

    /// Removes a transfer from the running download or upload. The report of a download has it among the failed streams
    /// with `cancelled`, that of an upload among ``UploadReport/stoppedStreams``; its request stays in the queue. The
    /// next download or upload continues where it stopped, or starts again if the service accepts streams only as a
    /// whole; the store then first determines whether the service has executed the request.
    ///
    /// - Returns: False if it is over.
    @discardableResult
    public func cancelTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.cancel(id) }

    /// Changes the priority of a waiting transfer: the greatest priority is first. A running one continues. Uploads are
    /// only reordered among each other, and none is sent before a request that it depends on.
    ///
    /// - Returns: False if it is over.
    @discardableResult
    public func setPriority(_ priority: Int, ofTransfer id: TransferSnapshot.ID) -> Bool {
        transferBoard.setPriority(priority, of: id)
    }
}
