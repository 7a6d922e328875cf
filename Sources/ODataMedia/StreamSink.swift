import MediaFiles

/// Where the bytes of one stream go: into memory as long as it is known to be small, else into a partial stream.
struct StreamSink {
    private let name: String
    private let folder: MediaFolder
    private let limit: Int
    private var partial: PartialMedia?
    private var bytes: [UInt8] = []

    /// - Parameter limit: The length of the longest stream that is kept in memory; 0: none is.
    init(name: String, folder: MediaFolder, limit: Int) throws {
        self.name = name
        self.folder = folder
        self.limit = limit
        // What came in an earlier run is continued.
        if limit == 0 || folder.hasPartial(named: name) { partial = try folder.partial(named: name) }
    }

    /// Whether nothing of it is in the folder.
    var isInMemory: Bool { partial == nil }

    var length: Int64 { partial?.length ?? Int64(bytes.count) }
    var origin: PartialOrigin? { partial?.origin }

    /// Begins anew with the bytes of another stream.
    mutating func restart(origin: PartialOrigin) throws {
        bytes = []
        let isSmall = origin.totalLength.map { $0 <= Int64(limit) } ?? false
        if partial == nil, !isSmall { partial = try folder.partial(named: name) }
        try partial?.restart(origin: origin)
    }

    mutating func append(_ chunk: [UInt8]) throws {
        if let partial { return try partial.append(chunk) }
        guard bytes.count + chunk.count <= limit else {
            throw MediaFileError(.wrongLength, "The service sent more bytes of \(name) than it had announced.")
        }
        bytes += chunk
    }

    /// Lets no run continue what is there.
    mutating func spoil() throws {
        bytes = []
        try partial?.restart(origin: PartialOrigin())
    }

    /// The bytes so far are kept for another run.
    func synchronise() throws { try partial?.synchronise() }

    /// The bytes so far are removed.
    func discard() throws { try partial?.discard() }

    /// The complete stream, and its bytes if they are not in the folder.
    ///
    /// - Throws: As `PartialMedia.finish(expectedLength:expectedDigest:recorded:)`.
    func finish(
        _ length: Int64?, _ digest: String?, by finish: StreamDownloader.Finish
    ) throws -> (media: StoredMedia, bytes: [UInt8]?) {
        if let partial { return (try finish(partial, length, digest), nil) }
        let media = StoredMedia(bytes)
        if let length, length != media.length {
            throw MediaFileError(.wrongLength, "\(name) has \(media.length) bytes where \(length) were announced.")
        }
        if let digest { try media.check(digest, of: name) }
        return (media, bytes)
    }
}
