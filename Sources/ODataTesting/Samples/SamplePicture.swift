/// A small picture drawn in code, as a PNG file: a disc on a gradient.
package struct SamplePicture: Sendable {
    private let side: Int
    private let seed: UInt64

    /// - Parameters:
    ///   - seed: Chooses colours and the disc's place: the same seed gives the same bytes.
    ///   - side: Width and height in pixels.
    package init(seed: UInt64, side: Int = 48) {
        self.seed = seed
        self.side = side
    }

    /// The PNG file's bytes. Pixels are stored without compression, so the size is about 3 × side².
    package var png: [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [8, 2, 0, 0, 0])
        file += chunk("IDAT", stored(pixels))
        file += chunk("IEND", [])
        return file
    }

    private var pixels: [UInt8] {
        var random = SplitMix(seed: seed)
        let base = (0..<3).map { _ in random.number(below: 200) }
        let disc = (0..<3).map { _ in 55 + random.number(below: 200) }
        let (centerX, centerY) = (random.number(below: side), random.number(below: side))
        let radius = side / 6 + random.number(below: side / 4)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(side * (side * 3 + 1))
        for y in 0..<side {
            bytes.append(0)
            for x in 0..<side {
                let (dx, dy) = (x - centerX, y - centerY)
                let inside = dx * dx + dy * dy <= radius * radius
                for channel in 0..<3 {
                    let value = inside ? disc[channel] : base[channel] + 55 * (x + y) / (2 * side)
                    bytes.append(UInt8(clamping: value))
                }
            }
        }
        return bytes
    }

    /// The zlib format of RFC 1950 with stored blocks only.
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            output.append(rest.isEmpty ? 1 : 0)
            output += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            output += block
        } while !rest.isEmpty
        return output + bigEndian(adler32(bytes))
    }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(crc32(body))
    }

    private func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
