import GRDB
import MediaFiles
import MediaIndexes
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Finds the streams of all entities.
struct StreamList {
    let db: Database
    let schema: LocalSchema
    let media: FolderIndex
    let evicted: Set<String>
    /// By the digest of the stream.
    let thumbnails: [String: Int64]
    /// By the name of the partial stream in the folder.
    let partials: [String: Int64]

    func entries() throws -> [StreamEntry] {
        var entries: [StreamEntry] = []
        for table in schema.tables.values.sorted(by: { $0.name < $1.name }) where try db.tableExists(table.name) {
            for stream in table.streams { try add(stream, of: table, to: &entries) }
        }
        return entries
    }

    private func add(_ stream: LocalStream, of table: LocalTable, to entries: inout [StreamEntry]) throws {
        let pinned = try Int64.fetchSet(
            db, sql: #"SELECT "row" FROM \#(.pin) WHERE "set" = ? AND "stream" = ?"#,
            arguments: [table.set.name, stream.property ?? ""])
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT * FROM \(quoted(table.name)) WHERE \(.state) & \(LocalState.deletedHere.rawValue) = 0
                AND (\(quoted(stream.digest)) IS NOT NULL OR \(isAtService(stream))) ORDER BY \(.id)
                """)
        let paths = RowPath(db: db, schema: schema)
        while let row = try cursor.next() {
            guard let path = try paths.path(of: stream, of: row, in: table) else { continue }
            entries.append(entry(of: stream, at: path.url, row, isPinned: pinned.contains(row[HiddenColumn.id.name])))
        }
    }

    /// The content was never received, and the service has not said of this version that there is none.
    private func isAtService(_ stream: LocalStream) -> String {
        let version = "coalesce(\(quoted(stream.etag)), \(.etag), '')"
        let isOpen = "\(quoted(stream.changed)) = 0 AND \(quoted(stream.fetched)) IS NOT \(version)"
        // Of a stream property without control information nobody knows before the service was asked.
        let known = stream.control.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        return stream.property == nil ? isOpen : "\(isOpen) AND (\(known))"
    }

    private func entry(of stream: LocalStream, at path: String, _ row: Row, isPinned: Bool) -> StreamEntry {
        let digest: String? = row[stream.digest]
        let length = digest.flatMap { media.length(digest: $0) }
        let (isChanged, isMarked): (Bool?, Bool?) = (row[stream.changed], row[stream.evicted])
        let state: StreamEntry.State =
            if length != nil {
                isChanged == true ? .unsent : .inStore
            } else {
                isMarked == true || digest.map(evicted.contains) == true ? .evicted : .missing
            }
        return StreamEntry(
            path: path, contentType: row[stream.type], length: length, digest: digest, state: state,
            isPinned: isPinned, thumbnailBytes: digest.flatMap { thumbnails[$0] } ?? 0,
            partialBytes: partials.isEmpty ? 0 : partials[media.folder.partialName(for: path)] ?? 0)
    }
}
