import GRDB
import MediaFiles
import ODataQuery
import ODataStores

/// Whether the service has the bytes of a stream that was sent. What it tells of its stream is compared first; the whole
/// is read last.
extension Probe {
    /// Whether the stream at `path` has the content of a request, and its ETag.
    ///
    /// ```
    /// GET Photos(1)/$value
    /// Range: bytes=0-0
    /// ```
    ///
    /// - Parameter before: The ETag that the stream had when the request was made.
    func stream(
        at path: ResourcePath, has digest: String?, length: Int64?, before: String? = nil
    ) async throws -> (isSame: Bool, etag: String?) {
        let told = try await beginning(of: path)
        if let told, let isSame = Self.isSame(told, digest, length, before: before) { return (isSame, told.etag) }
        let whole = if let told, told.isWhole { told } else { try await read(StreamRequest(path)) }
        return (try await StoredMedia(reading: whole.content).digest == digest, whole.etag)
    }

    /// The bytes of a stream that was kept here, by its digest; nil if that is not known any more.
    func length(of digest: String?) async throws -> Int64? {
        try await database.reading { db in
            try Int64.fetchOne(db, sql: #"SELECT "length" FROM \#(.media) WHERE "digest" = ?"#, arguments: [digest])
        }
    }

    private func read(_ request: StreamRequest) async throws -> StreamResult {
        try await remote.readStream(request).requiringContent(of: request)
    }

    /// The first byte, and with it the headers about the whole. Nil if it has none, or none can be asked for alone.
    private func beginning(of path: ResourcePath) async throws -> StreamResult? {
        var request = StreamRequest(path)
        request.count = 1
        do { return try await read(request) } catch let error as ODataError
            where error.code == .rangeNotSatisfiable
        { return nil }
    }

    /// What the service tells of its stream says of the content; nil if it does not tell.
    private static func isSame(
        _ told: StreamResult, _ digest: String?, _ length: Int64?, before: String?
    ) -> Bool? {
        if let there = told.digest { return there == digest }
        if let there = told.totalLength, let length, there != length { return false }
        // A strong tag stands for the same bytes as before.
        if let before, before.hasPrefix("\""), before == told.etag { return false }
        return nil
    }
}

extension StreamResult {
    /// Whether all bytes were returned although a part was requested.
    fileprivate var isWhole: Bool { offset == 0 && content.length == totalLength }
}
