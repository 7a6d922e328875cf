import ByteStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of files that grow while uploads come. It is made with its first file.
package struct UploadFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Opens the file with this name, which is made if there is none.
    ///
    /// - Throws: ``MediaFileError`` with code `busy` while it is open already.
    package func open(_ name: String) throws -> UploadFile {
        try Directory.create(path)
        let isNew = length(name) == nil
        let file = try WritableFile(path: location(name), .existing)
        try file.lock()
        if isNew { try Directory.synchronise(path) }
        return try UploadFile(file)
    }

    /// In bytes; nil if there is no such file.
    package func length(_ name: String) -> Int64? { Directory.fileLength(location(name)) }

    /// The first bytes of a file, which a media folder may take over.
    package func source(_ name: String, length: Int64) throws -> any ByteSource {
        UploadedSource(file: try FileSource(path: location(name), range: 0..<length))
    }

    /// The names of all files.
    package func names() throws -> [String] {
        let names = try Directory.names(in: path).map { name in
            name.hasSuffix(UploadPieces.ending) ? String(name.dropLast(UploadPieces.ending.count)) : name
        }
        return Set(names).sorted()
    }

    /// Removes a file, and what a crash has left of a copy of it.
    package func remove(_ name: String) throws {
        // In this order: a copy that is being made cannot take the name of a file that is gone.
        try Directory.remove(UploadFile.copyPath(of: location(name)))
        try Directory.remove(location(name))
        try Directory.remove(location(name) + UploadPieces.ending)
    }

    /// Removes the folder if it is empty.
    package func removeIfEmpty() { _ = rmdir(path) }

    private func location(_ name: String) -> String { path + "/" + name }
}

/// The file of an upload: it grows at its end, and is locked as long as the value lives.
///
/// A media folder may have taken the file over by a second name, and keeps its bytes as they are: before the first change
/// they are copied. While the file is open, no media folder takes it.
package struct UploadFile: Sendable {
    private static let pieceLength = 128 * 1024
    private var file: WritableFile
    private var hasOneName = false
    private let pieces: UploadPieces

    fileprivate init(_ file: WritableFile) throws {
        self.file = file
        pieces = try UploadPieces(of: file.path)
    }

    fileprivate static func copyPath(of path: String) -> String { path + ".copy" }

    package mutating func append(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        if !hasOneName { self = try await withOneName() }
        let start = try file.length()
        try file.append(bytes)
        try pieces.note(bytes, at: start)
    }

    /// How long the file is up to the first byte that is not known to be one of those that were appended.
    ///
    /// - Parameter offset: What is before is known to be right.
    package func checkedLength(from offset: Int64) throws -> Int64 { try pieces.end(from: offset, in: file) }

    /// What has been appended needs no check any more, or does not count.
    package func forgetPieces() throws { try pieces.clear() }

    package mutating func truncate(to length: Int64) async throws {
        guard try file.length() != length else { return }
        if !hasOneName { self = try await withOneName() }
        try file.truncate(to: length)
    }

    private func withOneName() async throws -> UploadFile {
        var result = self
        if try !file.hasOneName() { result.file = try await copy() }
        result.hasOneName = true
        return result
    }

    /// Takes the file's name when all bytes are on the device; nothing is left if it throws.
    private func copy() async throws -> WritableFile {
        let copy = try WritableFile(path: Self.copyPath(of: file.path), .existing)
        try copy.lock()
        do {
            try copy.truncate()
            var offset: Int64 = 0
            while case let bytes = try file.read(Self.pieceLength, at: offset), !bytes.isEmpty {
                try Task.checkCancellation()
                // Others use the thread too.
                await Task.yield()
                try copy.append(bytes)
                offset += Int64(bytes.count)
            }
            try copy.synchronise()
            try Directory.move(copy.path, to: file.path)
        } catch {
            // There is an error already that says more.
            _ = try? Directory.remove(copy.path)
            throw error
        }
        return copy
    }

    /// Returns when the bytes are on the device.
    package func synchronise() throws { try file.synchronise() }
}

/// What has come of an upload.
private struct UploadedSource: TakeableSource {
    let file: FileSource

    var length: Int64? { file.length }
    var takeablePath: String? { Directory.fileLength(file.path) == file.length ? file.path : nil }
    func identity() throws -> SourceIdentity? { try file.identity() }
    func open(at offset: Int64) throws -> ByteChunks { try file.open(at: offset) }
}
