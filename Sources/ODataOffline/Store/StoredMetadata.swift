import Foundation
import GRDB
import ODataStores

/// The metadata as a store keeps them.
struct StoredMetadata {
    let db: Database

    func locals() throws -> LocalSets? {
        let data = try Data.fetchOne(db, sql: #"SELECT "value" FROM "$store" WHERE "name" = 'localMetadata'"#)
        return try data.map { try LocalSets(csdl: String(decoding: $0, as: UTF8.self)) }
    }

    /// What the store knows of the service; nil if it has never been opened with it, or if what it kept was lost: the
    /// next opening with the service at hand gets it again.
    func model() throws -> OfflineModel? {
        guard let data = try Data.fetchOne(db, sql: #"SELECT "value" FROM "$store" WHERE "name" = 'metadata'"#) else {
            return nil
        }
        let locals = try locals()
        do { return try OfflineModel(metadata: [UInt8](data), locals: locals) } catch let error as ODataError
            where error.code == .unusableStore
        { return nil }
    }
}
