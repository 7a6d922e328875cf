/// Reads the lexical forms of primitive values.
package struct ByteScanner {
    private var rest: ArraySlice<UInt8>

    package init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    package init(_ text: some StringProtocol) {
        rest = Array(text.utf8)[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes `+` or `-`; true for `-`.
    package mutating func takeSign() -> Bool {
        if consume("-") { return true }
        _ = consume("+")
        return false
    }

    /// Takes all digits that follow, as values 0–9.
    package mutating func takeDigits() -> [UInt8] {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.map { $0 - UInt8(ascii: "0") }
    }

    /// Takes between one and `maxDigits` digits.
    package mutating func takeInteger(maxDigits: Int) -> Int? {
        let digits = takeDigits()
        guard (1...maxDigits).contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) }
    }

    /// Takes exactly `count` digits whose value is in `range`.
    package mutating func takeField(_ count: Int, in range: ClosedRange<Int>) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for byte in rest.prefix(count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(count)
        return range.contains(value) ? value : nil
    }

    /// Takes 1–12 digits of a fraction, as picoseconds.
    package mutating func takePicoseconds() -> Int64? {
        let digits = takeDigits()
        guard (1...12).contains(digits.count) else { return nil }
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1) }
        return (digits.count..<12).reduce(value) { scaled, _ in scaled * 10 }
    }
}

/// `7` as `07`, `-3` as `-03`.
package func padded(_ value: some BinaryInteger, to width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Picoseconds as `.5`; empty for none.
package func fraction(picoseconds: Int64) -> String {
    guard picoseconds > 0 else { return "" }
    var digits = padded(picoseconds, to: 12)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "." + digits
}
