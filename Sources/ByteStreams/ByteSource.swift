/// Bytes that can be read from any offset, again and again.
public protocol ByteSource: Sendable {
    /// In bytes; nil where unknown before reading.
    var length: Int64? { get }

    /// The media type of the bytes, like `image/jpeg`; nil where unknown.
    var contentType: String? { get }

    /// The digest of all bytes; nil where unknown without reading them.
    var digest: SourceDigest? { get }

    /// What distinguishes this version of the source from others, as it is now; nil where nothing does. May take as
    /// long as a look at a file.
    ///
    /// - Throws: ``ByteStreamError`` with code `changed` if the source knows that it is not what it was when it was
    ///   made, `notFound` if it is gone.
    func identity() throws -> SourceIdentity?

    /// The bytes from `offset` to the end.
    ///
    /// - Throws: ``ByteStreamError`` if the source cannot be opened or is shorter than `offset`.
    func open(at offset: Int64) throws -> ByteChunks
}

extension ByteSource {
    public var contentType: String? { nil }
    public var digest: SourceDigest? { nil }
    public func identity() throws -> SourceIdentity? { nil }
}

/// A one-time sequence of chunks of bytes, pulled by its one consumer.
public struct ByteChunks: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let pull: @Sendable () async throws -> [UInt8]?

        public func next() async throws -> [UInt8]? { try await pull() }
    }

    private let pull: @Sendable () async throws -> [UInt8]?

    /// - Parameter pull: Gives the next chunk, never an empty one; nil at the end. Called by one task at a time.
    public init(pull: @escaping @Sendable () async throws -> [UInt8]?) {
        self.pull = pull
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pull: pull) }
}

/// The content of a message body or a stream: bytes of known or unknown length, readable once or many times.
public struct ByteContent: Sendable {
    /// In bytes; nil where unknown.
    public let length: Int64?
    /// Whether ``chunks(from:)`` may be called again: after a redirect or to repeat a request.
    public let isReplayable: Bool
    /// Where the bytes come from; nil for what can be read once.
    package let source: (any ByteSource)?
    /// The bytes, where they are in memory as an array.
    package private(set) var bytes: [UInt8]?
    private let opener: @Sendable (Int64) throws -> ByteChunks
    private let once: OnceFlag?

    /// Content that can be read many times.
    public init(_ source: any ByteSource) {
        length = source.length
        isReplayable = true
        self.source = source
        once = nil
        opener = { try source.open(at: $0) }
    }

    /// Bytes in memory.
    public init(_ bytes: [UInt8]) {
        self.init(DataSource(bytes))
        self.bytes = bytes
    }

    /// Content that can be read once, as it arrives from a network.
    public init(_ chunks: ByteChunks, length: Int64?) {
        self.length = length
        isReplayable = false
        source = nil
        let once = OnceFlag()
        self.once = once
        opener = { offset in
            guard offset == 0, once.take() else {
                throw ByteStreamError(.notReplayable, "These bytes can be read only once, from their start.")
            }
            return chunks
        }
    }

    /// Whether ``chunks(from:)`` may be called now: content that can be read once is unreadable after that.
    public var isReadable: Bool { once.map { !$0.isTaken } ?? true }

    /// No bytes: of length 0, and readable again and again.
    public static let empty = ByteContent([UInt8]())

    /// The bytes from `offset`.
    ///
    /// - Throws: ``ByteStreamError`` if the content cannot be opened (again).
    public func chunks(from offset: Int64 = 0) throws -> ByteChunks { try opener(offset) }

    /// The same bytes, to be read once: `report` is called with the number of bytes of each chunk that was read.
    ///
    /// - Throws: ``ByteStreamError`` if the content cannot be opened.
    package func reporting(_ report: @escaping @Sendable (Int) -> Void) throws -> ByteContent {
        let chunks = try chunks().makeAsyncIterator()
        let reported = ByteChunks {
            let chunk = try await chunks.next()
            if let chunk { report(chunk.count) }
            return chunk
        }
        return ByteContent(reported, length: length)
    }

    /// All bytes.
    ///
    /// - Throws: ``ByteStreamError`` with code `tooLong` if there are more than `limit`, and what reading throws.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        if let length { bytes.reserveCapacity(Int(min(length, Int64(limit)))) }
        for try await chunk in try chunks() {
            guard bytes.count + chunk.count <= limit else {
                throw ByteStreamError(.tooLong, "The content is longer than the limit of \(limit) bytes.")
            }
            bytes += chunk
        }
        return bytes
    }
}
