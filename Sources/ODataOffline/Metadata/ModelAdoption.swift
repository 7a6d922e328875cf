import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataStores

/// Takes up what the service has changed in its metadata.
struct ModelAdoption {
    let state: StoreState

    /// The model for a download: what the service has added is taken up, and what it has removed is let go where
    /// nothing uses it.
    ///
    /// - Returns: Beside the model, why the service's metadata could not be read though the service answers: the
    ///   store continues with those it has.
    /// - Throws: ``ODataError`` `metadataChanged` if what the store holds does not fit; nothing is changed then.
    func current(from remote: any ODataStore) async throws -> (model: OfflineModel, problem: ODataError?) {
        let offline = try state.working().offline
        let service: EdmModel
        do { service = try await remote.currentModel() } catch let error as ODataError where error.isOfMetadataOnly {
            return (offline, error)
        }
        guard service !== state.adoptedModel else { return (offline, nil) }
        let adopted = try await adopt(service)
        return (adopted, nil)
    }

    private func adopt(_ service: EdmModel) async throws -> OfflineModel {
        let offline = try state.working().offline
        let xml = try OfflineModel.written(service)
        let stored = try await state.database.reading { db in
            try Data.fetchOne(db, sql: #"SELECT "value" FROM \#(.store) WHERE "name" = 'metadata'"#)
        }
        guard xml != stored else {
            state.know(offline, as: service)
            return offline
        }
        let kept = try OfflineModel.kept(service, locals: offline.locals)
        try await migrate(from: offline, to: kept.offline, metadata: kept.xml)
        state.know(kept.offline, as: service)
        return kept.offline
    }

    /// Brings the tables to what another model asks for and keeps that model: one transaction.
    ///
    /// - Parameters:
    ///   - old: Nil if what the store knew was lost: what is missing is added then.
    ///   - check: Within the transaction, before anything else.
    func migrate(
        from old: OfflineModel?, to new: OfflineModel, metadata: Data?,
        check: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        try await state.database.writingDurably { db in
            try check()
            if let old {
                let difference = try MetadataUse(db: db, old: old, new: new).difference()
                guard difference.isCompatible else { throw ODataError(difference) }
            }
            try MetadataMigration(db: db, old: old?.schema, new: new).run()
            if let metadata { try StoredMetadata(db: db).set(metadata, new.service) }
            try StoreValues(db: db).set("localMetadata", new.locals.map { Data($0.csdl.utf8) })
        }
    }
}

extension OfflineModel {
    /// The metadata document that is kept.
    fileprivate static func written(_ service: EdmModel) throws -> Data {
        do { return Data(try CSDL.xml(service)) } catch {
            throw ODataError(.invalidResponse, "The service's metadata cannot be kept: \(error)", cause: error)
        }
    }

    /// The model as it is read back from what is kept, so that this run works with the same as all later ones.
    static func kept(_ service: EdmModel, locals: LocalSets?) throws -> (offline: OfflineModel, xml: Data) {
        let xml = try written(service)
        return (try OfflineModel(metadata: [UInt8](xml), locals: locals), xml)
    }
}

extension ODataError {
    /// Whether the service answers, but not with metadata.
    fileprivate var isOfMetadataOnly: Bool {
        switch code {
        case .notFound, .gone, .forbidden, .invalidResponse, .internalError, .notImplemented, .methodNotAllowed: true
        default: false
        }
    }
}
