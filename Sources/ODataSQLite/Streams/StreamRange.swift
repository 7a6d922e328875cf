import ODataStores

/// The range of a stream that a response contains.
///
/// [RFC 9110, section 14]
struct StreamRange: Hashable, Sendable {
    var offset: Int64
    var count: Int64

    /// - Throws: ``ODataError`` `rangeNotSatisfiable` if the stream has none of the bytes.
    init(_ request: StreamRequest, length: Int64, etag: String?) throws {
        if let tag = request.ifRange, tag != etag || tag.hasPrefix("W/") {
            self.init(offset: 0, count: length)
            return
        }
        if let suffix = request.suffixLength {
            guard suffix > 0 else { throw ODataError.rangeNotSatisfiable(length: length) }
            self.init(offset: max(0, length - suffix), count: min(suffix, length))
            return
        }
        guard request.offset >= 0, request.offset < length || request.offset == 0 && length == 0 else {
            throw ODataError.rangeNotSatisfiable(length: length)
        }
        let rest = length - request.offset
        self.init(offset: request.offset, count: request.count.map { min(max($0, 0), rest) } ?? rest)
    }

    private init(offset: Int64, count: Int64) {
        self.offset = offset
        self.count = count
    }
}
