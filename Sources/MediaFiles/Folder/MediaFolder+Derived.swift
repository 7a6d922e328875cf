import ByteStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Derived files are removed with their streams.
extension MediaFolder {
    /// The most bytes that are kept of one.
    package static let derivedLimit = 16 << 20

    private var derivedFolders: String { path + "/derived" }

    /// A folder for each stream, by the name of the stream's file.
    private func derivedFolder(_ name: String) -> String { "\(derivedFolders)/\(name)" }

    /// What was kept of the stream in this size; nil if there is none that is whole.
    package func derived(of digest: String, size: Int) async -> DerivedMedia? {
        guard StoredMedia.isDigest(digest) else { return nil }
        let path = "\(derivedFolder(fileName(for: digest)))/\(size)"
        // One that is damaged is made again.
        guard let source = try? derivedSource(path),
            let file = try? await ByteContent(source).collect(upTo: Self.derivedLimit + 1_024)
        else { return nil }
        return DerivedMedia(file: file)
    }

    private func derivedSource(_ path: String) throws -> any ByteSource {
        guard let encryption else { return try FileSource(path: path) }
        return try SealedStreamSource(path: path, key: encryption.key)
    }

    /// Keeps what was made out of the stream in this size. To be called where the stream cannot be removed meanwhile.
    ///
    /// - Returns: How many bytes are kept, in plain text.
    /// - Throws: ``MediaFileError``; with code `diskFull` also if it is too long.
    @discardableResult
    package func keep(_ media: DerivedMedia, of digest: String, size: Int) throws -> Int64 {
        guard StoredMedia.isDigest(digest) else {
            throw MediaFileError(.notFound, "\(digest) is not the digest of a stream.")
        }
        guard media.bytes.count <= Self.derivedLimit else {
            throw MediaFileError(.diskFull, "At most \(Self.derivedLimit) bytes are kept of what is made of a stream.")
        }
        let (name, bytes) = (fileName(for: digest), media.file)
        let file = try makeTemporary()
        do {
            try file.append(bytes)
            try file.complete()
            try file.synchronise()
            try Directory.create(derivedFolders)
            try Directory.create(derivedFolder(name))
            try Directory.move(file.path, to: "\(derivedFolder(name))/\(size)")
        } catch {
            forget(file)
            throw error
        }
        return Int64(bytes.count)
    }

    /// Removes what was made out of the stream with this file name.
    package func removeDerived(_ name: String) throws {
        let folder = derivedFolder(name)
        for file in try Directory.names(in: folder) { try Directory.remove("\(folder)/\(file)") }
        _ = rmdir(folder)
    }

    /// The file names of the streams that something was made out of.
    package var derivedNames: [String] { get throws { try Directory.names(in: derivedFolders) } }
}
