/// What was decoded last: bytes to be given out, and before them those that later ones may repeat.
struct InflatedWindow: Sendable {
    enum Checksum: Sendable {
        case crc32, adler32
    }

    /// How far back repeated bytes may be.
    private static let history = 32_768
    /// How many bytes are given out at a time.
    private static let piece = 65_536
    /// The most that one step decodes.
    private static let longest = 258

    private var bytes = [UInt8](repeating: 0, count: history + piece + longest)
    private var end = 0
    /// Where what is to be given out begins.
    private var start = 0
    /// Where the current member begins, if that is here.
    private var first = 0
    private var checked = 0
    private var kind = Checksum.crc32
    private var sum: UInt32 = 0

    var hasRoom: Bool { end - start < Self.piece }

    mutating func beginMember(_ kind: Checksum) {
        self.kind = kind
        (first, checked, sum) = (end, end, kind == .crc32 ? 0 : 1)
    }

    mutating func append(_ byte: UInt8) {
        bytes[end] = byte
        end += 1
    }

    /// - Throws: ``InflateError`` if there is nothing so far back.
    mutating func repeatBytes(_ count: Int, from distance: Int) throws {
        guard distance <= end - first else { throw InflateError("A block repeats bytes from before its beginning.") }
        let target = end
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in target..<target + count { bytes[index] = bytes[index - distance] }
        }
        end += count
    }

    /// Nil where there is nothing.
    mutating func take() -> [UInt8]? {
        guard end > start else { return nil }
        let piece = Array(bytes[start..<end])
        check()
        let kept = min(end, Self.history)
        let dropped = end - kept
        bytes.withUnsafeMutableBufferPointer { bytes in
            guard dropped > 0 else { return }
            for index in 0..<kept { bytes[index] = bytes[index + dropped] }
        }
        (end, start, checked, first) = (kept, kept, kept, max(0, first - dropped))
        return piece
    }

    /// Of what was decoded of the current member.
    mutating func checksum() -> UInt32 {
        check()
        return sum
    }

    private mutating func check() {
        let new = checked..<end
        checked = end
        sum = bytes.withUnsafeBufferPointer { bytes in
            switch kind {
            case .crc32: Self.crc32(UnsafeBufferPointer(rebasing: bytes[new]), after: sum)
            case .adler32: Self.adler32(UnsafeBufferPointer(rebasing: bytes[new]), after: sum)
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    /// [RFC 1952, section 8]
    static func crc32(_ bytes: UnsafeBufferPointer<UInt8>, after sum: UInt32) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            ~bytes.reduce(~sum) { (rest: UInt32, byte: UInt8) -> UInt32 in
                let index = UInt8(truncatingIfNeeded: rest) ^ byte
                return table[Int(index)] ^ rest >> 8
            }
        }
    }

    /// [RFC 1950, section 8.2]
    private static func adler32(_ bytes: UnsafeBufferPointer<UInt8>, after sum: UInt32) -> UInt32 {
        var (low, high) = (sum & 0xFFFF, sum >> 16)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
