import ByteStreams
import GRDB
import MediaIndexes
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// What the database knows of one stream.
struct StoredStream: Sendable {
    /// The row and the columns that it has there.
    struct Place: Sendable {
        var table: LocalTable
        var stream: LocalStream
        var row: Int64
    }

    var url: String
    var place: Place
    var digest: String?
    var contentType: String?
    var etag: String?
    /// The stream was taken away here, or the service has said that this version of the entity has none.
    var isKnownToBeMissing: Bool
    /// It was evicted, or did not fit.
    private var isEvicted: Bool
    /// Content with this digest may be here for another row, and be that of an older version of this one.
    private var isOutdated: Bool
    /// A stream property about which the service has sent nothing.
    private var isUntold: Bool

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
            throw ODataError.notInStore(entity.url)
        }
        let table = try offline.schema.table(of: located.set)
        guard let stream = table.stream(of: property) else {
            throw ODataError.notAStream(path.url)
        }
        let found = try Row.fetchOne(
            db, sql: "SELECT * FROM \(quoted(table.name)) WHERE \(.id) = ?", arguments: [row])
        url = path.url
        place = Place(table: table, stream: stream, row: row)
        digest = found?[stream.digest]
        contentType = found?[stream.type]
        let serviceTag: String? = found?[stream.etag]
        let changed: Bool = found?[stream.changed] ?? false
        let fetched: String? = found?[stream.fetched]
        let version: String? = serviceTag ?? found?[HiddenColumn.etag.name]
        isKnownToBeMissing = digest == nil && (changed || fetched == version ?? "")
        isEvicted = found?[stream.evicted] ?? false
        let told = stream.control.compactMap { (name: String) -> String? in found?[name] }
        isUntold = property != nil && told.isEmpty
        isOutdated = isEvicted && fetched != version ?? ""
        etag = changed ? digest.map { "\"\($0)\"" } : serviceTag ?? digest.map { "\"\($0)\"" }
    }

    /// Whether there is a stream, and it is not in the store.
    func isAbsent(from store: OfflineStore) -> Bool {
        guard !isKnownToBeMissing else { return false }
        return isOutdated || !(digest.map(store.media.contains(digest:)) ?? false)
    }

    /// - Parameter reason: Why it is not fetched.
    func notHere(_ reason: String, cause: (any Error)? = nil) -> ODataError {
        ODataError(.mediaNotInStore, "The stream of \(url) is not in the store, \(reason)", cause: cause)
    }

    /// - Parameter store: Learns whether the stream is damaged, while it is read.
    func result(for request: StreamRequest, in store: OfflineStore) throws -> StreamResult {
        var result = try read(request, in: store)
        result.isCached = true
        return result
    }

    private func read(_ request: StreamRequest, in store: OfflineStore) throws -> StreamResult {
        guard !isKnownToBeMissing else {
            guard place.stream.property == nil else { return .null }
            throw ODataError.noStream(of: url)
        }
        guard let digest, let found = try? store.media.source(digest: digest) else {
            throw notHere(absence(from: store))
        }
        if let none = request.ifNoneMatch, none == "*" || none == etag {
            return StreamResult(content: .empty, contentType: contentType, etag: etag, isNotModified: true)
        }
        if let match = request.ifMatch, match != "*", match != etag {
            throw ODataError(.preconditionFailed, "The stream of \(url) has another ETag.")
        }
        let source = ReportingSource(source: found) { [url] in await store.streams.noteDamage(of: digest, url) }
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

    /// Why it is not here, and what brings it.
    private func absence(from store: OfflineStore) -> String {
        // One that another store let go has no mark yet.
        let isLetGo = digest.map { digest in (try? store.media.evicted.contains(digest)) == true } ?? false
        guard isEvicted || isLetGo else {
            let rest =
                isUntold
                ? """
                ; the service has not announced it: it is requested by a read while the service can be reached, or by a \
                download of a query that checks streams.
                """ : "."
            return "which needs a defining query with streams that holds it, and a download\(rest)"
        }
        return """
            because it was evicted or did not fit: read it while the service is reachable, or pin it and \
            download.
            """
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
