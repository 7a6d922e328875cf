import ByteStreams
import ODataStores

/// A stream of the media folder of which the store learns when it turns out to be damaged.
struct ReportingSource: ByteSource {
    let source: any ByteSource
    /// Gives the error that who reads gets.
    let report: @Sendable () async -> ODataError

    var length: Int64? { source.length }

    func open(at offset: Int64) throws -> ByteChunks {
        let chunks = try source.open(at: offset).makeAsyncIterator()
        return ByteChunks { [report] in
            do { return try await chunks.next() } catch let error as ByteStreamError where error.code == .changed {
                throw await report()
            }
        }
    }
}

extension OfflineStore {
    /// The next download fetches the stream again; requests that were to send it go to the error archive, unless one is
    /// on its way, which finds out itself.
    func noteDamage(of digest: String, _ url: String) async -> ODataError {
        let error = ODataError(
            .mediaNotInStore,
            "The stream of \(url) is damaged on this device. The next download fetches it again; if it was made here, set "
                + "it again.")
        guard !database.isReadOnly, let offline = knownModel else { return error }
        let time = StoreTime(date: configuration.now()).column
        // The error itself matters more than one of the note.
        try? await database.writing { db in
            try MediaIndex(db: db, schema: offline.schema).forgetContent(of: [digest])
            let isOnItsWay = try RequestQueue(db: db).all().contains { $0.digest == digest && $0.state.mayBeExecuted }
            if !isOnItsWay { try LostStreams(db: db, offline: offline).archive([digest], at: time) }
        }
        return error
    }
}
