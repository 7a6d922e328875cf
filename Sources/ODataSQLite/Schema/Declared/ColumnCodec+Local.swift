import ODataModel
import ODataSQL

extension ColumnCodec {
    /// How an offline store stores values of `type`.
    package init(local type: EdmTypeReference) {
        switch type {
        case .primitive(let primitive): self = Self.codec(primitive)
        case .enumeration: self = .text
        case .complex, .entity, .collection: self = .json
        }
    }

    private static func codec(_ type: EdmPrimitiveType) -> ColumnCodec {
        switch type {
        case .byte, .sByte, .int16, .int32, .int64: .integer
        case .boolean: .boolean
        case .double, .single: .real
        case .decimal: .decimalText
        case .guid: .guidBlob
        case .binary: .blob
        case .date: .date
        case .dateTimeOffset: .instantText
        case .timeOfDay: .timeOfDay
        case .duration: .durationText
        case .string, .stream: .text
        default: .json
        }
    }

    /// The declared type and collation of a column.
    package var localDeclaration: String {
        switch self {
        case .integer, .boolean, .enumeration: "INTEGER"
        case .real: "REAL"
        case .blob, .guidBlob: "BLOB"
        case .decimalText: "TEXT COLLATE ODATA_DECIMAL"
        case .instantText: "TEXT COLLATE ODATA_INSTANT"
        default: "TEXT"
        }
    }
}
