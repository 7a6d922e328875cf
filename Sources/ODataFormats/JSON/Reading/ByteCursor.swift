/// A position in bytes that hold JSON. Every access is checked against the end.
struct ByteCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var position: Int

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The byte at the position.
    @inline(__always)
    func current() throws(JSONFault) -> UInt8 {
        guard position < bytes.count else { throw JSONFault(reason: .incomplete, offset: position) }
        return bytes[position]
    }

    /// The next byte that is not white space; the position is there afterwards.
    @inline(__always)
    mutating func next() throws(JSONFault) -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20 else { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            position += 1
        }
        throw JSONFault(reason: position < bytes.count ? .unexpected : .incomplete, offset: position)
    }

    /// Takes `wanted`, which must be the next byte that is not white space.
    @inline(__always)
    mutating func expect(_ wanted: Unicode.Scalar) throws(JSONFault) {
        guard try next() == UInt8(ascii: wanted) else { throw JSONFault(reason: .unexpected, offset: position) }
        position += 1
    }

    /// Takes `,` (true) or `close` (false).
    @inline(__always)
    mutating func hasMore(before close: Unicode.Scalar) throws(JSONFault) -> Bool {
        let byte = try next()
        position += 1
        if byte == UInt8(ascii: ",") { return true }
        if byte == UInt8(ascii: close) { return false }
        throw JSONFault(reason: .unexpected, offset: position - 1)
    }

    /// Takes a word such as `true`.
    mutating func word(_ word: StaticString) throws(JSONFault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard try current() == word.utf8Start[index] else {
                throw JSONFault(reason: .unexpected, offset: position)
            }
            position += 1
        }
    }

    @inline(__always)
    func span(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

    func text(_ range: Range<Int>) -> String { String(decoding: span(range), as: UTF8.self) }
}

/// The content of a string in the bytes, without its quotes.
struct StringSpan {
    var start: Int
    var end: Int
    var hasEscapes: Bool

    @inline(__always)
    var range: Range<Int> { start..<end }
}
