import EncryptionKeys
import GRDB
import ODataStores
import SQLiteEncryption

extension ODataError {
    /// What an error of the store's own database means.
    init(database error: DatabaseError) {
        if EncryptionError(database: error, path: "") != nil {
            self.init(damaged: "a part of it does not fit its key", cause: error)
            return
        }
        switch error.resultCode {
        case _ where error.isDiskFull:
            self.init(.storage, "The disk is full; nothing of this step was kept.", cause: error)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .storage, "The store's file cannot be used: \(error.message ?? "\(error.resultCode)").", cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.unusableStore, "The store's file is in use by another program.", cause: error)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(damaged: error.message ?? "", cause: error)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self.init(.cancelled, "The step was interrupted.", cause: error)
        default:
            self.init(.internalError, "The store's database: \(error.message ?? "\(error.resultCode)").", cause: error)
        }
    }

    /// Another file has taken the place of the store's database.
    init(replaced error: ReplacedFile) {
        self.init(
            .unusableStore,
            "\(error.description). Nothing more is read from it or written to it: close the store and open it again.",
            cause: error)
    }

    private init(damaged message: String, cause: DatabaseError) {
        self.init(
            .unusableStore,
            "The store's file is damaged: \(message). Upload what can be sent, keep what "
                + "OfflineStore.rescueQueue(folder:) ('odata store rescue') reads, then remove the folder and download "
                + "again.",
            cause: cause)
    }
}
