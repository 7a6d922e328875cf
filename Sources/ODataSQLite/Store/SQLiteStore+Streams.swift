import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension SQLiteStore {
    public func readStream(_ request: StreamRequest) async throws -> StreamResult {
        do { return try await withFile { try await readStream(request, in: $0) } } catch {
            throw ODataError.storage(error)
        }
    }

    private func readStream(_ request: StreamRequest, in opened: OpenedFile) async throws -> StreamResult {
        if case .property(let property) = request.path.target {
            return try await rawValue(of: property, request, in: opened)
        }
        var missing: StreamReference?
        while true {
            do { return try await openedStream(request, in: opened) } catch let error as MissingStream {
                // The row may have another stream now.
                guard error.reference != missing else { throw error.failure }
                missing = error.reference
            }
        }
    }

    /// A small stream and a stream in a file do not need the database any more; a long BLOB keeps a connection until
    /// its end.
    private func openedStream(_ request: StreamRequest, in opened: OpenedFile) async throws -> StreamResult {
        let found = try await opened.pool.read { [self] db in try opening(of: request, on: nil, db).result() }
        if let found { return found }
        let connection = try opened.streamConnection()
        let result = try await connection.writeWithoutTransaction { [self] db in
            try db.beginTransaction(.deferred)
            var opening = try opening(of: request, on: connection, db)
            opening.check = { [self] in try check(opened) }
            return try opening.result()
        }
        guard let result else { throw ODataError(.internalError, "The stream cannot be opened.") }
        return result
    }

    /// The entity is found by its path: below different parents, contained entities may have the same key.
    private func opening(
        of request: StreamRequest, on connection: DatabaseQueue?, _ db: Database
    ) throws -> StreamOpening {
        let access = access(db)
        guard let located = try DirectChangeSet(access).planner.locate(request.path) else {
            throw ODataError.noSuchEntity
        }
        let table = located.table
        let stream: PublishedStream?
        if case .stream(let property) = request.path.target {
            stream = table.stream(ofProperty: property.name)
        } else {
            stream = table.media
        }
        guard let stream else { throw ODataError.noStream(of: request.path.resource.url) }
        return StreamOpening(
            request: request, table: table, row: located.row, stream: stream, access: access, files: streamFiles,
            connection: connection)
    }

    /// `GET Products(1)/ProductName/$value`
    ///
    /// [OData-Protocol, section 11.2.4.1]
    private func rawValue(
        of property: EdmProperty, _ request: StreamRequest, in opened: OpenedFile
    ) async throws -> StreamResult {
        var asked = ReadRequest(BoundQuery(path: request.path.resource))
        asked.scope = request.scope
        let read = try await executor.read(asked, in: opened.pool, pageSize: nil)
        guard case .value(let value, let type) = read.body else { return .null }
        if let header = request.ifNoneMatch, let etag = read.etag, Precondition.matches(header, [etag]) {
            return StreamResult(content: .empty, etag: etag, isNotModified: true)
        }
        let bytes: [UInt8] = if case .binary(let bytes) = value { bytes } else { Array(value.lexical.utf8) }
        let range = try StreamRange(request, length: Int64(bytes.count), etag: read.etag)
        let part = Array(bytes.dropFirst(Int(range.offset)).prefix(Int(range.count)))
        return StreamResult(
            content: ByteContent(part),
            contentType: type.primitive == .binary ? "application/octet-stream" : "text/plain;charset=utf-8",
            etag: read.etag, offset: range.offset, totalLength: Int64(bytes.count))
    }
}
