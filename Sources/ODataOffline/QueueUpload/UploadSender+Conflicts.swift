import GRDB
import ODataSQLite
import ODataStores

/// Conflicts that a download has found and that the service would not.
extension UploadSender {
    /// Why requests are not sent: one would overwrite a newer version that a download has brought, and has no ETag by which
    /// the service would refuse it. The app decides the conflict, as where the service refuses.
    func conflict(of outgoing: OutgoingUnit, _ context: StoreTransaction) throws -> ODataError? {
        // What may have been executed is found out first: the version may be its own.
        guard !outgoing.isUnconfirmed, outgoing.requests.count == outgoing.records.count else { return nil }
        for (place, (request, record)) in zip(outgoing.requests, outgoing.records).enumerated() {
            guard request.ifMatch == nil, record.operation.changesEntity,
                let table = offline.schema.tables[record.set], let row = try? context.row(record.row, in: table),
                try NewerVersion(context: context, row: row).isConflict()
            else { continue }
            var error = ODataError(
                .conflict,
                """
                \(record.method) \(record.url) was not sent: the entity was changed at the service too, which gives no \
                ETag to refuse the change by. Decide the conflict.
                """)
            error.requestIndex = place
            return error
        }
        return nil
    }
}

extension QueueRecord.Operation {
    /// Whether it may overwrite what the service has of an entity.
    fileprivate var changesEntity: Bool {
        switch self {
        case .update, .replace, .delete, .replaceStream, .deleteStream: true
        case .create, .createMedia, .addReference, .removeReference, .call: false
        }
    }
}
