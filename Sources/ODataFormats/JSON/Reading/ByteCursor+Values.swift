extension ByteCursor {
    /// Where a number is and what it is made of.
    struct Number {
        var start: Int
        var end: Int
        var isNegative: Bool
        /// All digits as one integer, wrong if ``isExact`` is false.
        var mantissa: UInt64
        /// Whether ``mantissa`` holds all digits.
        var isExact: Bool
        /// The power of ten of the last digit.
        var exponent: Int
        var isInteger: Bool
        var hasExponent: Bool
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Takes a number. The byte after it must be there, so that it is known to be complete.
    @inline(__always)
    mutating func number() throws(JSONFault) -> Number {
        var number = Number(
            start: position, end: position, isNegative: false, mantissa: 0, isExact: true, exponent: 0,
            isInteger: true, hasExponent: false)
        if try current() == UInt8(ascii: "-") {
            number.isNegative = true
            position &+= 1
        }
        let first = position
        var digits = try self.digits(into: &number.mantissa)
        var byte = try current()
        guard digits > 0, digits == 1 || bytes[first] != 0x30 else {
            throw JSONFault(reason: digits > 0 ? .number : .unexpected, offset: number.start)
        }
        if byte == UInt8(ascii: ".") {
            position &+= 1
            let count = try self.digits(into: &number.mantissa)
            byte = try current()
            guard count > 0 else { throw JSONFault(reason: .number, offset: number.start) }
            number.isInteger = false
            number.exponent = -count
            digits &+= count
        }
        if byte | 0x20 == UInt8(ascii: "e") { try exponent(of: &number) }
        number.isExact = digits <= 18
        number.end = position
        return number
    }

    @inline(__always)
    private mutating func digits(into mantissa: inout UInt64) throws(JSONFault) -> Int {
        let start = position
        while position < bytes.count, isDigit(bytes[position]) {
            mantissa = mantissa &* 10 &+ UInt64(bytes[position] &- 0x30)
            position &+= 1
        }
        return position &- start
    }

    private mutating func exponent(of number: inout Number) throws(JSONFault) {
        position += 1
        let sign = try current()
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
        let start = position
        var value = 0
        while isDigit(try current()) {
            if value < 100_000 { value = value * 10 + Int(bytes[position] - 0x30) }
            position += 1
        }
        guard position > start else { throw JSONFault(reason: .number, offset: number.start) }
        number.exponent += sign == UInt8(ascii: "-") ? -value : value
        number.isInteger = false
        number.hasExponent = true
    }

    /// Takes any value, with its syntax checked.
    mutating func skipValue(depth: Int) throws(JSONFault) {
        guard depth > 0 else { throw JSONFault(reason: .tooDeep, offset: position) }
        switch try next() {
        case UInt8(ascii: "\""):
            position += 1
            _ = try string()
        case UInt8(ascii: "{"): try skipObject(depth: depth)
        case UInt8(ascii: "["): try skipArray(depth: depth)
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    private mutating func skipObject(depth: Int) throws(JSONFault) {
        position += 1
        if try next() == UInt8(ascii: "}") {
            position += 1
            return
        }
        repeat {
            try expect("\"")
            _ = try string()
            try expect(":")
            try skipValue(depth: depth - 1)
        } while try hasMore(before: "}")
    }

    private mutating func skipArray(depth: Int) throws(JSONFault) {
        position += 1
        if try next() == UInt8(ascii: "]") {
            position += 1
            return
        }
        repeat { try skipValue(depth: depth - 1) } while try hasMore(before: "]")
    }
}
