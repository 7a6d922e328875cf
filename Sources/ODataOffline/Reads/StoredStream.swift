import ByteStreams
import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// What the database knows of one stream.
struct StoredStream {
    var url: String
    var digest: String?
    var contentType: String?
    var etag: String?
    /// The stream was taken away here, or the service has said that this version of the entity has none.
    var isKnownToBeMissing: Bool

    /// - Throws: ``ODataError`` `notFound` if the path leads to no entity, `badRequest` if to no stream.
    init(path: ResourcePath, offline: OfflineModel, in db: Database) throws {
        let path = try PathResolver(db: db, schema: offline.schema).resolve(path).resource
        var entity = path
        var property: String?
        if case .stream(let named) = path.target {
            property = named.name
            entity.segments.removeLast()
        }
        guard let located = try offline.executor.locate(entity, in: db), let row = located.rowID else {
            throw ODataError(.notFound, "\(entity.url) is not in the store.")
        }
        let table = try offline.schema.table(of: located.set)
        guard let stream = table.stream(of: property) else {
            throw ODataError(.badRequest, "\(path.url) is no stream.")
        }
        let found = try Row.fetchOne(
            db, sql: "SELECT * FROM \(quoted(table.name)) WHERE \"$id\" = ?", arguments: [row])
        url = path.url
        digest = found?[stream.digest]
        contentType = found?[stream.type]
        let serviceTag: String? = found?[stream.etag]
        let changed: Bool = found?[stream.changed] ?? false
        let fetched: String? = found?[stream.fetched]
        let version: String? = serviceTag ?? found?["$etag"]
        isKnownToBeMissing = digest == nil && (changed || fetched == version ?? "")
        etag = changed ? digest.map { "\"\($0)\"" } : serviceTag ?? digest.map { "\"\($0)\"" }
    }

    /// - Parameter store: Learns whether the stream is damaged, while it is read.
    func result(for request: StreamRequest, in store: OfflineStore) throws -> StreamResult {
        var result = try read(request, in: store)
        result.isCached = true
        return result
    }

    private func read(_ request: StreamRequest, in store: OfflineStore) throws -> StreamResult {
        guard !isKnownToBeMissing else { throw ODataError(.notFound, "\(url) has no stream.") }
        guard let digest, let found = try? store.media.source(digest: digest) else {
            throw ODataError(
                .mediaNotInStore,
                "The stream of \(url) is not in the store. Add a defining query with streams that holds it and download."
            )
        }
        if let none = request.ifNoneMatch, none == "*" || none == etag {
            return StreamResult(content: .empty, contentType: contentType, etag: etag, isNotModified: true)
        }
        if let match = request.ifMatch, match != "*", match != etag {
            throw ODataError(.preconditionFailed, "The stream of \(url) has another ETag.")
        }
        let source = ReportingSource(source: found) { [url] in await store.noteDamage(of: digest, url) }
        let length = source.length ?? 0
        let range = try Self.range(of: request, length: length, etag: etag)
        guard range != 0..<length else {
            return StreamResult(content: ByteContent(source), contentType: contentType, etag: etag, totalLength: length)
        }
        let part = try SliceSource(source, range: range)
        return StreamResult(
            content: ByteContent(part), contentType: contentType, etag: etag, offset: range.lowerBound,
            totalLength: length)
    }

    private static func range(of request: StreamRequest, length: Int64, etag: String?) throws -> Range<Int64> {
        if let condition = request.ifRange, condition != etag { return 0..<length }
        if let suffix = request.suffixLength { return max(0, length - suffix)..<length }
        guard request.offset > 0 || request.count != nil else { return 0..<length }
        guard request.offset < length else {
            throw ODataError.rangeNotSatisfiable(length: length)
        }
        let (end, isTooLong) = request.offset.addingReportingOverflow(max(0, request.count ?? .max))
        return request.offset..<(isTooLong ? length : min(length, end))
    }
}
