import ODataMedia
import ODataStores

/// The transfers of streams, one by one. What the app says of them holds until the store is closed.
extension OfflineStore {
    /// The streams of the download or upload that runs or ran last, and those that wait or are paused, in the order they
    /// became known in. A stream of a change set of several changes is not one of them: it is sent with the rest of its
    /// set. Of a download of very many streams those are known that come next, about a thousand, and those that ended
    /// last.
    public var transferSnapshots: [TransferSnapshot] { transferBoard.snapshots }

    /// ``transferSnapshots``, then each change of one; changes of a transfer that come faster than they are taken are
    /// seen together. One that leaves ``transferSnapshots`` before anything of it was taken is not seen. Ends
    /// when the store is closed.
    ///
    ///     for await transfer in store.transferChanges { print(transfer.path, transfer.transferred, transfer.state) }
    public var transferChanges: AsyncStream<TransferSnapshot> { transferBoard.changes }

    /// Stops a transfer, which keeps what has come or was acknowledged, or lets it not begin, until it is resumed. A
    /// download or an upload does not wait for those that are paused: it ends without them. In an upload other requests
    /// are sent meanwhile; what depends on the paused one waits, and is held back in the end. Deletions of what its entity
    /// may refer to are not sent before it either.
    ///
    /// - Returns: False if there is nothing to pause, or the stream is on its way to a service that takes it only whole:
    ///   ``TransferSnapshot/canPause``.
    @discardableResult
    public func pauseTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.pause(id) }

    /// Lets a paused transfer go on when it is its turn: in the download or upload that runs, unless that has given it up
    /// already because nothing else was left, else in the next one.
    ///
    /// - Returns: False if it was not paused.
    @discardableResult
    public func resumeTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.resume(id) }

    /// Takes a transfer out of the download or upload that runs. The report of a download has it among the failed ones
    /// with `cancelled`, that of an upload among ``UploadReport/stoppedStreams``; its request stays in the queue. The next
    /// download or upload continues where it stopped, or begins it again where the service takes streams only whole;
    /// then it is found out first whether the service has carried it out.
    ///
    /// - Returns: False if it is over.
    @discardableResult
    public func cancelTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.cancel(id) }

    /// Changes the place of a transfer among those that wait: the greatest priority is first. A running one continues.
    /// Streams that are sent change places with each other only, and none comes before what it depends on.
    ///
    /// - Returns: False if it is over.
    @discardableResult
    public func setPriority(_ priority: Int, ofTransfer id: TransferSnapshot.ID) -> Bool {
        transferBoard.setPriority(priority, of: id)
    }
}
