import ODataMedia
import ODataStores

/// The transfers of streams, one by one. What the app says of them holds until the store is closed.
extension OfflineStore {
    /// The streams of the download that runs or ran last, those that are paused too, in the order they became known in.
    public var transferSnapshots: [TransferSnapshot] { transferBoard.snapshots }

    /// ``transferSnapshots``, then each change of one; changes of a transfer that come faster than they are taken are
    /// seen together. Ends when the store is closed.
    ///
    ///     for await transfer in store.transferChanges { print(transfer.path, transfer.acknowledged, transfer.state) }
    public var transferChanges: AsyncStream<TransferSnapshot> { transferBoard.changes }

    /// Stops a transfer, which keeps what has come, or lets it not begin, until it is resumed. A download does not wait for
    /// those that are paused: it ends without them.
    ///
    /// - Returns: False if there is nothing to pause.
    @discardableResult
    public func pauseTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.pause(id) }

    /// Lets a paused transfer go on when it is its turn: in the download that runs, else in the next one.
    ///
    /// - Returns: False if it was not paused.
    @discardableResult
    public func resumeTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.resume(id) }

    /// Takes a transfer out of the download that runs, whose report has it among the failed ones with `cancelled`. The
    /// next download begins it again where it stopped.
    ///
    /// - Returns: False if it is over.
    @discardableResult
    public func cancelTransfer(_ id: TransferSnapshot.ID) -> Bool { transferBoard.cancel(id) }

    /// Changes the place of a transfer among those that wait: the greatest priority comes first. One that runs goes on.
    ///
    /// - Returns: False if it is over.
    @discardableResult
    public func setPriority(_ priority: Int, ofTransfer id: TransferSnapshot.ID) -> Bool {
        transferBoard.setPriority(priority, of: id)
    }
}
