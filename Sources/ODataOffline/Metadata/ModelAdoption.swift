import Foundation
import GRDB
import ODataFormats
import ODataMetadata
import ODataModel
import ODataStores

/// Takes up what the service has changed in its metadata.
struct ModelAdoption {
    let state: StoreState

    /// The first model of the store.
    ///
    /// - Throws: ``ODataError`` of the remote store, or `badRequest` if a query that was added before does not fit
    ///   the model.
    func fetch(from remote: (any ODataStore)?) async throws {
        guard let remote else { throw ODataError.neverOpened }
        let model = try await remote.model()
        let locals = try await state.database.reading { try StoredMetadata(db: $0).locals() }
        let kept = try OfflineModel.kept(model, locals: locals)
        let known = try await state.database.reading { try QueryRecord.all(in: $0).map(\.definition) }
        for query in known { _ = try QueryCheck(offline: kept.offline).bound(query) }
        try await migrate(from: nil, to: kept.offline, metadata: kept.xml)
        state.know(kept.offline, as: model)
        try await state.database.writing { try StoreValues(db: $0).set(service: remote) }
    }

    /// The model for a download: applies the service's additions, and removals of unused elements.
    ///
    /// - Returns: The model, and the reason why the service's metadata could not be read although the service responds:
    ///   the store then continues with its metadata.
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

    /// Takes up another declaration of client-only sets.
    func declare(_ locals: LocalSets) async throws {
        let offline = try state.working().offline
        let new = try OfflineModel(service: offline.service, locals: locals)
        try await migrate(from: offline, to: new, metadata: nil) { [state] in
            try state.checkDefinable("Client-only sets cannot be declared", during: ["download", "rebuild"])
        }
        state.know(new, as: state.adoptedModel)
    }

    /// Changes the tables for another model and stores that model in one transaction.
    ///
    /// - Parameters:
    ///   - old: Nil if the store's model was lost: missing tables and columns are then added.
    ///   - check: Called in the transaction before anything else.
    private func migrate(
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
    /// The metadata document to store.
    fileprivate static func written(_ service: EdmModel) throws -> Data {
        do { return Data(try CSDL.xml(service)) } catch {
            throw ODataError(.invalidResponse, "The service's metadata cannot be kept: \(error)", cause: error)
        }
    }

    /// The model as it is read back from the stored document, so that this run uses the same model as later ones.
    static func kept(_ service: EdmModel, locals: LocalSets?) throws -> (offline: OfflineModel, xml: Data) {
        let xml = try written(service)
        return (try OfflineModel(metadata: [UInt8](xml), locals: locals), xml)
    }
}

extension ODataError {
    /// Whether the service responds, but not with metadata.
    fileprivate var isOfMetadataOnly: Bool {
        switch code {
        case .notFound, .gone, .forbidden, .invalidResponse, .internalError, .notImplemented, .methodNotAllowed: true
        default: false
        }
    }
}
