import ByteStreams

/// What a check of the media folder found.
package struct MediaFolderReport: Hashable, Sendable {
    /// Streams that should be there and are not.
    package var missing: Set<String> = []
    /// Streams of another length than they should have.
    package var truncated: Set<String> = []
    /// The names of files that nobody knows of: digests, or what stands for them in an encrypted folder.
    package var strays: Set<String> = []

    package init() {}

    package var isClean: Bool { missing.isEmpty && truncated.isEmpty && strays.isEmpty }
}

extension MediaFolder {
    /// Compares the folder with the streams that should be in it: digest → length in bytes, nil where unknown.
    package func check(lengths: [String: Int64?]) throws -> MediaFolderReport {
        var found = try fileNames()
        var report = MediaFolderReport()
        for (digest, length) in lengths {
            let name = fileName(for: digest)
            guard found.remove(name) != nil else {
                report.missing.insert(digest)
                continue
            }
            guard let actual = streamLength(at: location(named: name)), length ?? actual == actual else {
                report.truncated.insert(digest)
                continue
            }
        }
        report.strays = found
        return report
    }

    /// Compares the folder with the digests of the streams that should be in it.
    package func check(known: Set<String>) throws -> MediaFolderReport {
        try check(lengths: Dictionary(uniqueKeysWithValues: known.map { ($0, nil) }))
    }

    /// Those of `digests` whose bytes are not those that were kept: all streams are read once. What is not there is left
    /// out.
    ///
    /// - Parameter onRead: Called with the number of bytes of each piece that was read.
    /// - Throws: What reading throws, and `CancellationError`.
    package func damaged(
        among digests: some Sequence<String>, onRead: (Int64) -> Void = { _ in }
    ) async throws -> Set<String> {
        var found: Set<String> = []
        for digest in digests {
            try Task.checkCancellation()
            do {
                for try await chunk in try source(digest: digest).open(at: 0) { onRead(Int64(chunk.count)) }
            } catch let error as ByteStreamError where error.code == .changed {
                found.insert(digest)
            } catch let error as ByteStreamError where error.code == .notFound {
                // It was let go meanwhile.
            }
        }
        return found
    }

    /// The names of all files of complete streams.
    func fileNames() throws -> Set<String> { try Self.fileNames(in: path) }

    static func fileNames(in path: String) throws -> Set<String> {
        var found: Set<String> = []
        for first in try Directory.names(in: path) where first.utf8.count == 2 {
            for second in try Directory.names(in: "\(path)/\(first)") {
                found.formUnion(try Directory.names(in: "\(path)/\(first)/\(second)").filter(StoredMedia.isDigest))
            }
        }
        return found
    }

    /// Removes a file that ``check(lengths:)`` has called a stray.
    package func remove(stray name: String) throws {
        guard StoredMedia.isDigest(name) else { return }
        try Directory.remove(location(named: name))
        try removeDerived(name)
    }
}
