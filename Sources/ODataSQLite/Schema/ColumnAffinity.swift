/// What SQLite makes of the values of a column with a declared type.
///
/// [SQLite: Datatypes In SQLite, section 3.1: Determination Of Column Affinity]
package enum ColumnAffinity: Sendable {
    /// Integers, reals and decimals: texts that are numbers become numbers.
    case number
    /// Numbers become texts.
    case text
    /// All values stay as they are.
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

    /// Whether SQLite makes numbers of the column's texts when it compares them with those of a column with another
    /// affinity: an index of the column is of no use then.
    ///
    /// [SQLite: Datatypes In SQLite, section 4.2: Type Conversions Prior To Comparison]
    func isConverted(comparedWith other: ColumnAffinity) -> Bool { self != .number && other == .number }
}
