import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

/// Sums of decimals, with all digits. Null values are ignored; the sum of no values is null.
private final class DecimalTotal {
    private(set) var sum = EdmDecimal(Int64(0))
    private(set) var count: Int64 = 0
    /// Whether a sum had more digits than a decimal can have, or a value was not a number.
    private(set) var isOverflown = false

    func add(_ call: SQLFunctionCall) { accumulate(call, DecimalArithmetic.add, 1) }

    func remove(_ call: SQLFunctionCall) { accumulate(call, DecimalArithmetic.subtract, -1) }

    private func accumulate(
        _ call: SQLFunctionCall, _ operation: (EdmDecimal, EdmDecimal) -> EdmDecimal?, _ step: Int64
    ) {
        guard call.kind(0) != SQLITE_NULL else { return }
        guard let value = call.decimal(0), let result = operation(sum, value) else {
            isOverflown = true
            return
        }
        sum = result
        count += step
    }

    func setResult(of call: SQLFunctionCall, isAverage: Bool) {
        guard count > 0 else { return call.setResult(nil as Int64?) }
        guard !isOverflown else { return call.fail("a sum has too many digits, or a value is not a number.") }
        call.setResult(isAverage ? DecimalArithmetic.divide(sum, EdmDecimal(count)) : sum)
    }

    // MARK: Where SQLite keeps it between calls

    /// The total of the group that `context` belongs to; made at the first row.
    static func current(_ context: OpaquePointer?) -> DecimalTotal? {
        guard let place = place(context, isMade: true) else { return nil }
        if let known = place.pointee { return Unmanaged<DecimalTotal>.fromOpaque(known).takeUnretainedValue() }
        let total = DecimalTotal()
        place.pointee = Unmanaged.passRetained(total).toOpaque()
        return total
    }

    /// Releases the total of a finished group; returns a total without rows if there is none.
    static func taken(from context: OpaquePointer?) -> DecimalTotal {
        guard let place = place(context, isMade: false), let known = place.pointee else { return DecimalTotal() }
        place.pointee = nil
        return Unmanaged<DecimalTotal>.fromOpaque(known).takeRetainedValue()
    }

    static func end(_ context: OpaquePointer?, isAverage: Bool) {
        taken(from: context).setResult(of: SQLFunctionCall(context, 0, nil), isAverage: isAverage)
    }

    static func show(_ context: OpaquePointer?, isAverage: Bool) {
        current(context)?.setResult(of: SQLFunctionCall(context, 0, nil), isAverage: isAverage)
    }

    private static func place(
        _ context: OpaquePointer?, isMade: Bool
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        let size = isMade ? MemoryLayout<UnsafeMutableRawPointer?>.size : 0
        return sqlite3_aggregate_context(context, CInt(size))?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
}

/// The sum of doubles with compensation of rounding errors. SQLite's own sum turns NaN into null.
private struct RealTotal {
    private var sum = 0.0
    private var lost = 0.0
    private(set) var count: Int64 = 0

    var value: Double { lost.isFinite ? sum + lost : sum }

    mutating func add(_ value: Double) {
        count += 1
        let total = sum + value
        lost += sum.magnitude >= value.magnitude ? (sum - total) + value : (value - total) + sum
        sum = total
    }

    /// The memory that SQLite keeps between calls: zeros at first, like a total without values.
    private static func place(_ context: OpaquePointer?, isMade: Bool) -> UnsafeMutablePointer<RealTotal>? {
        sqlite3_aggregate_context(context, isMade ? CInt(MemoryLayout<RealTotal>.size) : 0)?
            .assumingMemoryBound(to: RealTotal.self)
    }

    static func accumulate(_ call: SQLFunctionCall) {
        guard let value = call.double(0) else { return }
        place(call.context, isMade: true)?.pointee.add(value)
    }

    static func end(_ context: OpaquePointer?, isAverage: Bool) {
        let call = SQLFunctionCall(context, 0, nil)
        guard let total = place(context, isMade: false)?.pointee else { return call.setResult(nil as Double?) }
        call.setResult(isAverage ? total.value / Double(total.count) : total.value)
    }
}

extension SQLiteFunctions {
    /// `odata_realsum(x)` and `odata_realaverage(x)`.
    static func addRealAggregates(to db: Database) throws {
        try register("odata_realsum", to: db) { RealTotal.end($0, isAverage: false) }
        try register("odata_realaverage", to: db) { RealTotal.end($0, isAverage: true) }
    }

    private static func register(
        _ name: String, to db: Database, _ final: @convention(c) (OpaquePointer?) -> Void
    ) throws {
        let code = sqlite3_create_function_v2(
            db.sqliteConnection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, nil,
            { RealTotal.accumulate(SQLFunctionCall($0, $1, $2)) }, final, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "cannot add \(name)")
        }
    }

    /// `odata_sum(x)` and `odata_average(x)`, in windows too.
    static func addAggregates(to db: Database) throws {
        try register(
            "odata_sum", to: db, { DecimalTotal.end($0, isAverage: false) }, { DecimalTotal.show($0, isAverage: false) }
        )
        try register(
            "odata_average", to: db, { DecimalTotal.end($0, isAverage: true) },
            { DecimalTotal.show($0, isAverage: true) })
    }

    private static func register(
        _ name: String, to db: Database, _ final: @convention(c) (OpaquePointer?) -> Void,
        _ value: @convention(c) (OpaquePointer?) -> Void
    ) throws {
        let code = sqlite3_create_window_function(
            db.sqliteConnection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { DecimalTotal.current($0)?.add(SQLFunctionCall($0, $1, $2)) }, final, value,
            { DecimalTotal.current($0)?.remove(SQLFunctionCall($0, $1, $2)) }, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "cannot add \(name)")
        }
    }
}
