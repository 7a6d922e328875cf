/// An `Edm.Decimal` with all its digits.
///
/// Two decimals are equal if their values are: `1.10` equals `1.1`.
/// [OData-CSDLXML, section 3.3; OData-ABNF, `decimalValue`]
public struct EdmDecimal: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The sign: true for values below zero.
    public let isNegative: Bool
    /// Significant digits 0–9, most significant first, without leading or trailing zeros; empty for zero.
    public let digits: [UInt8]
    /// The power of ten of the last digit.
    public let exponent: Int

    /// Text of more digits is refused: arithmetic takes time with the square of their number.
    package static let maximumDigits = 10_000

    /// 0, without digits and with exponent 0.
    public static let zero = EdmDecimal(isNegative: false, digits: [], exponent: 0)

    /// Normalises the given digits: zeros at both ends are taken off.
    public init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        let start = digits.firstIndex { $0 != 0 } ?? digits.endIndex
        let end = digits.lastIndex { $0 != 0 }.map { $0 + 1 } ?? start
        self.digits = Array(digits[start..<max(start, end)])
        self.isNegative = isNegative && !self.digits.isEmpty
        self.exponent = self.digits.isEmpty ? 0 : exponent + (digits.count - end)
    }

    /// The decimal of a whole number, exactly.
    public init(_ value: Int64) {
        self.init(
            isNegative: value < 0, digits: String(value.magnitude).utf8.map { $0 - UInt8(ascii: "0") }, exponent: 0)
    }

    /// The decimal with the fewest digits that reads back as `value`; nil for infinities and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init("\(value)")
    }

    /// Reads `-12.50`, `.5` or `1.2e-3`; nil for anything else, for exponents of more than four digits,
    /// and for more than 10,000 digits.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: Array(text.utf8)[...])
    }

    /// Reads UTF-8 text as ``init(_:)-(StringProtocol)`` does.
    public init?(utf8 text: ArraySlice<UInt8>) {
        var scanner = ByteScanner(text)
        let isNegative = scanner.takeSign()
        var digits = scanner.takeDigits()
        var exponent = 0
        if scanner.consume(".") {
            let fraction = scanner.takeDigits()
            guard !fraction.isEmpty else { return nil }
            digits += fraction
            exponent = -fraction.count
        }
        guard !digits.isEmpty, digits.count <= Self.maximumDigits else { return nil }
        if scanner.consume("e") || scanner.consume("E") {
            let negative = scanner.takeSign()
            guard let power = scanner.takeInteger(maxDigits: 4) else { return nil }
            exponent += negative ? -power : power
        }
        guard scanner.isAtEnd else { return nil }
        self.init(isNegative: isNegative, digits: digits, exponent: exponent)
    }

    /// All digits without an exponent: `0.001`; more than 400 zeros that are not significant are written as one:
    /// `1E500`.
    public var description: String {
        guard !digits.isEmpty else { return "0" }
        guard exponent <= 400, -digits.count - exponent <= 400 else { return scientific }
        let text = String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        let sign = isNegative ? "-" : ""
        if exponent >= 0 { return sign + text + String(repeating: "0", count: exponent) }
        let point = digits.count + exponent
        guard point > 0 else { return sign + "0." + String(repeating: "0", count: -point) + text }
        return sign + text.prefix(point) + "." + text.dropFirst(point)
    }

    /// ``description``, or with an exponent where that is shorter: `1E30`.
    package var shortDescription: String {
        digits.isEmpty || (exponent <= 20 && digits.count + exponent >= -5) ? description : scientific
    }

    /// `1.25E-30`
    private var scientific: String {
        let text = String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        let fraction = digits.count > 1 ? ".\(text.dropFirst())" : ""
        return "\(isNegative ? "-" : "")\(text.prefix(1))\(fraction)E\(exponent + digits.count - 1)"
    }

    /// The nearest number that a double has; infinite beyond the range of doubles.
    public var doubleValue: Double { Double(description) ?? .nan }

    /// The value as an integer; nil if it has a fraction or does not fit.
    public var integerValue: Int64? { exponent < 0 ? nil : Int64(description) }

    public static func < (left: EdmDecimal, right: EdmDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? magnitude(right, isLess: left) : magnitude(left, isLess: right)
    }

    private static func magnitude(_ left: EdmDecimal, isLess right: EdmDecimal) -> Bool {
        if left.digits.isEmpty || right.digits.isEmpty { return left.digits.isEmpty && !right.digits.isEmpty }
        let leftPoint = left.digits.count + left.exponent
        let rightPoint = right.digits.count + right.exponent
        if leftPoint != rightPoint { return leftPoint < rightPoint }
        return left.digits.lexicographicallyPrecedes(right.digits)
    }
}
