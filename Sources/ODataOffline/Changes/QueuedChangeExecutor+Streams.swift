import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Media entities and streams.
extension QueuedChangeExecutor {
    /// A new media entity. The request has its stream alone: properties follow as a PATCH.
    mutating func insertMedia(_ insertion: Plan.Insertion) throws -> EntityRow {
        let table = try schema.table(of: insertion.set)
        guard let stream = table.stream(of: nil), let media = change.media else { throw ODataError.missingContent }
        guard insertion.type.name == insertion.set.type.name else {
            throw ODataError(
                .notImplemented,
                "An offline store makes media entities of \(insertion.set.type.name) only: make others online.")
        }
        var sent = EntityPayload()
        var new = NewRow(table: table, type: insertion.type, values: [:])
        if let parent = insertion.parent { try relate(&new, to: parent.source, parent.navigation, sent: &sent) }
        let row = try transaction.insert(&new)
        try MediaIndex(db: db, schema: schema).add(media)
        try transaction.sendLost(media)
        try transaction.set(stream.content(media.digest, type: change.contentType), of: row)
        var record = record(.createMedia, row)
        record.digest = media.digest
        record.contentType = change.contentType
        if case .createMedia(_, let slug) = change.request.operation { record.slug = slug }
        try address(&record, below: new.parent)
        try transaction.enqueue(record)
        try transaction.addLinks(new.links, of: row)
        besideStream = sent.properties
        return row
    }

    /// The old content need not be in the store. Where it is lost before it was sent, the request that was to send it sends
    /// the new one, and is the only one unless more was said of this change.
    func replaceStream(_ property: String?, of row: EntityRow) throws {
        guard let media = change.media else { throw ODataError.missingContent }
        let stream = try stream(property, of: row)
        try transaction.markChanged(row)
        try MediaIndex(db: db, schema: schema).add(media)
        try transaction.set(stream.content(media.digest, type: change.contentType), of: row)
        let isSent = try transaction.sendLost(stream, of: row, as: media, type: change.contentType)
        try transaction.sendLost(media)
        guard
            !isSent || transaction.changeSet != nil || transaction.options != RequestOptions()
                || !change.request.headers.isEmpty
        else { return }
        var record = record(.replaceStream, row)
        record.property = stream.property
        record.digest = media.digest
        record.contentType = change.contentType
        try transaction.enqueue(record)
    }

    func deleteStream(_ property: String, of row: EntityRow) throws {
        let stream = try stream(property, of: row)
        try transaction.markChanged(row)
        try transaction.set(stream.content(nil, type: nil), of: row)
        var record = record(.deleteStream, row)
        record.property = property
        try transaction.enqueue(record)
    }

    private func stream(_ property: String?, of row: EntityRow) throws -> LocalStream {
        guard let stream = row.table.stream(of: property) else {
            throw try ODataError.noStream(of: transaction.path(of: row).url)
        }
        return stream
    }
}

extension StoreTransaction {
    /// Requests whose content is lost are sent with this one, which has taken its place.
    ///
    /// - Returns: Whether the last request for the stream is one of them.
    fileprivate func sendLost(
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
