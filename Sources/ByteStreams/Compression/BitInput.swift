/// Compressed bytes, read by bits from the lowest of each byte on.
struct BitInput: Sendable {
    /// Bits that were taken off the bytes, the next one lowest.
    struct Held: Sendable {
        var bits: UInt64 = 0
        var count = 0

        /// Nil where there are not so many.
        mutating func take(_ wanted: Int) -> Int? {
            guard count >= wanted else { return nil }
            defer {
                bits >>= UInt64(wanted)
                count -= wanted
            }
            return Int(bits & (1 << UInt64(wanted) - 1))
        }
    }

    private var bytes: [UInt8] = []
    private var position = 0
    var held = Held()
    /// Whether the input was empty.
    private(set) var isUntouched = true

    mutating func add(_ more: [UInt8]) {
        guard !more.isEmpty else { return }
        isUntouched = false
        bytes = position == bytes.count ? more : Array(bytes[position...]) + more
        position = 0
    }

    /// Holds as many bits as fit.
    mutating func fill() {
        while held.count <= 56, position < bytes.count {
            held.bits |= UInt64(bytes[position]) << UInt64(held.count)
            held.count += 8
            position += 1
        }
    }

    /// Up to 16 bits as a number; nil where there are not so many.
    mutating func bits(_ wanted: Int) -> Int? {
        if held.count < wanted { fill() }
        return held.take(wanted)
    }

    /// Skips the rest of a byte.
    mutating func align() { _ = held.take(held.count % 8) }

    /// - Returns: False where more bytes are needed.
    mutating func skipGzipHeader() throws -> Bool {
        var fixed: [Int] = []
        for _ in 0..<10 {
            guard let byte = bits(8) else { return false }
            fixed.append(byte)
            guard fixed.count > 3 || fixed.elementsEqual([0x1F, 0x8B, 8].prefix(fixed.count)) else {
                throw InflateError("The bytes are not gzip.")
            }
        }
        let flags = fixed[3]
        if flags & 4 != 0 {
            guard let count = bits(16), skip(count) else { return false }
        }
        for flag in [8, 16] where flags & flag != 0 {
            repeat {
                guard let byte = bits(8) else { return false }
                if byte == 0 { break }
            } while true
        }
        return flags & 2 == 0 || skip(2)
    }

    private mutating func skip(_ count: Int) -> Bool {
        for _ in 0..<count where bits(8) == nil { return false }
        return true
    }
}
