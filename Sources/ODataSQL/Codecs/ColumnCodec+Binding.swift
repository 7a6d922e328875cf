import ODataModel
import ODataQuery

extension ColumnCodec {
    /// The form in which a column of this codec holds `value`.
    ///
    /// - Throws: ``QueryError`` of code `typeMismatch` if a column of this codec cannot hold it.
    package func binding(for value: EdmValue) throws -> SQLBinding {
        if value.isNull { return .null }
        guard let binding = stored(value) else {
            throw QueryError(.typeMismatch, "The value \(value.lexical.prefix(100)) does not fit its column.")
        }
        return binding
    }

    /// The value to compare a column with. Nil if the column cannot hold exactly this value; both sides are then
    /// normalised.
    package func comparand(for value: EdmValue) -> SQLBinding? {
        switch (self, value) {
        case (_, .null): return .null
        case (.integer, .decimal(let value)): return Self.number(value)
        case (.integer, .double(let value)): return value.isNaN ? nil : .real(value)
        case (.decimalNumber, .decimal(let value)): return Self.number(value)
        case (.instant(let format), .dateTimeOffset(let value)): return format.comparand(for: value)
        case (.instantText, .dateTimeOffset(let value)):
            return value.hasPlainYear ? stored(.dateTimeOffset(value)) : nil
        case (.date, .date(let value)): return value.hasPlainYear ? stored(.date(value)) : nil
        case (.durationText, _), (.json, _): return nil
        default: return stored(value)
        }
    }

    /// An integer or real that is exactly `value`; nil if there is none.
    private static func number(_ value: EdmDecimal) -> SQLBinding? {
        if let integer = value.integerValue { return .integer(integer) }
        let double = value.doubleValue
        return EdmDecimal(double) == value ? .real(double) : nil
    }

    private func stored(_ value: EdmValue) -> SQLBinding? {
        switch self {
        case .integer, .boolean, .real, .decimalNumber, .decimalText: storedNumber(value)
        case .text: Self.text(value)
        case .blob: if case .binary(let bytes) = value { .blob(bytes) } else { nil }
        case .guidText: if case .guid(let guid) = value { .text(guid.description) } else { nil }
        case .guidBlob: if case .guid(let guid) = value { .blob(guid.bytes) } else { nil }
        case .date: if case .date(let date) = value { .text(date.description) } else { nil }
        case .instant(let format): if case .dateTimeOffset(let instant) = value { format.stored(instant) } else { nil }
        case .instantText:
            if case .dateTimeOffset(let instant) = value { .text(instant.storedText) } else { nil }
        case .timeOfDay: if case .timeOfDay(let time) = value { .text(time.description) } else { nil }
        case .durationText: if case .duration(let duration) = value { .text(duration.description) } else { nil }
        case .enumeration(let type): type.number(of: value).map(SQLBinding.integer)
        case .json: .text(String(decoding: value.jsonText, as: UTF8.self))
        }
    }

    private func storedNumber(_ value: EdmValue) -> SQLBinding? {
        switch (self, value) {
        case (.integer, .integer(let value)): .integer(value)
        case (.integer, .boolean(let value)), (.boolean, .boolean(let value)): .integer(value ? 1 : 0)
        case (.integer, .decimal(let value)): value.integerValue.map(SQLBinding.integer)
        case (.integer, .enumeration(_, let text)): Int64(text).map(SQLBinding.integer)
        case (.real, .double(let value)): value.isNaN ? .text("NaN") : .real(value)
        case (.real, .integer(let value)): .real(Double(value))
        case (.real, .decimal(let value)): .real(value.doubleValue)
        case (.decimalNumber, .integer(let value)): .integer(value)
        case (.decimalNumber, .decimal(let value)): Self.number(value)
        case (.decimalNumber, .double(let value)): value.isNaN ? nil : .real(value)
        case (.decimalText, .integer(let value)): .text("\(value)")
        case (.decimalText, .decimal(let value)): .text(value.description)
        case (.decimalText, .double(let value)): EdmDecimal(value).map { .text($0.description) }
        default: nil
        }
    }

    private static func text(_ value: EdmValue) -> SQLBinding? {
        switch value {
        case .complex, .collection, .binary, .null: nil
        default: .text(value.lexical)
        }
    }
}

extension EdmGuid {
    /// The 16 bytes, most significant first.
    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    /// The GUID of 16 bytes, most significant first; nil for another number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let halves = [bytes.prefix(8), bytes.dropFirst(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self.init(high: halves[0], low: halves[1])
    }
}
