import ODataStores

extension OfflineStore {
    /// How the service's metadata differ from those that the store was made with, and what is in the way of going
    /// on with them. Nothing is changed: downloads take up what they can.
    ///
    /// - Throws: ``ODataError`` of the remote store.
    public func metadataDifference() async throws -> ModelDifference {
        let offline = try offlineModel()
        guard let remote else { throw ODataError.withoutService }
        let kept = try OfflineModel.kept(try await remote.currentModel(), locals: offline.locals)
        return try await database.reading { db in
            try MetadataUse(db: db, old: offline, new: kept.offline).difference()
        }
    }

    var models: ModelAdoption { ModelAdoption(state: state) }
}
