import ODataModel

/// Exact arithmetic on decimals; quotients have up to 34 significant digits.
///
/// Nil where a result would have more than ``maxDigits`` digits, and for division by zero.
enum DecimalArithmetic {
    private typealias Digits = ArraySlice<UInt8>

    static let maxDigits = 1000
    private static let quotientDigits = 34

    static func add(_ left: EdmDecimal, _ right: EdmDecimal) -> EdmDecimal? {
        guard let (first, second, exponent) = aligned(left, right) else { return nil }
        if left.isNegative == right.isNegative {
            return EdmDecimal(isNegative: left.isNegative, digits: sum(first, second), exponent: exponent)
        }
        let isLess = precedes(first, second)
        let digits = isLess ? difference(second, first) : difference(first, second)
        return EdmDecimal(
            isNegative: isLess ? right.isNegative : left.isNegative, digits: digits, exponent: exponent)
    }

    static func subtract(_ left: EdmDecimal, _ right: EdmDecimal) -> EdmDecimal? {
        add(left, negated(right))
    }

    static func negated(_ value: EdmDecimal) -> EdmDecimal {
        EdmDecimal(isNegative: !value.isNegative, digits: value.digits, exponent: value.exponent)
    }

    static func multiply(_ left: EdmDecimal, _ right: EdmDecimal) -> EdmDecimal? {
        guard left.digits.count + right.digits.count <= maxDigits else { return nil }
        var cells = [Int](repeating: 0, count: left.digits.count + right.digits.count)
        for (i, first) in left.digits.enumerated() {
            for (j, second) in right.digits.enumerated() { cells[i + j + 1] += Int(first) * Int(second) }
        }
        for position in cells.indices.reversed().dropLast() {
            cells[position - 1] += cells[position] / 10
            cells[position] %= 10
        }
        return EdmDecimal(
            isNegative: left.isNegative != right.isNegative, digits: cells.map { UInt8($0) },
            exponent: left.exponent + right.exponent)
    }

    static func divide(_ left: EdmDecimal, _ right: EdmDecimal) -> EdmDecimal? {
        guard !right.digits.isEmpty else { return nil }
        guard left.digits.count <= maxDigits, right.digits.count <= maxDigits else { return nil }
        // One additional digit, for rounding.
        let zeros = max(0, quotientDigits + 1 + right.digits.count - left.digits.count)
        let dividend = left.digits + [UInt8](repeating: 0, count: zeros)
        var quotient = Array(Self.quotient(dividend[...], right.digits[...]).0.drop { $0 == 0 })
        var exponent = left.exponent - zeros - right.exponent
        if quotient.count > quotientDigits {
            let dropped = quotient.count - quotientDigits
            let roundsUp = quotient[quotientDigits] >= 5
            quotient.removeLast(dropped)
            exponent += dropped
            if roundsUp { quotient = sum(quotient[...], [1]) }
        }
        return EdmDecimal(isNegative: left.isNegative != right.isNegative, digits: quotient, exponent: exponent)
    }

    /// The remainder, with the sign of `left`.
    static func remainder(_ left: EdmDecimal, _ right: EdmDecimal) -> EdmDecimal? {
        guard !right.digits.isEmpty, let (first, second, exponent) = aligned(left, right) else { return nil }
        let (_, rest) = quotient(first, second)
        return EdmDecimal(isNegative: left.isNegative, digits: rest, exponent: exponent)
    }

    /// Rounds to an integer: half away from zero, or towards one side.
    static func rounded(_ value: EdmDecimal, _ rule: FloatingPointRoundingRule) -> EdmDecimal? {
        guard value.exponent < 0 else { return value }
        let kept = max(0, value.digits.count + value.exponent)
        let whole = EdmDecimal(isNegative: value.isNegative, digits: Array(value.digits.prefix(kept)), exponent: 0)
        let isHalf = value.digits.count + value.exponent >= 0 && value.digits.dropFirst(kept).first ?? 0 >= 5
        let movesAway =
            switch rule {
            case .up: !value.isNegative
            case .down: value.isNegative
            default: isHalf
            }
        guard movesAway, !value.digits.isEmpty else { return whole }
        let one = EdmDecimal(isNegative: value.isNegative, digits: [1], exponent: 0)
        return add(whole, one)
    }

    // MARK: Digits

    /// Both as integers of the same power of ten.
    private static func aligned(_ left: EdmDecimal, _ right: EdmDecimal) -> (Digits, Digits, Int)? {
        let exponent = min(left.exponent, right.exponent)
        let sizes = [left, right].map { $0.digits.count + $0.exponent - exponent }
        guard sizes.allSatisfy({ $0 <= maxDigits }) else { return nil }
        let digits = [left, right].map { $0.digits + [UInt8](repeating: 0, count: $0.exponent - exponent) }
        return (digits[0][...], digits[1][...], exponent)
    }

    private static func precedes(_ left: Digits, _ right: Digits) -> Bool {
        let first = left.drop { $0 == 0 }
        let second = right.drop { $0 == 0 }
        return first.count != second.count ? first.count < second.count : first.lexicographicallyPrecedes(second)
    }

    private static func sum(_ left: Digits, _ right: Digits) -> [UInt8] {
        var result: [UInt8] = []
        var carry: UInt8 = 0
        var (first, second) = (left, right)
        while !first.isEmpty || !second.isEmpty || carry > 0 {
            let total = (first.popLast() ?? 0) + (second.popLast() ?? 0) + carry
            result.append(total % 10)
            carry = total / 10
        }
        return result.reversed()
    }

    /// `left` is not less than `right`.
    private static func difference(_ left: Digits, _ right: Digits) -> [UInt8] {
        var result: [UInt8] = []
        var borrow: UInt8 = 0
        var (first, second) = (left, right)
        while let digit = first.popLast() {
            let taken = (second.popLast() ?? 0) + borrow
            borrow = digit < taken ? 1 : 0
            result.append(digit + borrow * 10 - taken)
        }
        return result.reversed()
    }

    /// Long division of integers: the quotient and the remainder.
    private static func quotient(_ dividend: Digits, _ divisor: Digits) -> ([UInt8], [UInt8]) {
        var result: [UInt8] = []
        var rest: [UInt8] = []
        for digit in dividend {
            rest.append(digit)
            var count: UInt8 = 0
            while !precedes(rest[...], divisor) {
                rest = difference(rest[...], divisor)
                count += 1
            }
            rest = Array(rest.drop { $0 == 0 })
            result.append(count)
        }
        return (result, rest)
    }
}
