import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    /// 64-bit arithmetic with checks for overflow.
    static let integers: [(String, CInt, Implementation)] = [
        ("odata_integeradd", 2, { SQLFunctionCall($0, $1, $2).integers { $0.addingReportingOverflow($1) } }),
        ("odata_integersub", 2, { SQLFunctionCall($0, $1, $2).integers { $0.subtractingReportingOverflow($1) } }),
        ("odata_integermul", 2, { SQLFunctionCall($0, $1, $2).integers { $0.multipliedReportingOverflow(by: $1) } }),
        ("odata_integerdiv", 2, { SQLFunctionCall($0, $1, $2).quotient { $0.dividedReportingOverflow(by: $1) } }),
        ("odata_integermod", 2, { SQLFunctionCall($0, $1, $2).quotient { $1 == -1 ? (0, false) : ($0 % $1, false) } }),
        ("odata_integer", 3, { SQLFunctionCall($0, $1, $2).roundedInteger() }),
    ]
}

extension SQLFunctionCall {
    fileprivate typealias Operation = (Int64, Int64) -> (partialValue: Int64, overflow: Bool)

    fileprivate func integers(_ operation: Operation) {
        guard let left = integer(0), let right = integer(1) else { return setResult(nil as Int64?) }
        let (result, isTooGreat) = operation(left, right)
        guard !isTooGreat else { return fail("an integer that 64 bits do not hold.") }
        setResult(result)
    }

    fileprivate func quotient(_ operation: Operation) {
        if integer(1) == 0, integer(0) != nil { return fail("a division by zero.") }
        integers(operation)
    }

    /// A number as an integer between two bounds, rounded; null where it does not fit.
    private func fitting(_ number: Int64?) {
        guard let number, let low = integer(1), let high = integer(2), number >= low, number <= high else {
            return setResult(nil as Int64?)
        }
        setResult(number)
    }

    fileprivate func roundedInteger() {
        if kind(0) == SQLITE_INTEGER { return fitting(integer(0)) }
        fitting(decimal(0).flatMap { DecimalArithmetic.rounded($0, .toNearestOrAwayFromZero) }?.integerValue)
    }
}
