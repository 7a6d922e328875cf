import Foundation

/// The file that a `FileHandle` has open, or a part of it, as a source. Its position is neither used nor moved, and the
/// handle may be closed while the source is read: the source keeps a descriptor of its own.
public struct HandleSource: BlockingByteSource {
    public var contentType: String?
    public var digest: SourceDigest?
    private let file: OpenFile
    private let range: Range<Int64>
    private let original: SourceIdentity

    /// - Throws: ``ByteStreamError`` with code `unreadable` if what is open is no regular file (a pipe cannot be read
    ///   again), `pastEnd` if the range lies outside of it.
    public init(_ handle: FileHandle, range: Range<Int64>? = nil) throws {
        file = try OpenFile(duplicating: handle.fileDescriptor)
        let status = try file.status()
        original = SourceIdentity(status)
        self.range = try status.part(range, of: file.name)
    }

    public var length: Int64? { Int64(range.count) }

    /// The file's own, of a part too.
    ///
    /// - Throws: ``ByteStreamError`` with code `changed` if it is not what it was when the source was made.
    public func identity() throws -> SourceIdentity? {
        guard SourceIdentity(try file.status()) == original else {
            throw ByteStreamError(.changed, "\(file.name) has changed.")
        }
        return original
    }

    public func open(at offset: Int64) throws -> ByteChunks {
        ByteChunks(try openBlocking(at: offset), count: Int64(range.count) - offset)
    }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        guard (0...Int64(range.count)).contains(offset) else {
            throw ByteStreamError(offset: offset, outside: Int64(range.count), of: file.name)
        }
        return FileReader(file, from: range.lowerBound + offset, to: range.upperBound)
    }
}
