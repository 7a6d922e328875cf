import ODataStores

extension OfflineStore {
    /// The difference between the service's metadata and those of the store, and the conflicts with the store's
    /// content. Nothing is changed: downloads apply compatible changes.
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
