/// What happens while a stream is read through a ``StreamHandle``.
public enum StreamEvent: Sendable {
    /// The store is asked.
    case started
    /// The store has the stream itself: an offline store.
    case cacheResponse(Response)
    /// The response began. After a cut from which the read continues, it begins again.
    case serverResponse(Response)
    /// The bytes that the reader has been given, never fewer than before, of those it is to get where that is known.
    case progress(bytes: Int64, total: Int64?)
    /// All bytes were received.
    case finished
    /// The read is over without all bytes; cancelled ones have the code `cancelled`.
    case failed(ODataError)

    /// The information about a stream before its bytes.
    public struct Response: Hashable, Sendable {
        /// `image/jpeg`; nil where the store does not know it.
        public var contentType: String?
        /// Of the stream; nil where it has none.
        public var etag: String?
        /// Where the bytes that come begin in the stream.
        public var offset: Int64
        /// The length of the whole stream in bytes, where known.
        public var totalLength: Int64?
        /// No bytes are returned, because the ETag in ``StreamRequest/ifNoneMatch`` still holds.
        public var isNotModified: Bool
        /// The stream is null: the read fails with `notFound`.
        public var isNull: Bool

        init(_ result: StreamResult) {
            contentType = result.contentType
            etag = result.etag
            offset = result.offset
            totalLength = result.totalLength
            isNotModified = result.isNotModified
            isNull = result.isNull
        }
    }
}

/// The events of one read, in their order, for one reader. Of pending progress only the last is kept.
public struct StreamEvents: AsyncSequence, Sendable {
    public typealias Element = StreamEvent

    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: StreamEventQueue
        var signals: AsyncStream<Void>.AsyncIterator

        public mutating func next() async -> StreamEvent? {
            while true {
                if let event = queue.take() { return event }
                if await signals.next() == nil { return queue.take() }
            }
        }
    }

    let queue: StreamEventQueue

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(queue: queue, signals: queue.signals.makeAsyncIterator())
    }
}
