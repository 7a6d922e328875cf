import GRDB
import MediaFiles
import ODataQuery
import ODataStores

/// Whether the service has the bytes of a stream that was sent. The headers of the stream are compared first; the whole
/// stream is read only if they do not decide.
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

    /// The local bytes of a stream, by their digest; nil if the digest is not stored any more.
    func length(of digest: String?) async throws -> Int64? {
        try await database.reading { db in
            try Int64.fetchOne(db, sql: #"SELECT "length" FROM \#(.media) WHERE "digest" = ?"#, arguments: [digest])
        }
    }

    private func read(_ request: StreamRequest) async throws -> StreamResult {
        try await remote.readStream(request).requiringContent(of: request)
    }

    /// The response to a request for the first byte: its headers describe the whole stream. Nil if the stream is empty,
    /// or if the service does not support ranges.
    private func beginning(of path: ResourcePath) async throws -> StreamResult? {
        var request = StreamRequest(path)
        request.count = 1
        do { return try await read(request) } catch let error as ODataError
            where error.code == .rangeNotSatisfiable
        { return nil }
    }

    /// What the headers of the stream say about the content; nil if they do not decide.
    private static func isSame(
        _ told: StreamResult, _ digest: String?, _ length: Int64?, before: String?
    ) -> Bool? {
        if let there = told.digest { return there == digest }
        if let there = told.totalLength, let length, there != length { return false }
        // An equal strong ETag means the same bytes as before.
        if let before, before.hasPrefix("\""), before == told.etag { return false }
        return nil
    }
}

extension StreamResult {
    /// Whether all bytes were returned although a part was requested.
    fileprivate var isWhole: Bool { offset == 0 && content.length == totalLength }
}
