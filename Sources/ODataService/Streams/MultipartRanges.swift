import ByteStreams
import ODataModel

/// The body of a response with several ranges of a stream.
///
/// ```
/// --parts_0f…
/// Content-Type: image/png
/// Content-Range: bytes 0-1/10
///
/// ab
/// --parts_0f…--
/// ```
///
/// [RFC 9110, section 14.6]
struct MultipartRanges: Sendable {
    let parts: [Range<Int64>]
    /// Of the whole stream.
    let total: Int64
    /// Of the stream.
    let contentType: String
    private let boundary: String

    init(_ parts: [Range<Int64>], total: Int64, contentType: String) {
        self.parts = parts
        self.total = total
        self.contentType = contentType
        var generator = SystemRandomNumberGenerator()
        boundary = "parts_\(EdmGuid.random(using: &generator))"
    }

    var mediaType: String { "multipart/byteranges; boundary=\(boundary)" }

    /// - Parameters:
    ///   - first: The bytes of the first part.
    ///   - open: Gives those of another one, when the parts before it were read.
    func content(
        first: ByteContent, open: @escaping @Sendable (Range<Int64>) async throws -> ByteContent
    ) -> ByteContent {
        let reader = MultipartRangesReader(self, first: first, open: open)
        return ByteContent(ByteChunks { try await reader.next() }, length: length)
    }

    private var length: Int64 {
        parts.indices.reduce(Int64(end.count)) { sum, index in
            sum + Int64(head(index).count) + parts[index].upperBound - parts[index].lowerBound
        }
    }

    fileprivate func head(_ index: Int) -> [UInt8] {
        let part = parts[index]
        let text = """
            \(index == 0 ? "" : "\r\n")--\(boundary)\r\nContent-Type: \(contentType)\r\n\
            Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(total)\r\n\r\n
            """
        return Array(text.utf8)
    }

    fileprivate var end: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }
}

private actor MultipartRangesReader {
    private let ranges: MultipartRanges
    private let open: @Sendable (Range<Int64>) async throws -> ByteContent
    private var first: ByteContent?
    /// The part that is being read.
    private var chunks: ByteChunks.AsyncIterator?
    private var left: Int64 = 0
    private var index = 0
    private var isAtEnd = false

    init(
        _ ranges: MultipartRanges, first: ByteContent,
        open: @escaping @Sendable (Range<Int64>) async throws -> ByteContent
    ) {
        self.ranges = ranges
        self.first = first
        self.open = open
    }

    func next() async throws -> [UInt8]? {
        if let chunks {
            let chunk = try await chunks.next()
            left -= Int64(chunk?.count ?? 0)
            guard chunk == nil ? left == 0 : left >= 0 else {
                throw ByteStreamError(.changed, "A part of the stream does not have the length that it should have.")
            }
            if let chunk { return chunk }
            self.chunks = nil
            index += 1
        }
        guard !isAtEnd else { return nil }
        guard index < ranges.parts.count else {
            isAtEnd = true
            return ranges.end
        }
        let part = ranges.parts[index]
        let content: ByteContent
        if let first { content = first } else { content = try await open(part) }
        first = nil
        chunks = try content.chunks().makeAsyncIterator()
        left = part.upperBound - part.lowerBound
        return ranges.head(index)
    }
}
