import Foundation

/// The file that a `FileHandle` has open, or a part of it, as a source. Its position is neither used nor moved, and the
/// handle may be closed while the source is read: the source keeps a descriptor of its own.
public struct HandleSource: BlockingByteSource {
    public var contentType: String?
    public var digest: SourceDigest?
    private let file: OpenFile
    private let part: FilePart

    /// - Throws: ``ByteStreamError`` with code `unreadable` if the handle is not a regular file (a pipe cannot be read
    ///   again), `pastEnd` if the range is outside of it.
    public init(_ handle: FileHandle, range: Range<Int64>? = nil) throws {
        file = try OpenFile(duplicating: handle.fileDescriptor)
        part = try FilePart(range, of: try file.status(), named: file.name)
    }

    public var length: Int64? { part.length }

    /// The file's own, of a part too.
    ///
    /// - Throws: ``ByteStreamError`` with code `changed` if it is not what it was when the source was made.
    public func identity() throws -> SourceIdentity? {
        try part.identity(in: try file.status())
    }

    public func open(at offset: Int64) throws -> ByteChunks {
        ByteChunks(try openBlocking(at: offset), count: part.length - offset)
    }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        let bytes = try part.bytes(from: offset)
        return FileReader(file, from: bytes.lowerBound, to: bytes.upperBound)
    }
}
