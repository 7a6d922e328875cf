import Crypto
import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataStores

/// The metadata as a store keeps them: the document and, so that a store with a large one opens at once, the model in
/// it.
///
/// The compiled model is not used alone. Unless it was made of this very document, by this version, and is as
/// it was, the document is read:
///
///     0    1   the version of the form, see ``CompiledModel/version``
///     1   32   SHA-256 of the metadata document
///     33  32   SHA-256 of what follows
///     65   …   the compiled model
struct StoredMetadata {
    private static let headerSize = 65

    let db: Database

    func locals() throws -> LocalSets? {
        try data("localMetadata").map { try LocalSets(csdl: String(decoding: $0, as: UTF8.self)) }
    }

    /// What the store knows of the service, and whether it was there compiled; nil if it has never been opened with it,
    /// or if what it kept was lost: the next opening while the service is reachable gets it again.
    func model() throws -> (offline: OfflineModel, isCompiled: Bool)? {
        guard let document = try data("metadata") else { return nil }
        let locals = try locals()
        if let service = try compiled(document) {
            return (try OfflineModel(service: service, locals: locals), true)
        }
        do {
            return (try OfflineModel(metadata: [UInt8](document), locals: locals), false)
        } catch let error as ODataError where error.code == .unusableStore {
            return nil
        }
    }

    private func compiled(_ document: Data) throws -> ServiceModel? {
        guard let bytes = try data("compiledMetadata").map([UInt8].init), bytes.count > Self.headerSize,
            bytes[0] == CompiledModel.version, SHA256.hash(data: document).elementsEqual(bytes[1..<33]),
            SHA256.hash(data: bytes[Self.headerSize...]).elementsEqual(bytes[33..<Self.headerSize])
        else { return nil }
        return try? ServiceModel(CompiledModel.contents(from: Array(bytes[Self.headerSize...])))
    }

    /// - Parameter model: What the document says.
    func set(_ document: Data, _ model: EdmModel) throws {
        try StoreValues(db: db).set("metadata", document)
        try compile(model)
    }

    /// Keeps what the document that is here says.
    func compile(_ model: EdmModel) throws {
        // The document alone will do.
        guard let document = try data("metadata"), let body = try? CompiledModel.bytes(of: model) else { return }
        let header = [CompiledModel.version] + SHA256.hash(data: document) + SHA256.hash(data: body)
        try StoreValues(db: db).set("compiledMetadata", Data(header + body))
    }

    private func data(_ name: String) throws -> Data? {
        try Data.fetchOne(db, sql: #"SELECT "value" FROM \#(.store) WHERE "name" = ?"#, arguments: [name])
    }
}
