import ByteStreams

/// A stream of the folder that is checked while it is read, and of which the folder notes when it is found to be
/// damaged.
///
/// A read from the start gives the last piece only when all bytes are known to have the digest, so that no reader can
/// take damaged ones for the stream. A read from elsewhere is not checked, unless encryption does that.
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
            try source.open(at: offset), digest: name, behind: comparesDigest && offset == 0 ? MediaHasher() : nil)
        return ByteChunks { [folder, name] in
            do { return try await read.next() } catch let error as ByteStreamError where error.code == .changed {
                folder.noteDamage(of: name)
                throw error
            }
        }
    }
}

/// The end of a stream: its last piece is given only when all bytes of the stream, with those before, are known to have
/// the digest.
package struct CheckedTail: ByteSource {
    private let source: any ByteSource
    private let start: Int64
    private let name: String
    private let before: MediaHasher

    /// Reads what comes before `start`.
    ///
    /// - Parameter digest: Of all bytes, in hexadecimal digits.
    /// - Throws: `ByteStreamError`, and what reading throws.
    package init(_ source: any ByteSource, from start: Int64, digest: String) async throws {
        var hasher = MediaHasher()
        for try await chunk in try SliceSource(source, range: 0..<start).open(at: 0) {
            try Task.checkCancellation()
            hasher.update(chunk)
        }
        (self.source, self.start, name, before) = (source, start, digest, hasher)
    }

    package var length: Int64? { source.length.map { $0 - start } }

    /// What is read from elsewhere than the start is not checked.
    package func open(at offset: Int64) throws -> ByteChunks {
        let read = CheckedRead(
            try source.open(at: start + offset), digest: name, behind: offset == 0 ? before : nil)
        return ByteChunks { try await read.next() }
    }
}

private actor CheckedRead {
    private let chunks: ByteChunks.AsyncIterator
    private let digest: String
    private var hasher: MediaHasher?
    /// The last piece that was read, while its bytes are not known to be right.
    private var held: [UInt8]?

    /// - Parameter hasher: What has come before; nil for no check.
    init(_ chunks: ByteChunks, digest: String, behind hasher: MediaHasher?) {
        self.chunks = chunks.makeAsyncIterator()
        self.digest = digest
        self.hasher = hasher
    }

    func next() async throws -> [UInt8]? {
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
