import ByteStreams
import Foundation
import GRDB
import ODataQuery
import ODataSQL
import ODataStores

/// Opens the stream of one row.
struct StreamOpening {
    /// The number of bytes that are read with the entity, in its transaction.
    private static let atOnce: Int64 = 64 * 1024

    let request: StreamRequest
    let table: PublishedTable
    let row: RowReference
    let stream: PublishedStream
    let access: RowAccess
    let files: StreamFiles?
    /// A separate connection for a long BLOB; nil if only streams that do not need one are opened.
    let connection: DatabaseQueue?
    /// Throws once another file has replaced the database's file.
    var check: @Sendable () throws -> Void = {}

    /// ETag, type and bytes are of the snapshot in which the entity was found. Nil if the stream needs a connection.
    ///
    /// - Throws: ``MissingStream`` if the row refers to a file that is not there.
    func result() throws -> StreamResult? {
        guard var result = try opened() else { return nil }
        result.fileName = try access.text(stream.nameColumn.map(SQLFragment.row), of: row, in: table)
        return result
    }

    private func opened() throws -> StreamResult? {
        let source = access.schema.rowSources[table.set]
        let mapping = stream.property.map { source?.streams[$0] } ?? source?.media
        let etag = try access.text(mapping?.etag, of: row, in: table)
        let type = try access.text(mapping?.contentType, of: row, in: table)
        try checkCondition(etag)
        if let header = request.ifNoneMatch, let etag, Precondition.matches(header, [etag]) {
            return StreamResult(content: .empty, contentType: type, etag: etag, isNotModified: true)
        }
        if let files, let reference = try reference(files) {
            let length = reference.media.length
            let range = try StreamRange(request, length: length, etag: etag)
            return StreamResult(
                content: try files.content(reference, range), contentType: type, etag: etag, offset: range.offset,
                totalLength: length, digest: reference.media.digest)
        }
        guard let length = try length() else {
            guard stream.property == nil else { return .null }
            throw ODataError(.notFound, "The entity has no stream: it is null.")
        }
        let range = try StreamRange(request, length: length, etag: etag)
        guard let content = try content(range) else { return nil }
        return StreamResult(
            content: content, contentType: type, etag: etag, offset: range.offset, totalLength: length)
    }

    private func reference(_ files: StreamFiles) throws -> StreamReference? {
        let column = "r.\(quoted(stream.column))"
        let record = try Data.fetchOne(
            access.db.cachedStatement(
                sql: """
                    SELECT CASE WHEN \(files.condition(column)) THEN \(column) END FROM \(quoted(table.name)) AS r
                    WHERE \(row.condition)
                    """), arguments: row.arguments)
        return record.flatMap(files.reference(in:))
    }

    private func checkCondition(_ etag: String?) throws {
        guard let header = request.ifMatch, !Precondition.matches(header, [etag].compactMap(\.self)) else { return }
        throw ODataError.changedStream(header)
    }

    private func length() throws -> Int64? {
        let column = "r.\(quoted(stream.column))"
        return try Int64.fetchOne(
            access.db.cachedStatement(
                sql: """
                    SELECT CASE typeof(\(column)) WHEN 'blob' THEN length(\(column)) WHEN 'null' THEN NULL
                    ELSE length(CAST(\(column) AS BLOB)) END FROM \(quoted(table.name)) AS r WHERE \(row.condition)
                    """), arguments: row.arguments)
    }

    /// Nil if the stream needs a connection.
    private func content(_ range: StreamRange) throws -> ByteContent? {
        guard range.count > 0 else { return .empty }
        guard range.count <= Self.atOnce || connection != nil else { return nil }
        if let rowID = row.rowID, try isBlob() {
            let blob = try BlobHandle(
                table: table.name, column: stream.column, rowID: rowID, isWritable: false, in: access.db)
            guard let connection else { return ByteContent(try blob.read(Int(range.count), at: range.offset)) }
            return ByteContent(
                BlobStream(blob, connection: connection, range: range, check: check).chunks, length: range.count)
        }
        let data = try Data.fetchOne(
            access.db.cachedStatement(
                sql: """
                    SELECT CAST(r.\(quoted(stream.column)) AS BLOB) FROM \(quoted(table.name)) AS r
                    WHERE \(row.condition)
                    """), arguments: row.arguments)
        return ByteContent(Array((data ?? Data()).dropFirst(Int(range.offset)).prefix(Int(range.count))))
    }

    /// SQLite does not open BLOB handles for numbers.
    private func isBlob() throws -> Bool {
        let type = try String.fetchOne(
            access.db.cachedStatement(
                sql: "SELECT typeof(r.\(quoted(stream.column))) FROM \(quoted(table.name)) AS r WHERE \(row.condition)"),
            arguments: row.arguments)
        return type == "blob" || type == "text"
    }
}
