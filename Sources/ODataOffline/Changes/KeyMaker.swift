import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataStores

/// Makes temporary keys, and those of client-only sets: values of the key's own type that no service is expected to give and no other row has.
struct KeyMaker {
    let db: Database
    let table: LocalTable
    var random: RandomSource
    /// Whether the keys are the entities' own: of sets that no service knows.
    var isFinal = false

    /// A value for a key property that the service makes: `-2147483647` for an `Edm.Int32`.
    mutating func value(for column: LocalColumn) throws -> EdmValue {
        let values = StoreValues(db: db)
        let counter = "temporaryKey:\(table.set.name)"
        while true {
            let number = (try values.integer(counter) ?? 0) + 1
            try values.set(counter, number)
            guard let value = value(number, for: column.property) else {
                throw ODataError(
                    .badRequest,
                    "\(column.property.name) of \(table.set.name) must be given: the store cannot make one.")
            }
            let isTaken = try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM \(quoted(table.name)) WHERE \(quoted(column.name)) = ?)"),
                arguments: [try column.databaseValue(of: value)])
            if isTaken != true { return value }
        }
    }

    private mutating func value(_ number: Int64, for property: EdmProperty) -> EdmValue? {
        guard let type = property.type.primitive else { return nil }
        if isFinal, let range = type.integerRange { return range.contains(number) ? .integer(number) : nil }
        switch type {
        case .byte: return number < 255 ? .integer(255 - number) : nil
        case .sByte, .int16, .int32, .int64:
            guard let range = type.integerRange, number < range.upperBound else { return nil }
            return .integer(range.lowerBound + number)
        case .string: return text(number, limit: property.maxLength).map(EdmValue.string)
        case .guid: return .guid(.random(using: &random))
        case .decimal:
            let digits = min(property.precision ?? 9, 9)
            return .decimal(EdmDecimal(number - (0..<digits).reduce(1) { power, _ in power * 10 }))
        case .double, .single: return .double(-2_147_483_648 + Double(number))
        case .binary: return .binary((0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        case .date: return .date(EdmDate(daysSinceEpoch: -719_162 + Int(number)))
        case .dateTimeOffset: return .dateTimeOffset(EdmDateTimeOffset(secondsSinceEpoch: -62_135_596_800 + number))
        case .duration: return .duration(EdmDuration(seconds: -10_000_000_000 + number))
        default: return nil
        }
    }

    /// `local-1`, or `~1` where that is too long.
    private func text(_ number: Int64, limit: Int?) -> String? {
        let candidates = ["local-\(number)", "~" + String(number, radix: 36)]
        return candidates.first { $0.count <= limit ?? .max }
    }
}
