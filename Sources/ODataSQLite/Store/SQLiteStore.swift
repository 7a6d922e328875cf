import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// Publishes an SQLite file: its tables as entity sets, its foreign keys as navigation properties, its BLOBs as
/// streams.
///
/// Other programs may read and write the file at the same time. What their changes break is told as an
/// ``ODataError`` of the request that meets it. The tables are looked at when the store is made, and
/// again when a value is met that does not fit: after a change of the file's schema, make another store.
///
/// Unless ``Configuration/isReadOnly`` is set, the file is converted to write-ahead logging, and tables named
/// `odata_store_…` are added to it: results of repeatable requests, versions of streams, uploads that come in several
/// requests (their bytes are in ``Configuration/mediaFolder`` or in a folder named `…-uploads`), and, with
/// ``Configuration/tracksChanges``, a log of changes kept by triggers. With ``Configuration/mediaFolder`` streams lie in
/// files beside it.
public final class SQLiteStore: ODataStore {
    let configuration: Configuration
    let path: String
    let pool: DatabasePool
    let publication: Mutex<Publication>
    /// Nil where changes are not tracked.
    let changeLog: ChangeLog?
    /// Nil where all streams lie in the file.
    let streamFiles: StreamFiles?
    /// Transactions of this store.
    let writes = Mutex(0)
    /// The model that the tables were made for; nil for somebody else's file.
    let declared: DeclaredModel?
    /// Goes with the store.
    private let temporary: TemporaryFile?

    /// The results of changes are kept in the file, see ``Configuration/repeatabilityLifetime``.
    public var recognizesRepeatedRequests: Bool { true }

    /// Opens the file at `path`.
    ///
    /// - Throws: ``ODataError``: `unusableStore` if there is no such file or it is no SQLite database, `badRequest`
    ///   if the configuration names what the file does not have.
    public convenience init(path: String, configuration: Configuration = .init()) throws {
        try self.init(path: path, configuration: configuration, declared: nil, temporary: nil)
    }

    init(path: String, configuration: Configuration, declared: DeclaredModel?, temporary: TemporaryFile?) throws {
        self.configuration = configuration
        self.path = path
        self.declared = declared
        self.temporary = temporary
        do {
            pool = try FileOpening(path: path, isReadOnly: configuration.isReadOnly).pool()
            let tracks = configuration.tracksChanges && !configuration.isReadOnly
            changeLog = tracks ? ChangeLog(limit: configuration.changeLogLimit) : nil
            let preparation = FilePreparation(
                path: path, configuration: configuration, changeLog: changeLog, declared: declared)
            let schema = try preparation.run(in: pool)
            streamFiles = try StreamFiles.open(configuration, schema: schema, in: pool)
            publication = Mutex(Publication(schema))
            if !configuration.isReadOnly { try SQLiteUploads(self).tidy() }
        } catch {
            throw ODataError.opening(path, error)
        }
    }

    /// Ends the statements that run: changes whose they are are taken back.
    package func interrupt() { pool.interrupt() }

    /// Closes the file: all that was written is in it, and its write-ahead log goes, unless another program has it
    /// open. Streams that are still being read stay open until they end.
    ///
    /// - Throws: ``ODataError`` if a read still runs.
    public func close() throws {
        do {
            let uploads = configuration.isReadOnly ? nil : SQLiteUploads(self).folder
            try pool.close()
            streamFiles?.close()
            guard !configuration.isReadOnly else { return }
            uploads?.removeIfEmpty()
            try FileOpening(path: path, isReadOnly: false).checkpoint()
        } catch { throw ODataError.storage(error) }
    }
}
