import ByteStreams

/// What a check of the media folder found.
package struct MediaFolderReport: Hashable, Sendable {
    /// Streams that should be there and are not.
    package var missing: Set<String> = []
    /// Streams of another length than they should have.
    package var truncated: Set<String> = []
    /// The names of files without a reference: digests, or what stands for them in an encrypted folder.
    package var strays: Set<String> = []

    package init() {}
}

extension MediaFolder {
    /// Compares the folder with the streams that should be in it: digest → length in bytes, nil where unknown.
    package func check(lengths: [String: Int64?]) throws -> MediaFolderReport {
        var report = compare(lengths)
        let known = Set(lengths.keys.map(fileName))
        report.strays = try strays { known.contains($0) }
        return report
    }

    /// As ``check(lengths:)``, without a look for strays.
    package func compare(_ lengths: [String: Int64?]) -> MediaFolderReport {
        var report = MediaFolderReport()
        for (digest, length) in lengths {
            guard StoredMedia.isDigest(digest), let fileLength = fileLength(of: digest) else {
                report.missing.insert(digest)
                continue
            }
            guard let actual = streamLength(ofFile: fileLength), length ?? actual == actual else {
                report.truncated.insert(digest)
                continue
            }
        }
        return report
    }

    /// The names of the files that `isKnown` is false of.
    package func strays(_ isKnown: (_ name: String) -> Bool) throws -> Set<String> {
        var found: Set<String> = []
        try Self.eachFile(in: path) { name in
            if !isKnown(name) { found.insert(name) }
            return true
        }
        return found
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

    /// Calls `body` with the names of the files of complete streams, until it returns false.
    private static func eachFile(in path: String, _ body: (String) throws -> Bool) throws {
        for folder in try folders(in: path) {
            let names = try Directory.names(in: folder)
            let inner = names.filter { $0.utf8.count == 2 }
            for name in try names + inner.flatMap({ try Directory.names(in: "\(folder)/\($0)") })
            where StoredMedia.isDigest(name) {
                guard try body(name) else { return }
            }
        }
    }

    /// Whether there are complete streams in the folder at `path`, which need not be there.
    package static func holdsFiles(at path: String) throws -> Bool {
        var isFound = false
        try eachFile(in: path) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// The folders of complete streams, sorted.
    private static func folders(in path: String) throws -> [String] {
        try Directory.names(in: path).filter { $0.utf8.count == 2 }.map { "\(path)/\($0)" }
    }

    /// Removes a file that ``check(lengths:)`` has called a stray.
    package func remove(stray name: String) throws {
        guard StoredMedia.isDigest(name) else { return }
        try removeFile(named: name)
        try removeDerived(name)
    }
}
