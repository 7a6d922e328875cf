import Foundation
import GRDB
import ODataModel
import ODataStores
import Synchronization

/// A rebuild in progress: the current store, and the new one that replaces it.
struct Rebuild: Sendable {
    let old: OfflineStore
    let before: OfflineModel
    /// The new database, with the media folder of the old store.
    let new: OfflineStore
    let after: OfflineModel
    let service: EdmModel
    let metadata: Data
    private let name: String

    /// - Throws: ``ODataError`` of the service; `badRequest` if a defining query does not fit its metadata.
    init(_ store: OfflineStore, remote: any ODataStore) async throws {
        old = store
        before = try store.offlineModel()
        service = try await remote.currentModel()
        (after, metadata) = try OfflineModel.kept(service, locals: before.locals)
        let check = QueryCheck(offline: after)
        for query in try await store.database.reading({ try QueryRecord.all(in: $0).map(\.definition) }) {
            _ = try check.bound(query)
        }
        name = store.folder.nextDatabase
        try store.folder.removeAbandoned()
        let database = try StoreDatabase(path: "\(store.folder.path)/\(name)", key: store.folder.key)
        new = OfflineStore(
            folder: store.folder, database: database, media: store.media, remote: remote,
            configuration: store.configuration, offline: after, isFilling: true, board: store.transferBoard)
        new.state.know(after, as: service)
    }

    /// Downloads the data of all defining queries, and assigns the streams that are already on the device.
    func download(
        event: EventRecorder, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> RebuildReport {
        try await new.database.writing(reading: old.folder.database) { db in
            try StoredMetadata(db: db).set(metadata, after.service)
            try RebuildTransfer(db: db, before: before, after: after).takeQueries()
        }
        var report = RebuildReport(
            download: try await DownloadRun(store: new, fillsRebuild: true, event: event, progress: progress).run(nil))
        report.keptStreams = try await new.database.writing(reading: old.folder.database) { db in
            try RebuildTransfer(db: db, before: before, after: after).takeStreams()
        }
        guard let remote = new.remote else { return report }
        let start = old.configuration.now()
        try await StreamRefresh(store: new, offline: after, remote: remote, progress: progress)
            .run(queries: report.download.queries.map(\.name), report: &report.download)
        report.download.streaming += .seconds(old.configuration.now().timeIntervalSince(start))
        event.note(report.download)
        return report
    }

    /// Copies the data that only the device has, and replaces the old database by the new one. From then on no process
    /// can change the old one, unless this fails.
    func takeOver(into report: inout RebuildReport) async throws {
        let time = StoreTime(date: old.configuration.now()).column
        let database = new.database
        let archived = Mutex<(misfits: Set<Int64>, all: Set<Int64>)>(([], []))
        try await old.database.retire { [self] db in
            let sets = try before.schema.tables.values.filter { try db.tableExists($0.name) }.map(\.set.name)
            try database.writeDurably { db in
                for set in sets.sorted() {
                    try TableMaker(db: db, schema: after.schema).make(set)
                    if let table = after.schema.tables[set] { try TableMaker.makeShadow(of: table, in: db) }
                }
            }
            try database.writeDurably(reading: old.folder.database) { db in
                try RebuildTransfer(db: db, before: before, after: after).takeChanges(of: sets.sorted())
            }
            let misfits = try database.writeDurably { db in try archiveMisfits(at: time, in: db) }
            archived.withLock { $0 = misfits }
            try old.folder.switchDatabase(to: name)
            old.replace(database, after, as: service)
        }
        let (misfits, all) = archived.withLock { $0 }
        // The rebuild is complete: a late cancellation of its task is not a failure.
        (report.keptRequests, report.misfits) = try await database.readingToEnd { db in
            let kept = try RequestQueue(db: db).all().filter { !all.contains($0.id) }
            return (kept.count, try ErrorArchive.all(in: db).filter { misfits.contains($0.requestID) })
        }
    }

    /// - Returns: The requests that do not fit the new metadata, with the other requests of their change sets.
    private func archiveMisfits(at time: String, in db: Database) throws -> (misfits: Set<Int64>, all: Set<Int64>) {
        let fit = RequestCompatibility(db: db, offline: after)
        let faults = try RequestQueue(db: db).all().compactMap { record in
            fit.misfit(of: record).map { misfit in
                let message = "The request does not fit the service's metadata any more: \(misfit.message)"
                return (record: record, error: ODataError(.metadataChanged, message))
            }
        }
        let all = try ErrorArchive(db: db, offline: after).refuse(faults, at: time)
        return (Set(faults.map(\.record.id)), all)
    }
}

extension Rebuild {
    /// Rebuilds `store`, then completes its conflicts and streams.
    static func run(
        _ store: OfflineStore, event: EventRecorder, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> RebuildReport {
        guard let remote = store.remote else {
            throw ODataError.withoutService
        }
        progress(DownloadProgress(.waiting))
        let rebuild = try await Rebuild(store, remote: remote)
        var report = try await rebuild.download(event: event, progress: progress)
        try await rebuild.takeOver(into: &report)
        if !report.misfits.isEmpty { event.isPartial = true }
        // The rebuild is complete; the next download completes the rest.
        do {
            try await ConflictHandler(store: store, offline: store.offlineModel(), remote: remote).adoptNewer()
            try await store.streams.collect()
            try await store.streams.makeRoom()
        } catch {
            event.message = "The rebuild is done; what is left for the next download: \(ODataError(any: error).message)"
        }
        return report
    }
}
