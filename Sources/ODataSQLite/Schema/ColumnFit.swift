import ODataModel
import ODataSQL

/// The type and the stored form of a column, determined from its values.
struct ColumnFit: Sendable, Hashable {
    var type: EdmPrimitiveType
    var codec: ColumnCodec
    var maxLength: Int?
    var precision: Int?
    var scale: EdmProperty.Scale?
    /// Whether values other than texts are shown as texts: see `ShownText`.
    var isShown = false
    /// The reason why the column is not served with its declared type.
    var notice: String?

    init(
        _ type: EdmPrimitiveType, _ codec: ColumnCodec, maxLength: Int? = nil, precision: Int? = nil,
        scale: EdmProperty.Scale? = nil
    ) {
        self.type = type
        self.codec = codec
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
    }

    /// The column holds values that its declared type does not have.
    static func misfit(_ column: ColumnDescription, of table: String) -> ColumnFit {
        var fit = ColumnFit(.string, .text)
        fit.isShown = true
        fit.notice =
            "The column \(table).\(column.name) is declared \(column.declaredType) but holds other values; it is served as Edm.String."
        return fit
    }

    /// The column has no declared type and holds values of several kinds.
    static func mixed(_ column: ColumnDescription, of table: String) -> ColumnFit {
        var fit = ColumnFit(.string, .text)
        fit.isShown = true
        fit.notice =
            "The column \(table).\(column.name) has no type and holds values of several kinds; it is served as Edm.String."
        return fit
    }
}
