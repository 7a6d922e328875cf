import GRDB
import ODataModel
import ODataQuery
import ODataStores

/// Makes changes in an offline store, and puts their requests into the queue.
struct LocalChangeWriter {
    let state: StoreState
    let streams: StoreMedia
    let transfers: RunningTransfers
    let configuration: OfflineStore.Configuration

    /// Makes changes, then room in the media folder for new streams.
    ///
    /// - Parameter isSet: Whether the service is to execute all of them or none.
    func make(_ changes: [LocalChange], isSet: Bool) async throws -> [ChangeResult] {
        try state.database.checkWritable(for: "Changes are")
        let results = try await storeStreamsAndQueue(changes, isSet: isSet)
        // The changes are made, whether the room for their streams can be made or not.
        if changes.contains(where: { $0.request.stream != nil }) { try? await streams.makeRoom() }
        return results
    }

    /// Streams go to the media folder first, then everything else happens in one transaction.
    private func storeStreamsAndQueue(_ changes: [LocalChange], isSet: Bool) async throws -> [ChangeResult] {
        do {
            return try await streams.writing {
                var changes = changes
                for index in changes.indices {
                    guard let content = changes[index].request.stream else { continue }
                    let limits = ContentLimits(
                        at: changes[index].request.target, in: try state.working().offline.model)
                    try limits.check(length: content.content.length, type: content.contentType)
                    let media = try await streams.store(content)
                    try limits.check(length: media.length, type: content.contentType)
                    changes[index].media = media
                }
                let results = try await state.inCurrentDatabase { [changes] offline, database in
                    guard let offline else { throw ODataError.neverOpened }
                    return try await queue(changes, offline, in: database, isSet: isSet)
                }
                await transfers.endNeedless(in: state.database)
                return results
            }
        } catch {
            throw ODataError(any: error)
        }
    }

    /// One transaction: the rows as the changes make them, and their requests in the queue.
    private func queue(
        _ changes: [LocalChange], _ offline: OfflineModel, in database: StoreDatabase, isSet: Bool
    ) async throws -> [ChangeResult] {
        try await database.writingDurably(survivesPowerLoss: configuration.changesSurvivePowerLoss) {
            [configuration] db in
            var transaction = StoreTransaction(db: db, offline: offline, configuration: configuration)
            if isSet { transaction.changeSet = try StoreValues(db: db).nextID() }
            var made: [String: EntityRow] = [:]
            return try changes.enumerated().map { index, change in
                do {
                    transaction.options = change.options
                    let outcome = try transaction.apply(change, made: made)
                    if let id = change.request.contentID, let row = outcome.row { made[id] = row }
                    return ChangeResult(
                        outcome.outcome, entity: outcome.entity, path: outcome.path,
                        entityID: outcome.path?.url, etag: outcome.etag)
                } catch {
                    var failure = ODataError(any: error)
                    if isSet { failure.requestIndex = index }
                    throw failure
                }
            }
        }
    }
}
