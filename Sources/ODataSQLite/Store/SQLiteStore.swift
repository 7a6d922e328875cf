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
/// Other programs may read and write the file at the same time. What their changes break is told as an
/// ``ODataError`` of the request that meets it. The tables are looked at when the store is made, and
/// again when a value is met that does not fit, and when another program has changed the file's schema.
///
/// A file that is replaced, overwritten or removed while it is open is never written from then on. Requests are answered
/// with `busy` until the store, by itself, has opened what is at the path now.
///
/// Unless ``Configuration/isReadOnly`` is set, the file has a write-ahead log while it is open, and tables named
/// `odata_store_…` are added to it: results of repeatable requests, versions of streams, uploads that come in several
/// requests (their bytes are in ``Configuration/mediaFolder`` or in a folder named `…-uploads`), and, with
/// ``Configuration/tracksChanges``, a log of changes kept by triggers. With ``Configuration/mediaFolder`` streams lie in
/// files beside it.
public final class SQLiteStore: ODataStore {
    let configuration: Configuration
    let path: String
    let current: Mutex<OpenedFile>
    let reopening = Mutex(Reopening())
    /// Entered while what has taken the place of the file is being opened.
    let reopenings = DispatchGroup()
    /// Transactions of this store.
    let writes = Mutex(0)
    /// The model that the tables were made for; nil for somebody else's file.
    let declared: DeclaredModel?
    /// Goes with the store.
    private let temporary: TemporaryDatabase?

    /// The results of changes are kept in the file, see ``Configuration/repeatabilityLifetime``.
    public var recognizesRepeatedRequests: Bool { true }

    /// Opens the file at `path`.
    ///
    /// - Throws: ``ODataError``: `unusableStore` if there is no such file or it is no SQLite database, `badRequest`
    ///   if the configuration names what the file does not have.
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

    /// Ends the statements that run: changes whose they are are taken back.
    package func interrupt() { pool.interrupt() }

    /// Closes the file: all that was written is in it, and its write-ahead log goes, unless another program has it
    /// open. A file that had no such log before has none afterwards. Streams that are still being read stay open until they end.
    ///
    /// - Throws: ``ODataError`` if a read still runs.
    public func close() throws {
        reopening.withLock { $0.isClosed = true }
        // Another file that is being opened is closed again, and gives up its media folder.
        reopenings.wait()
        do {
            let uploads = configuration.isReadOnly ? nil : SQLiteUploads(self).folder
            try opened.close()
            uploads?.removeIfEmpty()
        } catch { throw ODataError.storage(error) }
    }
}
