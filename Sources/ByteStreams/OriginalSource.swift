import Synchronization

/// A source that is opened more than once, and must be the same each time.
final class OriginalSource: Sendable {
    let source: any ByteSource
    /// As it was at first.
    let length: Int64?
    let blocking: (any BlockingByteSource)?
    private let first: Mutex<SourceIdentity?>

    init(_ source: any ByteSource) {
        self.source = source
        length = source.length
        blocking = source.blocking
        first = Mutex(try? source.identity())
    }

    func open(at offset: Int64) throws -> ByteChunks {
        try verify()
        return try source.open(at: offset)
    }

    func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        guard let blocking else { throw ByteStreamError.asynchronousOnly }
        try verify()
        return try blocking.openBlocking(at: offset)
    }

    /// - Throws: ``ByteStreamError`` with code `changed` if the source has another length or identity than at first.
    func verify() throws {
        let now = try source.identity()
        let isSame = first.withLock { first in
            if first == nil { first = now }
            return first == now
        }
        guard isSame, source.length == length else {
            throw ByteStreamError(.changed, "The source is not what it was when the stream was made.")
        }
    }

    /// Checks that a read that has come to `offset` may continue.
    ///
    /// - Parameter isAtEnd: The source has given its last byte.
    /// - Throws: ``ByteStreamError`` with code `changed` if it has more or fewer bytes than it reports, or is another.
    func check(_ offset: Int64, isAtEnd: Bool) throws {
        if let length, offset > length || isAtEnd && offset < length {
            throw ByteStreamError(
                .changed, "The source \(isAtEnd ? "ended at byte" : "has byte") \(offset) of \(length).")
        }
        if isAtEnd { try verify() }
    }
}

/// Reads a source, which must stay what it was, and opens it again where it has become invalid.
///
/// Where the length is known, the last bytes are given only when the source has been found to be the same still; else the
/// error replaces the end. So changed bytes are never taken for the whole.
final class CheckedReader {
    private let original: OriginalSource
    private var reader: any BlockingByteReader
    private var offset: Int64

    init(_ original: OriginalSource, at offset: Int64) throws {
        (self.original, self.offset) = (original, offset)
        reader = try original.openBlocking(at: offset)
    }

    /// - Returns: 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if offset == original.length { return 0 }
        let count = try readOn(into: buffer)
        offset += Int64(count)
        try original.check(offset, isAtEnd: count == 0)
        if offset == original.length {
            var byte: UInt8 = 0
            let more = try withUnsafeMutableBytes(of: &byte) { try readOn(into: $0) }
            try original.check(offset + Int64(more), isAtEnd: more == 0)
        }
        return count
    }

    private func readOn(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do { return try reader.read(into: buffer) } catch let error as ByteStreamError where error.code == .invalidated
        {
            reader = try original.openBlocking(at: offset)
            return try reader.read(into: buffer)
        }
    }
}

/// The same for a source that gives its bytes asynchronously.
struct CheckedChunks {
    private let original: OriginalSource
    private var chunks: ByteChunks.AsyncIterator
    private var offset: Int64

    init(_ original: OriginalSource, at offset: Int64) throws {
        (self.original, self.offset) = (original, offset)
        chunks = try original.open(at: offset).makeAsyncIterator()
    }

    mutating func next() async throws -> [UInt8]? {
        if offset == original.length { return nil }
        let chunk = try await pull()
        offset += Int64(chunk?.count ?? 0)
        try original.check(offset, isAtEnd: chunk == nil)
        if offset == original.length {
            let more = try await pull()
            try original.check(offset + Int64(more?.count ?? 0), isAtEnd: more == nil)
        }
        return chunk
    }

    private mutating func pull() async throws -> [UInt8]? {
        do { return try await chunks.next() } catch let error as ByteStreamError where error.code == .invalidated {
            chunks = try original.open(at: offset).makeAsyncIterator()
            return try await chunks.next()
        }
    }
}
