import ByteStreams
import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Writes queued requests out for the service: with the keys, ETags and links its entities have now.
struct RequestWriter {
    let db: Database
    let offline: OfflineModel
    let media: MediaFolder

    func request(_ record: QueueRecord) throws -> ChangeRequest {
        let line = RequestLine(db: db, offline: offline)
        var request = ChangeRequest(try line.path(of: record), try operation(record, line))
        if case .replaceStream = request.operation, record.property == nil { request.target = request.target.resource }
        request.repeatability = record.repeatability
        request.returnPreference =
            record.operation.hasPayload || record.operation == .createMedia ? .representation : nil
        request.headers = record.headers
        try addConditions(to: &request, of: record)
        return request
    }

    private func operation(_ record: QueueRecord, _ line: RequestLine) throws -> ChangeRequest.Operation {
        switch record.operation {
        case .create: .create(try line.payload(of: record))
        case .createMedia: .createMedia(try content(of: record), slug: record.slug)
        case .update: .update(try line.payload(of: record))
        case .replace: .replace(try line.payload(of: record))
        case .delete: .delete
        case .addReference: .addReference(try reference(of: record, line))
        case .removeReference:
            .removeReference(record.target == nil && record.targetURL == nil ? nil : try reference(of: record, line))
        case .replaceStream: .replaceStream(try content(of: record))
        case .deleteStream: .deleteStream
        }
    }

    private func content(of record: QueueRecord) throws -> MediaContent {
        guard let digest = record.digest, let source = try? media.source(digest: digest) else {
            throw ODataError(
                .mediaNotInStore, "The stream of the queued request \(record.id) is not in the media folder.")
        }
        return MediaContent(ByteContent(source), contentType: record.contentType ?? "application/octet-stream")
    }

    private func reference(of record: QueueRecord, _ line: RequestLine) throws -> EntityReference {
        if let target = record.target, let path = try line.entityPath(target) { return .path(path) }
        guard let url = record.targetURL else {
            throw ODataError(.notFound, "The entity that a queued request refers to is not in the store.")
        }
        return .url(url)
    }

    /// `If-Match` with the ETag that the service gave last, and the links that it gave.
    private func addConditions(to request: inout ChangeRequest, of record: QueueRecord) throws {
        let table = try offline.schema.table(named: record.set)
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM \(table.sqlName) WHERE \"$id\" = ?", arguments: [record.row])
        else { return }
        switch record.operation {
        case .update, .replace, .delete: request.ifMatch = row["$etag"]
        case .replaceStream, .deleteStream:
            guard let stream = table.stream(of: record.property) else { return }
            request.ifMatch = row[stream.etag]
            request.editLink = row[stream.editLink]
        case .create, .createMedia, .addReference, .removeReference: break
        }
    }
}
