import Crypto
import Foundation
import GRDB
import ODataFormats
import ODataMetadata
import ODataModel
import ODataStores

/// The metadata as a store keeps them: the document and, so that a store with a large one opens at once, the model in
/// it.
///
/// Both are written in one transaction, and the document is neither read nor hashed where the model is there: for
/// metadata of 4 MB that would be a fifth of the opening. Unless the compiled model was made by this version, of a document
/// as long as the one that is there, and is as it was, the document is read:
///
///     0    1   the version of the form, see ``CompiledModel/version``
///     1    8   the length of the metadata document, the lowest byte first
///     9   32   SHA-256 of what follows
///     41   …   the compiled model
struct StoredMetadata {
    private static let headerSize = 41

    let db: Database

    func locals() throws -> LocalSets? {
        try data("localMetadata").map { try LocalSets(csdl: String(decoding: $0, as: UTF8.self)) }
    }

    /// What the store knows of the service, and whether it was there compiled; nil if it has never been opened with it,
    /// or if what it kept was lost: the next opening while the service is reachable gets it again.
    func model() throws -> (offline: OfflineModel, isCompiled: Bool)? {
        guard let length = try documentLength() else { return nil }
        let locals = try locals()
        if let service = try compiled(fromDocumentOf: length) {
            return (try OfflineModel(service: service, locals: locals), true)
        }
        guard let document = try data("metadata") else { return nil }
        do {
            return (try OfflineModel(metadata: [UInt8](document), locals: locals), false)
        } catch let error as ODataError where error.code == .unusableStore {
            return nil
        }
    }

    private func compiled(fromDocumentOf length: Int64) throws -> ServiceModel? {
        guard let bytes = try data("compiledMetadata"), bytes.count > Self.headerSize,
            bytes.prefix(9).elementsEqual(Self.origin(length)),
            SHA256.hash(data: bytes[Self.headerSize...]).elementsEqual(bytes[9..<Self.headerSize])
        else { return nil }
        return try? ServiceModel(CompiledModel.contents(from: [UInt8](bytes[Self.headerSize...])))
    }

    /// - Parameter model: What the document says.
    func set(_ document: Data, _ model: EdmModel) throws {
        try StoreValues(db: db).set("metadata", document)
        try compile(model)
    }

    /// Keeps what the document that is here says.
    func compile(_ model: EdmModel) throws {
        // The document alone will do.
        guard let length = try documentLength(), let body = try? CompiledModel.bytes(of: model) else {
            return try StoreValues(db: db).set("compiledMetadata", nil)
        }
        let header = Self.origin(length) + SHA256.hash(data: body)
        try StoreValues(db: db).set("compiledMetadata", Data(header + body))
    }

    /// What a compiled model begins with.
    private static func origin(_ length: Int64) -> [UInt8] {
        [CompiledModel.version] + (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }

    /// SQLite finds the length of a BLOB without reading it.
    private func documentLength() throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: #"""
                SELECT CASE typeof("value") WHEN 'blob' THEN length("value") ELSE length(CAST("value" AS BLOB)) END
                FROM \#(.store) WHERE "name" = 'metadata'
                """#)
    }

    private func data(_ name: String) throws -> Data? {
        try Data.fetchOne(db, sql: #"SELECT "value" FROM \#(.store) WHERE "name" = ?"#, arguments: [name])
    }
}
