import ByteStreams
import GRDB
import ODataMedia
import ODataStores

/// How a sender sends streams: in pieces where the service offers it, else whole.
extension UploadSender {
    /// The error of units whose streams the network policy does not allow now; nil if they may be sent.
    func forbidden(_ units: [UploadUnit]) async throws -> SendResult? {
        guard let policy = store.networkPolicy, units.contains(where: \.hasStream) else { return nil }
        let (records, bytes) = try await store.database.reading { [media = store.media] db in
            let records = try units.flatMap(\.ids).compactMap(RequestQueue(db: db).record)
            let transfers = StreamUploadTable(db: db)
            let bytes = try records.filter(\.operation.hasStream).map { record in
                try record.digest.flatMap(media.length(digest:)).map { try transfers.bytesLeft(of: record, length: $0) }
            }
            return (records, bytes)
        }
        let known = bytes.compactMap(\.self)
        // What was undone meanwhile, or is lost, is not sent anyway.
        guard !known.isEmpty, known.count == bytes.count,
            !(await policy.allows(known.reduce(0, +), priority: StreamPriority.sending))
        else { return nil }
        var sendResult = SendResult()
        sendResult.outcomes = units.map { (unit: $0, outcome: .stopped) }
        sendResult.report.waitingStreams = records.map(QueueEntry.init)
        return sendResult
    }

    /// Sends a single request.
    ///
    /// - Throws: ``ODataError`` `cancelled` also where the app has stopped its stream.
    func sent(_ outgoing: OutgoingUnit) async throws -> ChangeResult {
        let (request, record) = (outgoing.requests[0], outgoing.records[0])
        guard record.operation.hasStream else { return try await remote.change(request) }
        let job = UploadJob(request, digest: record.digest)
        meter.note(record.id, acknowledged: 0, of: job?.length)
        let transfer = try await store.database.reading { [media = store.media] db in
            try UploadTransfers(db: db, media: media).transfer(of: record)
        }
        guard let stop = store.transferBoard.startUpload(transfer) else { throw ODataError.stopped }
        let result = try await store.transfers.run(record.id, until: stop) { [self] in
            guard try await !isNeedless(record) else {
                throw ODataError(.cancelled, "The stream was deleted before it was sent.")
            }
            return try await sent(record, request, job)
        }
        meter.note(record.id, acknowledged: job?.length ?? 0, of: job?.length)
        return result
    }

    private func sent(_ record: QueueRecord, _ request: ChangeRequest, _ job: UploadJob?) async throws -> ChangeResult {
        let known = try await transfer(of: record)
        guard let job, let uploading = remote as? any UploadingStore,
            let method = try await uploading.uploadMethod(for: request, length: job.length)
        else {
            // What was begun says nothing about what is sent now.
            if known != nil { try await forgetTransfer(of: record) }
            return try await sentWhole(record, request)
        }
        let (id, board) = (TransferSnapshot.ID(request: record.id), store.transferBoard)
        let uploader = StreamUploader(
            job, method: method, pause: store.configuration.pause, sent: { board.note(id, sent: $0) },
            keep: { [store, meter] upload in
                try await store.database.writingDurably { db in
                    try StreamUploadTable(db: db).keep(
                        upload, method: method.name, digest: record.digest ?? "", of: record.id)
                }
                meter.note(record.id, acknowledged: upload.furthest, of: upload.total)
                board.note(
                    id, acknowledged: upload.furthest, total: upload.total,
                    host: upload.session.map { TransferSnapshot.host(of: $0.location) })
                board.note(id, sent: upload.acknowledged)
            })
        let result: ChangeResult?
        if let known, known.method == method.name, known.digest == record.digest {
            result = try await uploader.run(
                from: known.state, session: known.session, acknowledged: known.acknowledged)
        } else {
            result = try await uploader.run()
        }
        if let result { return result }
        // What is sent whole may have been executed if it is cut, unlike an upload that is begun.
        try await forgetTransfer(of: record)
        let whole = try await sentWhole(record, request)
        await uploading.noteUnsupported(method.name, for: request)
        return whole
    }

    private func sentWhole(_ record: QueueRecord, _ request: ChangeRequest) async throws -> ChangeResult {
        let (id, board) = (TransferSnapshot.ID(request: record.id), store.transferBoard)
        guard board.sendWhole(id) else { throw ODataError.stopped }
        return try await remote.change(request.followed { board.note(id, sent: $0) })
    }

    /// What the service describes an upload in pieces whose last response was lost; nil if it cannot be asked that.
    ///
    /// - Throws: ``ODataError`` if it cannot be asked now.
    func told(of outgoing: OutgoingUnit) async throws -> UploadStep? {
        guard let known = try await session(of: outgoing) else { return try await isForgotten(outgoing) ? .gone : nil }
        let step = try await known.method.probe(known.session, of: known.job)
        if case .gone = step { try await forgetSession(of: outgoing.records[0]) }
        return step
    }

    /// Whether the service forgot an upload after its last part was sent.
    private func isForgotten(_ outgoing: OutgoingUnit) async throws -> Bool {
        guard let record = outgoing.stream, let known = try await transfer(of: record) else { return false }
        return known.session == nil && known.state.isDoubtful
    }

    /// An upload that is kept, with what it takes to continue with it.
    private struct KnownSession {
        var method: any UploadMethod
        var session: UploadSession
        var job: UploadJob
        var isDoubtful: Bool
    }

    private func session(of outgoing: OutgoingUnit) async throws -> KnownSession? {
        guard let request = outgoing.requests.first, let record = outgoing.stream,
            let known = try await transfer(of: record), let session = known.session
        else { return nil }
        guard let job = UploadJob(request, digest: known.digest, length: known.total),
            let uploading = remote as? any UploadingStore,
            let method = try await uploading.uploadMethod(named: known.method, for: request)
        else {
            try await forgetSession(of: record)
            return nil
        }
        return KnownSession(method: method, session: session, job: job, isDoubtful: known.state.isDoubtful)
    }

    /// What became of a stream whose upload was ended because it was deleted here; nil if that is not why.
    func deletion(ofStreamIn outgoing: OutgoingUnit, _ error: ODataError) async -> UnitOutcome? {
        guard let record = outgoing.stream, (try? await isNeedless(record)) == true else { return nil }
        do {
            guard let known = try await session(of: outgoing) else {
                let isUnknown = error.isOutcomeUnknown || outgoing.isUnconfirmed
                return isUnknown && record.operation.isCreation ? .forgotten : .needless
            }
            if known.isDoubtful {
                let step = try await known.method.probe(known.session, of: known.job)
                if case .executed(let result) = step { return await completed(.executed([result]), outgoing) }
                if case .completed = step { return record.operation.isCreation ? .forgotten : .needless }
            }
            do { try await known.method.abort(known.session, of: known.job) } catch {
                // Nothing was executed before the end: the rest expires at the service.
                if known.isDoubtful, record.operation.isCreation { return .forgotten }
            }
            return .needless
        } catch {
            return record.operation.isCreation ? .forgotten : .needless
        }
    }

    /// What became of a stream that the app has paused or cancelled while it was sent; nil if it has not.
    func stop(ofStreamIn outgoing: OutgoingUnit) async -> UnitOutcome? {
        guard let record = outgoing.stream,
            let stopped = store.transferBoard.stoppedUpload(TransferSnapshot.ID(request: record.id))
        else { return nil }
        let isInDoubt: Bool
        do { isInDoubt = try await transfer(of: record)?.state.isDoubtful ?? false } catch { isInDoubt = true }
        return .stopped(isCancelled: stopped.state == .cancelled, isInDoubt: stopped.isWhole || isInDoubt)
    }

    private func isNeedless(_ record: QueueRecord) async throws -> Bool {
        try await store.database.reading { try RequestQueue(db: $0).isNeedless(record.id) }
    }

    private func transfer(of record: QueueRecord) async throws -> StreamUploadTable.Record? {
        try await store.database.reading { db in try StreamUploadTable(db: db).record(of: record.id) }
    }

    private func forgetSession(of record: QueueRecord) async throws {
        try await store.database.writingDurably { db in try StreamUploadTable(db: db).forgetSession(of: record.id) }
    }

    private func forgetTransfer(of record: QueueRecord) async throws {
        try await store.database.writingDurably { db in try StreamUploadTable(db: db).remove(record.id) }
    }
}

extension ChangeRequest {
    /// The same, which reports how far the bytes of its stream have been taken.
    fileprivate func followed(_ report: @escaping @Sendable (Int64) -> Void) -> ChangeRequest {
        func followed(_ media: MediaContent) -> MediaContent {
            var media = media
            media.content = ByteContent(FollowedSource(ContentSource(content: media.content), report: report))
            return media
        }
        var request = self
        switch operation {
        case .createMedia(let media, let slug): request.operation = .createMedia(followed(media), slug: slug)
        case .replaceStream(let media): request.operation = .replaceStream(followed(media))
        default: break
        }
        return request
    }
}

extension ODataError {
    fileprivate static var stopped: ODataError { ODataError(.cancelled, "The app has stopped the stream.") }
}
