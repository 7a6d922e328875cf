import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataStores

extension SQLiteStore {
    public func readStream(_ request: StreamRequest) async throws -> StreamResult {
        do {
            let (table, key) = try await locate(request.path)
            if case .property(let property) = request.path.target {
                return try await rawValue(of: property, key: key, in: table, request)
            }
            let stream: PublishedStream?
            if case .stream(let property) = request.path.target {
                stream = table.stream(ofProperty: property.name)
            } else {
                stream = table.media
            }
            guard let stream else { throw ODataError(.notFound, "\(table.set) holds no media entities.") }
            return try await open(stream, of: table, key: key, request)
        } catch { throw ODataError.storage(error) }
    }

    private func locate(_ path: ResourcePath) async throws -> (PublishedTable, EntityKey) {
        try await pool.read { [self] db in
            let access = access(db)
            guard let located = try ChangeTransaction(access: access).locate(path) else {
                throw ODataError(.notFound, "There is no such entity.")
            }
            return (located.table, try access.key(of: located.row, in: located.table))
        }
    }

    private func open(_ stream: PublishedStream, of table: PublishedTable, key: EntityKey, _ request: StreamRequest)
        async throws -> StreamResult
    {
        let connection = try FileOpening(path: path, isReadOnly: true).streamConnection()
        return try await connection.writeWithoutTransaction { [self] db in
            try db.beginTransaction(.deferred)
            let opening = StreamOpening(
                request: request, table: table, stream: stream, key: key, access: access(db), connection: connection)
            return try opening.result()
        }
    }

    /// `GET Products(1)/ProductName/$value`
    ///
    /// [OData-Protocol, section 11.2.4.1]
    private func rawValue(of property: Property, key: EntityKey, in table: PublishedTable, _ request: StreamRequest)
        async throws -> StreamResult
    {
        guard let column = table.column(ofProperty: property.name) else {
            throw ODataError(.notFound, "\(table.set) has no property \(property.name).")
        }
        let (value, etag) = try await pool.read { [self] db in
            let access = access(db)
            guard let row = try access.row(of: table, key: key),
                let stored = try access.stored([column.name], of: row, in: table).first
            else { throw ODataError(.notFound, "There is no such entity.") }
            return (try column.value(of: stored), try access.etag(of: row, in: table))
        }
        guard !value.isNull else { throw ODataError(.notFound, "\(property.name) is null: it has no raw value.") }
        let bytes: [UInt8] = if case .binary(let bytes) = value { bytes } else { Array(value.lexical.utf8) }
        let type = property.type.primitive == .binary ? "application/octet-stream" : "text/plain;charset=utf-8"
        let range = try StreamRange(request, length: Int64(bytes.count), etag: etag)
        let part = Array(bytes.dropFirst(Int(range.offset)).prefix(Int(range.count)))
        return StreamResult(
            content: ByteContent(part), contentType: type, etag: etag, offset: range.offset,
            totalLength: Int64(bytes.count))
    }
}
