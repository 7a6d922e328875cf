import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL

extension SQLiteFunctions {
    /// Arithmetic on decimals in any SQLite form gives decimal text.
    static let numbers: [(String, CInt, Implementation)] = [
        ("odata_add", 2, { SQLFunctionCall($0, $1, $2).decimals(DecimalArithmetic.add) }),
        ("odata_subtract", 2, { SQLFunctionCall($0, $1, $2).decimals(DecimalArithmetic.subtract) }),
        ("odata_multiply", 2, { SQLFunctionCall($0, $1, $2).decimals(DecimalArithmetic.multiply) }),
        ("odata_divide", 2, { SQLFunctionCall($0, $1, $2).quotient(DecimalArithmetic.divide) }),
        ("odata_mod", 2, { SQLFunctionCall($0, $1, $2).quotient(DecimalArithmetic.remainder) }),
        ("odata_realadd", 2, { SQLFunctionCall($0, $1, $2).reals(+) }),
        ("odata_realsub", 2, { SQLFunctionCall($0, $1, $2).reals(-) }),
        ("odata_realmul", 2, { SQLFunctionCall($0, $1, $2).reals(*) }),
        ("odata_realmod", 2, { SQLFunctionCall($0, $1, $2).reals { $0.truncatingRemainder(dividingBy: $1) } }),
        ("odata_realdiv", 2, { SQLFunctionCall($0, $1, $2).reals(/) }),
        ("odata_decimal", 1, { SQLFunctionCall($0, $1, $2).canonicalDecimal() }),
        ("odata_real", 1, { SQLFunctionCall($0, $1, $2).real() }),
        ("odata_single", 1, { SQLFunctionCall($0, $1, $2).single() }),
        ("odata_amount", 2, { SQLFunctionCall($0, $1, $2).amount() }),
        ("odata_numbertext", 1, { SQLFunctionCall($0, $1, $2).numberText() }),
        ("odata_round", 1, { SQLFunctionCall($0, $1, $2).rounded(.toNearestOrAwayFromZero) }),
        ("odata_floor", 1, { SQLFunctionCall($0, $1, $2).rounded(.down) }),
        ("odata_ceiling", 1, { SQLFunctionCall($0, $1, $2).rounded(.up) }),
    ]
}

extension SQLFunctionCall {
    fileprivate func decimals(_ operation: (EdmDecimal, EdmDecimal) -> EdmDecimal?) {
        guard let left = decimal(0), let right = decimal(1) else { return setResult(nil as Int64?) }
        setResult(operation(left, right))
    }

    /// Division of decimals by zero has no result. [OData-URL, section 5.1.1.2.5]
    fileprivate func quotient(_ operation: (EdmDecimal, EdmDecimal) -> EdmDecimal?) {
        guard let left = decimal(0), let right = decimal(1) else { return setResult(nil as Int64?) }
        guard right != .zero else { return fail("a division by zero.") }
        setResult(operation(left, right))
    }

    /// IEEE 754: a division by zero results in `INF`, `-INF` or `NaN`.
    fileprivate func reals(_ operation: (Double, Double) -> Double) {
        guard let left = double(0), let right = double(1) else { return setResult(nil as Int64?) }
        setResult(operation(left, right))
    }

    /// Checks the first parameter of `topcount` and similar transformations.
    fileprivate func amount() {
        let value: EdmValue? = decimal(0).map(EdmValue.decimal)
        guard let ranking = text(1).flatMap({ RankingTransformation(rawValue: $0) }), ranking.takes(value ?? .null)
        else {
            return fail(
                "\(text(1) ?? "a ranking") does not take \(text(0) ?? "null"): its first parameter is a number.")
        }
        setResult(binding(0))
    }

    fileprivate func canonicalDecimal() {
        if kind(0) == SQLITE_INTEGER { return setResult(text(0)) }
        setResult(decimal(0))
    }

    fileprivate func real() {
        if let number = double(0) { return setResult(number) }
        setResult(text(0).flatMap { Double(lexical: $0) })
    }

    /// The nearest value that 32 bits hold.
    fileprivate func single() { setResult(double(0).map { Double(Float($0)) }) }

    /// The digits of a number as in JSON; `"INF"`, `"-INF"` and `"NaN"` in quotes.
    fileprivate func numberText() {
        switch kind(0) {
        case SQLITE_INTEGER: setResult(text(0))
        case SQLITE_FLOAT:
            setResult(
                double(0).map { $0.isFinite ? EdmValue.double($0).lexical : "\"\(EdmValue.double($0).lexical)\"" })
        default:
            setResult(decimal(0)?.description ?? text(0).flatMap { Self.notFinite.contains($0) ? "\"\($0)\"" : nil })
        }
    }

    private static let notFinite: Set<String> = ["INF", "-INF", "NaN"]

    /// An integer stays an integer, a real a real, and decimal text decimal text.
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) {
        switch kind(0) {
        case SQLITE_INTEGER: setResult(integer(0))
        case SQLITE_FLOAT: setResult(double(0)?.rounded(rule))
        case SQLITE_TEXT where Self.notFinite.contains(text(0) ?? ""): setResult(text(0))
        default: setResult(decimal(0).flatMap { DecimalArithmetic.rounded($0, rule) })
        }
    }
}
