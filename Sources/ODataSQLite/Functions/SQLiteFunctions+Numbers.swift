import GRDBSQLite
import ODataModel
import ODataSQL

extension SQLiteFunctions {
    /// Arithmetic on decimals in any SQLite form gives decimal text.
    static let numbers: [(String, CInt, Implementation)] = [
        ("odata_add", 2, { FunctionCall($0, $1, $2).decimals(DecimalArithmetic.add) }),
        ("odata_subtract", 2, { FunctionCall($0, $1, $2).decimals(DecimalArithmetic.subtract) }),
        ("odata_multiply", 2, { FunctionCall($0, $1, $2).decimals(DecimalArithmetic.multiply) }),
        ("odata_divide", 2, { FunctionCall($0, $1, $2).decimals(DecimalArithmetic.divide) }),
        ("odata_mod", 2, { FunctionCall($0, $1, $2).decimals(DecimalArithmetic.remainder) }),
        ("odata_realmod", 2, { FunctionCall($0, $1, $2).realRemainder() }),
        ("odata_decimal", 1, { FunctionCall($0, $1, $2).canonicalDecimal() }),
        ("odata_round", 1, { FunctionCall($0, $1, $2).rounded(.toNearestOrAwayFromZero) }),
        ("odata_floor", 1, { FunctionCall($0, $1, $2).rounded(.down) }),
        ("odata_ceiling", 1, { FunctionCall($0, $1, $2).rounded(.up) }),
    ]
}

extension FunctionCall {
    fileprivate func decimals(_ operation: (EdmDecimal, EdmDecimal) -> EdmDecimal?) {
        guard let left = decimal(0), let right = decimal(1) else { return give(nil as Int64?) }
        give(operation(left, right))
    }

    fileprivate func realRemainder() {
        guard let left = double(0), let right = double(1) else { return give(nil as Int64?) }
        give(left.truncatingRemainder(dividingBy: right))
    }

    fileprivate func canonicalDecimal() {
        if kind(0) == SQLITE_INTEGER { return give(text(0)) }
        give(decimal(0))
    }

    /// An integer stays one, a real too; decimal text gives decimal text.
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) {
        switch kind(0) {
        case SQLITE_INTEGER: give(integer(0))
        case SQLITE_FLOAT: give(double(0)?.rounded(rule))
        default: give(decimal(0).flatMap { DecimalArithmetic.rounded($0, rule) })
        }
    }
}
