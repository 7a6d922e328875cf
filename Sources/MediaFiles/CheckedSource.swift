import ByteStreams

/// A stream of the folder that is checked while it is read, and of which the folder notes when it turns out to be
/// damaged.
///
/// A read from the start gives the last piece only when all bytes are known to have the digest, so that nobody can take
/// damaged ones for the stream. A read from elsewhere is not checked, unless encryption does that.
struct CheckedSource: ByteSource {
    let source: any ByteSource
    /// In hexadecimal digits.
    let name: String
    /// False where the bytes are authenticated piece by piece.
    let comparesDigest: Bool
    let folder: MediaFolder

    var length: Int64? { source.length }
    var digest: SourceDigest? { SourceDigest(algorithm: "sha-256", hexadecimal: name) }

    func open(at offset: Int64) throws -> ByteChunks {
        let read = CheckedRead(
            try source.open(at: offset), digest: name, comparesDigest: comparesDigest && offset == 0, folder)
        return ByteChunks { try await read.next() }
    }
}

private actor CheckedRead {
    private let chunks: ByteChunks.AsyncIterator
    private let digest: String
    private let folder: MediaFolder
    private var hasher: MediaHasher?
    /// The last piece that was read, while its bytes are not known to be right.
    private var held: [UInt8]?

    init(_ chunks: ByteChunks, digest: String, comparesDigest: Bool, _ folder: MediaFolder) {
        self.chunks = chunks.makeAsyncIterator()
        self.digest = digest
        self.folder = folder
        hasher = comparesDigest ? MediaHasher() : nil
    }

    func next() async throws -> [UInt8]? {
        do { return try await checked() } catch let error as ByteStreamError where error.code == .changed {
            folder.noteDamage(of: digest)
            throw error
        }
    }

    private func checked() async throws -> [UInt8]? {
        guard hasher != nil else { return try await chunks.next() }
        while let chunk = try await chunks.next() {
            hasher?.update(chunk)
            let before = held
            held = chunk
            if let before { return before }
        }
        guard hasher?.finish().digest == digest else {
            throw ByteStreamError(.changed, "The stream \(digest) has other bytes than were kept.")
        }
        hasher = nil
        return held
    }
}
