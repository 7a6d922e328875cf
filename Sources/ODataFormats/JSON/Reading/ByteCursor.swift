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

    /// The eight bytes at `position`; the caller has made sure that they are there.
    @inline(__always)
    func word(at position: Int) -> UInt64 { Self.word(bytes, at: position) }

    @inline(__always)
    static func word(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> UInt64 {
        assert(position >= 0 && position + 8 <= bytes.count)
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
        return base.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
    }

    /// Whether `length` bytes, at least eight, are the same; the caller has made sure that they are there.
    @inline(__always)
    func isEqual(at position: Int, to other: UnsafeBufferPointer<UInt8>, from start: Int, length: Int) -> Bool {
        var index = 0
        while index &+ 8 <= length {
            guard word(at: position &+ index) == Self.word(other, at: start &+ index) else { return false }
            index &+= 8
        }
        return index == length || word(at: position &+ length &- 8) == Self.word(other, at: start &+ length &- 8)
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
