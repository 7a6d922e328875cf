/// Reads a source in the thread of who reads the stream, through a cache of what was read ahead. A read of at least
/// the size of the cache bypasses it.
///
/// `@unchecked Sendable`: it has no lock of its own. `StreamCore` opens it once and then reads it under the lock that
/// lets one read go at a time.
final class DirectFeed: StreamFeed, @unchecked Sendable {
    private let original: OriginalSource
    private let start: Int64
    private let readAhead: Int
    private var reader: CheckedReader?
    private var cache: [UInt8] = []
    /// The part of the cache that has not been read.
    private var cached = 0..<0

    init(_ original: OriginalSource, from start: Int64, readAhead: Int) {
        (self.original, self.start, self.readAhead) = (original, start, readAhead)
    }

    func begin() {}

    func waitUntilOpened() throws { reader = try CheckedReader(original, at: start) }

    var isOpened: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        if cached.isEmpty {
            let reader = try reader ?? CheckedReader(original, at: start)
            self.reader = reader
            if buffer.count >= readAhead { return try reader.read(into: buffer) }
            if cache.isEmpty { cache = [UInt8](repeating: 0, count: cacheSize) }
            cached = 0..<(try cache.withUnsafeMutableBytes { try reader.read(into: $0) })
        }
        let part = cached.prefix(buffer.count)
        cache.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
        cached.removeFirst(part.count)
        return part.count
    }

    func supply(at offset: Int64) -> StreamMachine.Supply { offset == original.length ? .end : .bytes }

    func stop() {}

    private var cacheSize: Int { Int(min(Int64(readAhead), max(1, (original.length ?? .max) - start))) }
}
