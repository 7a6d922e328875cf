import GRDB
import MediaIndexes
import ODataMedia
import ODataStores

/// The waiting streams, as transfers. Streams of change sets of several requests are not transfers: they are sent with
/// the change set in one request.
struct UploadTransfers {
    let db: Database
    let media: FolderIndex

    func all() throws -> [TransferSnapshot] {
        try RequestQueue(db: db).records(where: Self.streams).map(transfer(of:))
    }

    private static let streams = """
        "operation" IN ('createMedia', 'replaceStream') AND ("changeSet" IS NULL OR "changeSet" IN (
            SELECT "changeSet" FROM \(.queue) WHERE "changeSet" IS NOT NULL
            GROUP BY "changeSet" HAVING count(*) = 1))
        """

    func transfer(of record: QueueRecord) throws -> TransferSnapshot {
        let property = record.operation == .replaceStream ? record.property.map { "/\($0)" } : nil
        var transfer = TransferSnapshot(
            id: TransferSnapshot.ID(request: record.id), direction: .upload,
            path: (record.entity ?? record.url) + (property ?? ""), priority: 0)
        transfer.content = record.digest
        transfer.total = record.digest.flatMap(media.length(digest:))
        if let length = transfer.total {
            transfer.acknowledged = length - (try StreamUploadTable(db: db).bytesLeft(of: record, length: length))
        }
        return transfer
    }
}

extension TransferSnapshot.ID {
    private static let prefix = "upload "

    init(request: Int64) { self.init("\(Self.prefix)\(request)") }

    /// Nil for other transfers than uploads.
    fileprivate var request: Int64? {
        description.hasPrefix(Self.prefix) ? Int64(description.dropFirst(Self.prefix.count)) : nil
    }
}

extension UploadPlan.Control {
    init(_ control: UploadControl) {
        paused = Set(control.paused.compactMap(\.request))
        cancelled = Set(control.cancelled.compactMap(\.request))
        for (id, priority) in control.priorities { if let request = id.request { priorities[request] = priority } }
    }
}

extension TransferBoard {
    /// What has become of the streams of a unit that was sent.
    func note(_ unit: UploadUnit, _ sendResult: SendResult) {
        guard unit.hasStream else { return }
        let report = sendResult.report
        for request in unit.ids {
            let id = TransferSnapshot.ID(request: request)
            if report.succeeded.contains(where: { $0.id == request }) {
                endUpload(id, as: .finished)
            } else if report.givenUp.contains(where: { $0.id == request }) {
                endUpload(id, as: .cancelled)
            } else if let error = sendResult.refusals[request] {
                endUpload(id, as: .failed, error)
            } else if let error = sendResult.stop ?? sendResult.lost, error.code != .cancelled {
                endUpload(id, as: .failed, error)
            } else {
                endUpload(id, as: .waiting)
            }
        }
    }
}
