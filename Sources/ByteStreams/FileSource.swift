#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file, or a part of it, as a source. The length is taken when the source is made; a file that is shorter when
/// read is an error, not an early end.
public struct FileSource: BlockingByteSource {
    public let path: String
    public var contentType: String?
    public var digest: SourceDigest?
    private let range: Range<Int64>
    private let original: SourceIdentity

    /// - Throws: ``ByteStreamError`` with code `notFound` or `unreadable`.
    public init(path: String, range: Range<Int64>? = nil) throws {
        self.path = path
        let status = try Self.status(of: path)
        original = SourceIdentity(status)
        self.range = try status.part(range, of: path)
    }

    public var length: Int64? { Int64(range.count) }

    /// The file's own, of a part too.
    ///
    /// - Throws: ``ByteStreamError`` with code `changed` if it is not what it was when the source was made.
    public func identity() throws -> SourceIdentity? {
        guard SourceIdentity(try Self.status(of: path)) == original else {
            throw ByteStreamError(.changed, "\(path) is not the file any more that it was.")
        }
        return original
    }

    public func open(at offset: Int64) throws -> ByteChunks {
        ByteChunks(try openBlocking(at: offset), count: Int64(range.count) - offset)
    }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        guard (0...Int64(range.count)).contains(offset) else {
            throw ByteStreamError(offset: offset, outside: Int64(range.count), of: path)
        }
        return FileReader(try OpenFile(path: path), from: range.lowerBound + offset, to: range.upperBound)
    }

    private static func status(of path: String) throws -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ByteStreamError(opening: path, errno: errno) }
        return status
    }
}

extension stat {
    /// The bytes of a regular file that `range` is, or all.
    ///
    /// - Throws: ``ByteStreamError`` with code `unreadable` or `pastEnd`.
    func part(_ range: Range<Int64>?, of name: String) throws -> Range<Int64> {
        guard st_mode & S_IFMT == S_IFREG else {
            throw ByteStreamError(.unreadable, "\(name) is not a regular file.")
        }
        let size = Int64(st_size)
        guard let range else { return 0..<size }
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw ByteStreamError(.pastEnd, "The range \(range) lies outside the \(size) bytes of \(name).")
        }
        return range
    }
}
