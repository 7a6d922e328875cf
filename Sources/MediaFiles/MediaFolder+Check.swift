/// What a check of the media folder found.
package struct MediaFolderReport: Hashable, Sendable {
    /// Streams that should be there and are not.
    package var missing: Set<String> = []
    /// Streams of another length than they should have.
    package var truncated: Set<String> = []
    /// Streams that nobody knows of.
    package var strays: Set<String> = []

    package init() {}

    package var isClean: Bool { missing.isEmpty && truncated.isEmpty && strays.isEmpty }
}

extension MediaFolder {
    /// Compares the folder with the streams that should be in it: digest → length in bytes, nil where unknown.
    package func check(lengths: [String: Int64?]) throws -> MediaFolderReport {
        let found = try streams()
        var report = MediaFolderReport()
        for (digest, length) in lengths {
            guard let actual = found[digest] else {
                report.missing.insert(digest)
                continue
            }
            if let length, length != actual { report.truncated.insert(digest) }
        }
        report.strays = Set(found.keys.filter { lengths[$0] == nil })
        return report
    }

    /// Compares the folder with the digests of the streams that should be in it.
    package func check(known: Set<String>) throws -> MediaFolderReport {
        try check(lengths: Dictionary(uniqueKeysWithValues: known.map { ($0, nil) }))
    }

    /// All complete streams: digest → length in bytes.
    package func streams() throws -> [String: Int64] {
        var streams: [String: Int64] = [:]
        for first in try Directory.names(in: path) where first.utf8.count == 2 {
            for second in try Directory.names(in: "\(path)/\(first)") {
                for digest in try Directory.names(in: "\(path)/\(first)/\(second)") where StoredMedia.isDigest(digest) {
                    streams[digest] = Directory.fileLength(location(of: digest))
                }
            }
        }
        return streams
    }
}
