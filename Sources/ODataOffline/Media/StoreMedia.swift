import GRDB
import MediaFiles
import MediaIndexes
import ODataStores
import Synchronization

/// The streams of an offline store: the media folder, and what the database says of its content.
final class StoreMedia: Sendable {
    let folder: FolderIndex
    private let state: StoreState
    private let configuration: OfflineStore.Configuration
    /// Whether the database is being filled by a rebuild, and does not contain all required streams yet.
    private let isFilling: Bool
    /// The number of callers that are storing streams without a committed row.
    private let writers = Mutex(0)

    init(
        folder: FolderIndex, state: StoreState, configuration: OfflineStore.Configuration, isFilling: Bool
    ) {
        self.folder = folder
        self.state = state
        self.configuration = configuration
        self.isFilling = isFilling
    }

    private var database: StoreDatabase { state.database }

    private var now: String { StoreTime(date: configuration.now()).column }

    // MARK: Content that is put into the folder

    /// Runs `body`, which stores streams in the media folder and then refers to them in a transaction.
    func writing<Result>(_ body: () async throws -> Result) async throws -> Result {
        writers.withLock { $0 += 1 }
        defer { writers.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Runs `body` unless a stream is being stored in the media folder; none can be begun meanwhile. Nothing is done for
    /// a database that a rebuild fills.
    ///
    /// - Returns: Whether it was done.
    @discardableResult
    func whileNotWritten(_ body: () throws -> Void) throws -> Bool {
        guard !isFilling else { return false }
        return try writers.withLock { writers in
            guard writers == 0 else { return false }
            try body()
            return true
        }
    }

    func store(_ content: MediaContent) async throws -> StoredMedia {
        do { return try await folder.write(content.content, isPinned: true) } catch let error as MediaFileError {
            throw ODataError(.storage, "The stream cannot be kept: \(error.message)", cause: error)
        }
    }

    /// Writes small streams to the media folder.
    func keepSmall(_ streams: [(StoredMedia, [UInt8])]) throws {
        try mappingErrors { try folder.keep(streams.map { (media: $0.0, bytes: $0.1) }) }
    }

    /// Prevents the eviction of the stream with this digest.
    func keepPinned(_ digest: String) throws { try mappingErrors { try folder.addPin(of: digest) } }

    // MARK: Content that leaves it

    /// Removes the streams that nothing refers to any more, in the transaction that has found none: a reference made
    /// meanwhile would have to wait for it.
    func collect() async throws {
        try await database.writing { db in try self.collect(in: db) }
    }

    /// As ``collect()``, within a transaction of the caller.
    func collect(in db: Database) throws {
        let schema = state.knownModel?.schema
        // The lock is taken last, and by no caller that waits for the transaction.
        try whileNotWritten {
            let index = MediaIndex(db: db, schema: schema)
            try index.forgetRows()
            let free = try index.unreferenced()
            try mappingErrors {
                try folder.release(free)
                try folder.setPins(index.kept)
            }
            try index.remove(free)
        }
    }

    /// Evicts streams until the media folder is within the quota.
    ///
    /// - Parameter digest: The digest of a stream that is not evicted.
    func makeRoom(sparing digest: String? = nil) async throws {
        guard !database.isReadOnly else { return }
        try evict(sparing: digest)
        try await noteEvicted()
    }

    /// As ``makeRoom(sparing:)``; the rows are marked later.
    func evict(sparing digest: String? = nil) throws {
        guard let quota = configuration.mediaQuota else { return }
        try mappingErrors { try folder.evict(downTo: quota, sparing: digest) }
    }

    /// Marks the rows whose streams were evicted, by this store or another.
    private func noteEvicted() async throws {
        guard let schema = state.knownModel?.schema else { return }
        let evicted = try mappingErrors { try folder.evicted }
        guard !evicted.isEmpty else { return }
        // Some may have been fetched again meanwhile.
        let gone = evicted.filter { !folder.contains(digest: $0) }
        try await database.writing { db in try MediaIndex(db: db, schema: schema).noteEviction(of: gone) }
        try mappingErrors { try folder.forgetEvicted(evicted) }
    }

    // MARK: Content that is lost

    /// Reports the media folder's index what the store refers to, which removes what an interrupted write has left.
    /// Streams that are gone or of another length than they were are fetched again by the next download; requests that
    /// were to send them go to the error archive. Content that only this device has and that was missing then, with its
    /// folder, is in the store again when it is found.
    func clean() throws {
        do {
            let schema = state.knownModel?.schema
            var missed: Set<String> = []
            let difference = try database.read { db in
                let index = MediaIndex(db: db, schema: schema)
                let made = try index.made
                return try folder.reconcile(pins: index.kept) { range in
                    var lengths = try index.lengths(in: range)
                    for digest in made where range.contains(digest) && !lengths.keys.contains(digest) {
                        lengths.updateValue(nil, forKey: digest)
                        missed.insert(digest)
                    }
                    return lengths
                }
            }
            let found = missed.compactMap { digest in
                folder.length(digest: digest).map { StoredMedia(digest: digest, length: $0) }
            }
            // Missing streams were reported before.
            let lost = difference.lost.subtracting(missed)
            guard !(lost.isEmpty && difference.evicted.isEmpty && found.isEmpty), let offline = state.knownModel else {
                return
            }
            try database.write { [time = now] db in
                let index = MediaIndex(db: db, schema: offline.schema)
                try index.noteEviction(of: difference.evicted)
                try index.forgetContent(of: lost)
                try LostStreams(db: db, offline: offline).archive(lost, at: time)
                for stream in found { try index.add(stream) }
            }
            try folder.forgetEvicted(difference.evicted)
        } catch let error as ODataError {
            throw error
        } catch {
            throw ODataError.uncheckedFolder(error)
        }
    }

    /// The next download fetches the stream again; requests that were to send it go to the error archive, unless one is
    /// on its way, which finds out itself.
    func noteDamage(of digest: String, _ url: String) async -> ODataError {
        let error = ODataError(
            .mediaNotInStore,
            "The stream of \(url) is damaged on this device. The next download fetches it again; if it was made here, set "
                + "it again.")
        guard !database.isReadOnly, let offline = state.knownModel else { return error }
        // The error itself matters more than one of the note.
        try? await database.writing { [time = now] db in
            try MediaIndex(db: db, schema: offline.schema).forgetContent(of: [digest])
            let isOnItsWay = try RequestQueue(db: db).all().contains { $0.digest == digest && $0.state.mayBeExecuted }
            if !isOnItsWay { try LostStreams(db: db, offline: offline).archive([digest], at: time) }
        }
        return error
    }

    /// Forgets all streams of the store, also those that other stores have too.
    func clear() throws {
        // Not what a change has put there meanwhile. What refused changes have put there is named nowhere.
        try database.write { db in
            try clearing {
                let index = MediaIndex(db: db, schema: nil)
                try mappingErrors {
                    try folder.folder.discardPartials()
                    _ = try folder.reconcile(pins: index.kept) { try index.lengths(in: $0) }
                }
            }
        }
    }

    /// Runs `body` while no stream is being stored.
    ///
    /// - Throws: ``ODataError`` `conflict` if one is.
    func clearing(_ body: () throws -> Void) throws {
        guard try whileNotWritten(body) else {
            throw ODataError(
                .conflict, "The store cannot be cleared while a stream is being stored: clear it afterwards.")
        }
    }

    func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as MediaFileError { throw ODataError(error) }
    }
}
