import ODataModel
import ODataQuery

/// Literals as the grammar has them, read as text: used where a rule of a literal is asked for by its name.
///
/// [OData-ABNF, section 7: Literal Data Values]
extension SyntaxParser {
    mutating func digits(_ count: ClosedRange<Int>, _ expected: String = "a digit") throws(QueryError) {
        let start = offset
        while isDigit(), offset - start < count.upperBound { offset += 1 }
        guard offset - start >= count.lowerBound else { throw unexpected(expected) }
    }

    mutating func expectAny(_ characters: String, _ expected: String) throws(QueryError) {
        guard let byte = peek(), characters.utf8.contains(byte) else { throw unexpected(expected) }
        offset += 1
    }

    /// A word in any case.
    mutating func takeText(_ text: String, ignoringCase: Bool = true) -> Bool {
        guard offset + text.utf8.count <= end else { return false }
        for (index, byte) in text.utf8.enumerated() {
            let other = source.text[offset + index]
            guard other == byte || (ignoringCase && isLetter(byte) && other ^ byte == 0x20) else { return false }
        }
        offset += text.utf8.count
        return true
    }

    /// `sbyteLiteral`, `int16Literal`, … by the greatest number of digits.
    mutating func integerText(_ digits: Int, isSigned: Bool = true) throws(QueryError) {
        if isSigned, isNext("-") || isNext("+") { offset += 1 }
        try self.digits(1...digits)
    }

    /// `decimalLiteral`
    mutating func decimalText() throws(QueryError) {
        if isNext("+"), !isDigit(1) { throw unexpected("a number without '+'") }
        guard let stop = decimalEnd(from: offset) else { throw unexpected("a number") }
        offset = stop
    }

    /// `guid`
    mutating func guidText() throws(QueryError) {
        for (index, count) in [8, 4, 4, 4, 12].enumerated() {
            if index > 0 { try expect("-") }
            for _ in 0..<count {
                guard peek().flatMap(EdmValue.hexadecimalDigit) != nil else { throw unexpected("a hexadecimal digit") }
                offset += 1
            }
        }
    }

    /// `date`
    mutating func dateText() throws(QueryError) {
        try yearText()
        try expect("-")
        try twoDigits(1...12, "a month")
        try expect("-")
        try twoDigits(1...31, "a day")
    }

    /// `year`
    mutating func yearText() throws(QueryError) {
        if isNext("-") { offset += 1 }
        if isNext("0") { try digits(4...4) } else { try digits(4...20, "a year of four digits or more") }
    }

    /// `month`, `day`, `hour`, `minute` and `second` by their range.
    mutating func twoDigits(_ range: ClosedRange<Int>, _ expected: String) throws(QueryError) {
        let start = offset
        try digits(2...2, expected)
        guard let number = Int(source.string(start..<offset)), range.contains(number) else {
            offset = start
            throw unexpected(expected)
        }
    }

    /// `timeOfDayLiteral`
    mutating func timeText() throws(QueryError) {
        try twoDigits(0...23, "an hour")
        try expect(":")
        try twoDigits(0...59, "a minute")
        guard consume(":") else { return }
        try twoDigits(0...60, "a second")
        guard consume(".") else { return }
        try digits(1...12)
    }

    /// `dateTimeOffsetLiteral`
    mutating func dateTimeOffsetText() throws(QueryError) {
        try dateText()
        try expectAny("Tt", "'T'")
        try timeText()
        if isNext("Z") || isNext("z") {
            offset += 1
            return
        }
        try expectAny("+-", "Z or an offset such as +01:00")
        try twoDigits(0...23, "an hour")
        try expect(":")
        try twoDigits(0...59, "a minute")
    }

    /// `durationValue`
    mutating func durationText() throws(QueryError) {
        _ = consume("-")
        try expectAny("Pp", "'P'")
        if isDigit() {
            try digits(1...20)
            try expectAny("Dd", "'D'")
        }
        guard isNext("T") || isNext("t") else { return }
        offset += 1
        var units = "HhMmSs"[...]
        while isDigit() {
            try digits(1...20)
            if consume(".") {
                try digits(1...20)
                units = "Ss"
            }
            guard let byte = peek(), let place = units.utf8.firstIndex(of: byte) else { throw unexpected("H, M or S") }
            offset += 1
            units = units[units.index(after: place)...].drop { $0.isLowercase }
        }
    }

    /// `enumValue`
    mutating func enumText() throws(QueryError) {
        repeat {
            if isDigit() || isNext("-") || isNext("+") {
                try integerText(19)
            } else {
                _ = try identifier("a member of the enumeration")
            }
        } while consume(",")
    }

    /// `stringLiteral`
    mutating func stringText() throws(QueryError) { _ = try quotedText() }

    /// A prefix, and something in quotes.
    mutating func quoted(
        _ prefix: String, isOptional: Bool = false, _ content: (inout SyntaxParser) throws(QueryError) -> Void
    ) throws(QueryError) {
        guard takeText(prefix) || isOptional else { throw unexpected("\(prefix)'…'") }
        try expect("'")
        try content(&self)
        try expect("'", "a closing quote")
    }

    /// `primitiveValue`: the first of its alternatives that takes all of the text.
    mutating func primitiveValueText() throws(QueryError) {
        let start = offset
        var furthest: QueryError?
        for read in Self.primitiveValues {
            offset = start
            do {
                try read(&self)
                guard isAtEnd else { throw unexpected("the end of the value") }
                return
            } catch let error as QueryError {
                if (error.position ?? 0) > (furthest?.position ?? -1) { furthest = error }
            } catch {
                continue
            }
        }
        throw furthest ?? unexpected("a value")
    }

    private typealias ReadText = @Sendable (inout SyntaxParser) throws -> Void

    private static let primitiveValues: [ReadText] = [
        { try $0.booleanText() }, { try $0.guidText() }, { try $0.durationText() }, { try $0.dateTimeOffsetText() },
        { try $0.dateText() }, { try $0.timeText() }, { try $0.enumText() },
        { _ = try $0.fullGeoLiteral(isGeography: true) }, { try $0.decimalText() }, { try $0.binaryText() },
    ]

    /// `boolean` in any case, `booleanValue` in small letters only.
    mutating func booleanText(ignoringCase: Bool = false) throws(QueryError) {
        guard takeText("true", ignoringCase: ignoringCase) || takeText("false", ignoringCase: ignoringCase) else {
            throw unexpected("true or false")
        }
    }
}
