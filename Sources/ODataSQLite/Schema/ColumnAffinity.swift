/// How SQLite converts the values of a column with a declared type.
///
/// [SQLite: Datatypes In SQLite, section 3.1: Determination Of Column Affinity]
package enum ColumnAffinity: Sendable {
    /// Integers, reals and decimals: numeric texts become numbers.
    case number
    /// Numbers become texts.
    case text
    /// Values are not converted.
    case none

    package init(declaredType: String) {
        let name = declaredType.uppercased()
        if name.contains("INT") {
            self = .number
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) {
            self = .text
        } else {
            self = name.isEmpty || name.contains("BLOB") ? .none : .number
        }
    }

    /// Whether SQLite converts the column's texts to numbers to compare them with a column of another affinity. An
    /// index of the column cannot be used then.
    ///
    /// [SQLite: Datatypes In SQLite, section 4.2: Type Conversions Prior To Comparison]
    func isConverted(comparedWith other: ColumnAffinity) -> Bool { self != .number && other == .number }
}
