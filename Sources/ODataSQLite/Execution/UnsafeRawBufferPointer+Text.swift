import ODataModel

extension UnsafeRawBufferPointer {
    /// Whether these are 8-4-4-4-12 hexadecimal digits.
    var isGuid: Bool {
        guard count == 36 else { return false }
        for (position, byte) in enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
                continue
            }
            guard byte.isDigit || (0x41...0x46).contains(byte & 0xDF) else { return false }
        }
        return true
    }

    /// Whether this is `-12.5` in canonical form: no zeros that could be left out, no exponent.
    var isPlainDecimal: Bool {
        var rest = self[...]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let whole = rest.prefix { $0.isDigit }
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        rest = rest.dropFirst(whole.count)
        guard rest.first == UInt8(ascii: ".") else { return rest.isEmpty }
        rest = rest.dropFirst()
        return !rest.isEmpty && rest.last != UInt8(ascii: "0") && rest.allSatisfy(\.isDigit)
    }

    /// Whether this is `2024-01-02 03:04:05`, with a `T` instead of the space or not and a `Z` after it or not, and
    /// every part in its range.
    var isPlainInstant: Bool {
        guard count == 19 || (count == 20 && self[19] == UInt8(ascii: "Z")) else { return false }
        guard self[10] == UInt8(ascii: " ") || self[10] == UInt8(ascii: "T") else { return false }
        guard self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-"), self[13] == UInt8(ascii: ":"),
            self[16] == UInt8(ascii: ":"), self[0].isDigit, self[1].isDigit, self[2].isDigit, self[3].isDigit
        else { return false }
        return isDay && field(11, in: 0...23) && field(14, in: 0...59)
            && field(17, in: 0...59)
    }

    /// Whether this is `2024-01-02`.
    var isPlainDate: Bool {
        count == 10 && self[4] == UInt8(ascii: "-") && self[7] == UInt8(ascii: "-") && self[0].isDigit
            && self[1].isDigit && self[2].isDigit && self[3].isDigit && isDay
    }

    private var isDay: Bool {
        guard field(5, in: 1...12), field(8, in: 1...31) else { return false }
        if field(8, in: 1...28) { return true }
        let isShort = field(5, in: 2...2) || field(5, in: 4...4) || field(5, in: 6...6) || field(5, in: 9...9)
        return !isShort && !field(5, in: 11...11)
    }

    private func field(_ position: Int, in range: ClosedRange<Int>) -> Bool {
        let (tens, ones) = (self[position], self[position + 1])
        guard tens.isDigit, ones.isDigit else { return false }
        return range.contains(Int(tens & 15) * 10 + Int(ones & 15))
    }
}

extension UInt8 {
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}

extension [UInt8] {
    mutating func append(raw bytes: UnsafeRawBufferPointer) -> RowSpan {
        let span = RowSpan(offset: UInt32(count), length: UInt32(bytes.count))
        append(contentsOf: bytes)
        return span
    }

    /// Appends text; what is not a UTF-8 in it is replaced.
    mutating func append(utf8 bytes: UnsafeRawBufferPointer) -> RowSpan {
        let isPlain = bytes.reduce(UInt8(0)) { $0 | $1 } < 0x80
        if isPlain || String(validating: bytes, as: UTF8.self) != nil { return append(raw: bytes) }
        return append(text: String(decoding: bytes, as: UTF8.self))
    }

    mutating func append(integer: Int64) {
        var digits = integer.magnitude
        let start = count
        repeat {
            append(UInt8(0x30 + digits % 10))
            digits /= 10
        } while digits > 0
        if integer < 0 { append(UInt8(ascii: "-")) }
        self[start...].reverse()
    }

    /// Appends a number of up to four decimals and 15 digits as a decimal: there is one such decimal for a double at
    /// most. Nil for any other number.
    mutating func append(shortDecimal value: Double) -> RowSpan? {
        var scale = 1.0
        for decimals in 0...4 {
            let scaled = (value * scale).rounded()
            guard scaled.magnitude < 1e15 else { return nil }
            if scaled / scale == value { return append(Int64(scaled), decimals: decimals) }
            scale *= 10
        }
        return nil
    }

    private mutating func append(_ scaled: Int64, decimals: Int) -> RowSpan {
        let start = count
        if scaled < 0 { append(UInt8(ascii: "-")) }
        let unit = [1, 10, 100, 1000, 10_000][decimals] as UInt64
        append(integer: Int64(scaled.magnitude / unit))
        if decimals > 0 {
            append(UInt8(ascii: "."))
            var rest = scaled.magnitude % unit
            var place = unit / 10
            while place > 0 {
                append(UInt8(0x30 + rest / place))
                rest %= place
                place /= 10
            }
        }
        return RowSpan(offset: UInt32(start), length: UInt32(count - start))
    }

    mutating func append(text: String) -> RowSpan {
        let offset = count
        append(contentsOf: text.utf8)
        return RowSpan(offset: UInt32(offset), length: UInt32(count - offset))
    }
}
