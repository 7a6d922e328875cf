import Dispatch
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import SQLiteEncryption
import Synchronization

/// Publishes an SQLite file: its tables as entity sets, its foreign keys as navigation properties, its BLOBs as
/// streams.
///
/// Other programs may read and write the file at the same time. A request that their changes affect throws an
/// ``ODataError``. The tables are scanned when the store is created, and again when a value does not fit or another
/// program has changed the file's schema.
///
/// A file that is replaced, overwritten or removed while it is open is no longer written. Requests fail with `busy`
/// until the store has opened the file that is now at the path.
///
/// Unless ``Configuration/isReadOnly`` is set, the file has a write-ahead log while it is open, and tables named
/// `odata_store_…` are added to it: results of repeatable requests, versions of streams, uploads in several requests
/// (their bytes are in ``Configuration/mediaFolder`` or in a folder named `…-uploads`), and, with
/// ``Configuration/tracksChanges``, a log of changes that triggers maintain. With ``Configuration/mediaFolder`` streams
/// are files beside it.
public final class SQLiteStore: ODataStore {
    let configuration: Configuration
    let path: String
    let current: Mutex<OpenedFile>
    let reopening = Mutex(ReopeningState())
    /// Entered while the replacement of the file is being opened.
    let reopenings = DispatchGroup()
    /// Transactions of this store.
    let writes = Mutex(0)
    /// The model of the tables; nil for a foreign file.
    let declared: DeclaredModel?
    /// The temporary file, which is removed with the store.
    private let temporary: TemporaryDatabase?

    /// The results of changes are kept in the file, see ``Configuration/repeatabilityLifetime``.
    public var recognizesRepeatedRequests: Bool { true }

    /// Opens the file at `path`.
    ///
    /// - Throws: ``ODataError``: `unusableStore` if there is no such file or it is not an SQLite database, `badRequest`
    ///   if the configuration refers to tables or columns that the file does not have.
    public convenience init(path: String, configuration: Configuration = .init()) throws {
        try self.init(path: path, configuration: configuration, declared: nil, temporary: nil)
    }

    init(path: String, configuration: Configuration, declared: DeclaredModel?, temporary: TemporaryDatabase?) throws {
        self.configuration = configuration
        self.path = path
        self.declared = declared
        self.temporary = temporary
        do {
            current = Mutex(try OpenedFile(path, configuration, declared: declared))
            if !configuration.isReadOnly { try SQLiteUploads(self).tidy() }
            try opened.begin()
        } catch {
            throw ODataError.opening(path, error)
        }
    }

    /// Ends running statements; their changes are rolled back.
    package func interrupt() { pool.interrupt() }

    /// Closes the file: the write-ahead log is copied into it and removed, unless another program has the file open. A
    /// file without such a log before has none afterwards. Streams that are still being read stay open until they end.
    ///
    /// - Throws: ``ODataError`` if a read still runs.
    public func close() throws {
        reopening.withLock { $0.isClosed = true }
        // A replacement that is being opened is closed again and releases its media folder.
        reopenings.wait()
        do {
            let uploads = configuration.isReadOnly ? nil : SQLiteUploads(self).folder
            try opened.close()
            uploads?.removeIfEmpty()
        } catch { throw ODataError.storage(error) }
    }
}
