import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

extension ChangeContext {
    /// `Photos(1)`, `Photos(1)/$value` or `Employees(2)/Photo`
    private func stream(at path: ResourcePath) throws -> (row: EntityRow, stream: LocalStream) {
        var entity = path
        var property: String?
        if case .stream(let named) = path.target {
            property = named.name
            entity.segments.removeLast()
        }
        let row = try row(at: entity)
        guard let stream = row.table.stream(of: property) else {
            throw ODataError.notAStream(path.url)
        }
        return (row, stream)
    }

    /// The old content need not be in the store. Where it is lost before it was sent, the request that was to send it sends
    /// the new one, and is the only one unless more was said of this change.
    func replaceStream(
        _ media: StoredMedia?, type: String, at path: ResourcePath, _ request: ChangeRequest
    ) throws -> EntityRow {
        let (row, stream) = try stream(at: path)
        guard let media else { throw ODataError(.badRequest, "A stream needs content.") }
        if let expected = request.ifMatch, expected != "*" {
            let etag = try etag(of: stream, row)
            guard etag == expected else {
                throw ODataError(.preconditionFailed, "The stream has another ETag: \(etag ?? "none").")
            }
        }
        try markChanged(row)
        try MediaIndex(db: db, schema: schema).add(media)
        try set(stream.content(media.digest, type: type), of: row)
        let isSent = try sendLost(stream, of: row, as: media, type: type)
        try sendLost(media)
        guard !isSent || changeSet != nil || options != RequestOptions() || !request.headers.isEmpty else { return row }
        var record = record(.replaceStream, row)
        record.headers = request.headers
        record.property = stream.property
        record.digest = media.digest
        record.contentType = type
        try enqueue(record)
        return row
    }

    /// Requests whose content is lost are sent with this one, which has taken its place.
    ///
    /// - Returns: Whether the last request for the stream is one of them.
    private func sendLost(
        _ stream: LocalStream, of row: EntityRow, as media: StoredMedia, type: String
    ) throws -> Bool {
        let lost = try ErrorArchive(db: db, offline: offline).lost()
            .filter { $0.row == row.id && $0.changes(stream) }
        for record in lost {
            try queue.setContent(media.digest, type: type, of: record.id)
            try sendAgain(record, with: media)
        }
        let last = try queue.records(changing: row.id).last { $0.changes(stream) }
        return lost.contains { $0.id == last?.id }
    }

    /// Requests whose content was lost and is here again are sent.
    func sendLost(_ media: StoredMedia) throws {
        for record in try ErrorArchive(db: db, offline: offline).lost() where record.digest == media.digest {
            try sendAgain(record, with: media)
        }
    }

    /// The change set of the request waits for what else of it is lost.
    private func sendAgain(_ record: QueueRecord, with media: StoredMedia) throws {
        let archive = ErrorArchive(db: db, offline: offline)
        let rest = try archive.lost().filter { other in
            other.changeSet != nil && other.changeSet == record.changeSet && other.id != record.id
                && other.digest != media.digest
        }
        try ErrorRepair(context: self).sendAgain(record)
        try archive.refuse(rest.map { ($0, LostStreams.error) }, at: time.column)
    }

    /// As readers are told: content made here has a tag of its own.
    private func etag(of stream: LocalStream, _ row: EntityRow) throws -> String? {
        try String.fetchOne(
            db,
            sql: "SELECT \(stream.tag.of(row: "l").text) FROM \(row.table.sqlName) AS l WHERE l.\"$id\" = ?",
            arguments: [row.id]
        )
    }

    func deleteStream(_ property: String, at path: ResourcePath, headers: [HeaderField]) throws -> EntityRow {
        let (row, stream) = try stream(at: path)
        try markChanged(row)
        try set(stream.content(nil, type: nil), of: row)
        var record = record(.deleteStream, row)
        record.headers = headers
        record.property = property
        try enqueue(record)
        return row
    }
}

extension QueueRecord {
    /// Whether the request is for this stream of its entity.
    fileprivate func changes(_ stream: LocalStream) -> Bool {
        switch operation {
        case .createMedia: stream.property == nil
        case .replaceStream, .deleteStream: property == stream.property
        default: false
        }
    }
}
