#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file, or a part of it, as a source. The length is taken when the source is made; a file that is shorter when
/// read is an error, not an early end.
public struct FileSource: BlockingByteSource {
    /// The file, absolute or relative to the working folder, as it was given.
    public let path: String
    public var contentType: String?
    public var digest: SourceDigest?
    private let part: FilePart

    /// - Throws: ``ByteStreamError`` with code `notFound` or `unreadable`.
    public init(path: String, range: Range<Int64>? = nil) throws {
        self.path = path
        part = try FilePart(range, of: try Self.status(of: path), named: path)
    }

    public var length: Int64? { part.length }

    /// The file's own, of a part too.
    ///
    /// - Throws: ``ByteStreamError`` with code `changed` if it is not what it was when the source was made.
    public func identity() throws -> SourceIdentity? {
        try part.identity(in: try Self.status(of: path))
    }

    public func open(at offset: Int64) throws -> ByteChunks {
        ByteChunks(try openBlocking(at: offset), count: part.length - offset)
    }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        let bytes = try part.bytes(from: offset)
        return FileReader(try OpenFile(path: path), from: bytes.lowerBound, to: bytes.upperBound)
    }

    private static func status(of path: String) throws -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ByteStreamError(opening: path, errno: errno) }
        return status
    }
}

/// The part of a regular file that a source consists of, and what the file was when the source was made.
struct FilePart: Sendable {
    private let name: String
    private let range: Range<Int64>
    private let original: SourceIdentity

    /// - Parameter range: Nil for the whole file.
    /// - Throws: ``ByteStreamError`` with code `unreadable` or `pastEnd`.
    init(_ range: Range<Int64>?, of status: stat, named name: String) throws {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ByteStreamError(.unreadable, "\(name) is not a regular file.")
        }
        let size = Int64(status.st_size)
        if let range, range.lowerBound < 0 || range.upperBound > size {
            throw ByteStreamError(.pastEnd, "The range \(range) is outside the \(size) bytes of \(name).")
        }
        (self.name, self.range, original) = (name, range ?? 0..<size, SourceIdentity(status))
    }

    var length: Int64 { Int64(range.count) }

    /// - Throws: ``ByteStreamError`` with code `changed` if the file is not what it was.
    func identity(in status: stat) throws -> SourceIdentity {
        guard SourceIdentity(status) == original else {
            throw ByteStreamError(.changed, "\(name) is not the file any more that it was.")
        }
        return original
    }

    /// Where in the file the bytes of the part from `offset` are.
    ///
    /// - Throws: ``ByteStreamError`` with code `pastEnd`.
    func bytes(from offset: Int64) throws -> Range<Int64> {
        guard (0...length).contains(offset) else { throw ByteStreamError(offset: offset, outside: length, of: name) }
        return range.lowerBound + offset..<range.upperBound
    }
}
