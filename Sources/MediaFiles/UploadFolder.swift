import ByteStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of files that grow while uploads come. It is made with its first file.
package struct UploadFolder: Sendable {
    private static let pieceLength = 128 * 1024
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
        return UploadFile(try file.hasOneName() ? file : try copy(of: file, name))
    }

    /// The bytes of a file that is a stream of a media folder too, which keeps its own.
    private func copy(of file: WritableFile, _ name: String) throws -> WritableFile {
        let copy = try WritableFile(path: location(name) + ".copy", .existing)
        try copy.lock()
        try copy.truncate()
        var offset: Int64 = 0
        while case let bytes = try file.read(Self.pieceLength, at: offset), !bytes.isEmpty {
            try copy.append(bytes)
            offset += Int64(bytes.count)
        }
        try copy.synchronise()
        try Directory.move(copy.path, to: location(name))
        return copy
    }

    /// In bytes; nil if there is no such file.
    package func length(_ name: String) -> Int64? { Directory.fileLength(location(name)) }

    /// The first bytes of a file, which a media folder may take over.
    package func source(_ name: String, length: Int64) throws -> any ByteSource {
        UploadedSource(file: try FileSource(path: location(name), range: 0..<length))
    }

    /// The names of all files.
    package func names() throws -> [String] { try Directory.names(in: path) }

    package func remove(_ name: String) throws { try Directory.remove(location(name)) }

    /// Removes the folder if it is empty.
    package func removeIfEmpty() { _ = rmdir(path) }

    private func location(_ name: String) -> String { path + "/" + name }
}

/// The file of an upload: it grows at its end, and is nobody else's as long as the value lives.
package final class UploadFile: Sendable {
    private let file: WritableFile

    fileprivate init(_ file: WritableFile) {
        self.file = file
    }

    package func append(_ bytes: [UInt8]) throws { try file.append(bytes) }

    package func truncate(to length: Int64) throws { try file.truncate(to: length) }

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
