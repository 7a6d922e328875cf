import Synchronization

/// Sources one after the other, as one. Each is opened when the one before it ends. With parts of unknown length it is
/// asynchronous: with a photo asset among them it is unknown whether a stream waits for it on the main thread.
public struct JoinedSource: BlockingByteSource {
    public var contentType: String?
    public var digest: SourceDigest?
    private let parts: [any ByteSource]

    /// - Parameter parts: In the order in which they are read. Parts of unknown length are read to find an offset
    ///   behind them.
    public init(_ parts: [any ByteSource]) {
        self.parts = parts
    }

    /// The sum; nil if that of a part is unknown.
    public var length: Int64? {
        parts.reduce(0) { sum, part in
            guard let sum, let length = part.length else { return nil }
            return sum + length
        }
    }

    /// Those of the parts; nil if no part has one.
    public func identity() throws -> SourceIdentity? {
        let identities = try parts.map { try $0.identity() }
        return identities.allSatisfy { $0 == nil } ? nil : SourceIdentity(parts: identities)
    }

    public func open(at offset: Int64) throws -> ByteChunks {
        let chain = Chain(parts: parts, place: try place(of: offset))
        return ByteChunks { try await chain.next() }
    }

    public var isBlocking: Bool { parts.allSatisfy { $0.blocking != nil && $0.length != nil } }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        let blocking = parts.compactMap(\.blocking)
        guard isBlocking, blocking.count == parts.count else { throw ByteStreamError.asynchronousOnly }
        return Reader(parts: blocking, place: try place(of: offset))
    }

    /// The part of an offset, as far as the lengths before it are known.
    private func place(of offset: Int64) throws -> Place {
        guard offset >= 0, offset <= length ?? .max else {
            throw ByteStreamError(offset: offset, outside: length ?? 0, of: "the joined sources")
        }
        var place = Place(part: 0, offset: offset)
        while place.part < parts.count, let length = parts[place.part].length, length <= place.offset {
            place = Place(part: place.part + 1, offset: place.offset - length)
        }
        return place
    }

    private struct Place {
        var part: Int
        var offset: Int64
    }

    private actor Chain {
        private let parts: [any ByteSource]
        private var place: Place
        private var chunks: ByteChunks.AsyncIterator?

        init(parts: [any ByteSource], place: Place) {
            (self.parts, self.place) = (parts, place)
        }

        func next() async throws -> [UInt8]? {
            while place.part < parts.count {
                if let chunk = try await opened().next() {
                    // Only a part of unknown length is read before the offset.
                    let skipped = Int(min(place.offset, Int64(chunk.count)))
                    place.offset -= Int64(skipped)
                    if skipped < chunk.count { return skipped == 0 ? chunk : Array(chunk[skipped...]) }
                } else {
                    place.part += 1
                    chunks = nil
                }
            }
            guard place.offset == 0 else {
                throw ByteStreamError(.pastEnd, "The offset is behind the end of the joined sources.")
            }
            return nil
        }

        private func opened() throws -> ByteChunks.AsyncIterator {
            if let chunks { return chunks }
            let part = parts[place.part]
            let isPlaced = part.length.map { place.offset < $0 } ?? false
            let opened = try part.open(at: isPlaced ? place.offset : 0).makeAsyncIterator()
            if isPlaced { place.offset = 0 }
            chunks = opened
            return opened
        }
    }

    private final class Reader: BlockingByteReader {
        private struct State {
            var place: Place
            var reader: (any BlockingByteReader)?
        }

        private let parts: [any BlockingByteSource]
        private let state: Mutex<State>

        init(parts: [any BlockingByteSource], place: Place) {
            self.parts = parts
            state = Mutex(State(place: place))
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try state.withLock { state in
                while state.place.part < parts.count {
                    let reader = try state.reader ?? parts[state.place.part].openBlocking(at: state.place.offset)
                    state.reader = reader
                    let count = try reader.read(into: buffer)
                    if count > 0 { return count }
                    state = State(place: Place(part: state.place.part + 1, offset: 0))
                }
                return 0
            }
        }
    }
}
