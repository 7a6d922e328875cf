import ODataModel

/// The SQL of a value, and its codec.
struct Term {
    var sql: SQLFragment
    /// How the value is stored, or would be stored in a column.
    var codec: ColumnCodec
    /// The type of the value; nil if the codec implies it.
    var type: EdmTypeReference?
    var isNullable = true
    /// Whether it is a column, which has a collation.
    var isColumn = false
    /// The value of a literal, `.null` included; nil for anything else.
    var literal: EdmValue?
    /// The text of an untyped value in JSON, with all digits of a number, which SQLite does not keep.
    var memberText: SQLFragment?
    /// Whether it is a column of doubles that does not contain the text `NaN`.
    var isNeverNaN = false
    /// The row of an entity; ``sql`` is null exactly if there is none.
    var entity: TableScope?

    init(
        _ sql: SQLFragment, _ codec: ColumnCodec, type: EdmTypeReference? = nil, isNullable: Bool = true,
        isColumn: Bool = false
    ) {
        self.sql = sql
        self.codec = codec
        self.type = type
        self.isNullable = isNullable
        self.isColumn = isColumn
    }

    /// A literal, bound in the form that does not depend on a column.
    init(literal value: EdmValue, type: EdmTypeReference? = nil) throws {
        codec = Self.codec(of: value)
        sql = .bound(try codec.binding(for: value))
        isNullable = value.isNull
        literal = value
        self.type = type
    }

    /// A condition as a value.
    init(condition sql: SQLFragment, isNullable: Bool = true) {
        self.init(sql, .boolean, type: .boolean, isNullable: isNullable)
    }

    static var null: Term { nothing(.text) }

    /// Null as a value of the given form.
    static func nothing(_ codec: ColumnCodec, type: EdmTypeReference? = nil) -> Term {
        var term = Term("NULL", codec, type: type)
        term.literal = .null
        return term
    }

    private static func codec(of value: EdmValue) -> ColumnCodec {
        switch value {
        case .null, .string, .enumeration: .text
        case .boolean: .boolean
        case .integer: .integer
        case .double: .real
        case .decimal: .decimalText
        case .binary: .blob
        case .guid: .guidText
        case .date: .date
        case .dateTimeOffset: .instantText
        case .timeOfDay: .timeOfDay
        case .duration: .durationText
        case .geo, .complex, .collection: .json
        }
    }

    /// The same value, or null if a condition does not hold.
    func guarded(by conditions: [SQLFragment]) -> Term {
        guard !conditions.isEmpty else { return self }
        var term = self
        term.sql = "CASE WHEN " + .all(conditions) + " THEN " + sql + " END"
        term.isNullable = true
        term.isColumn = false
        term.literal = nil
        return term
    }
}

/// The kinds of values that can be compared with each other.
enum Comparability {
    /// As SQLite numbers.
    case number
    /// As decimal text with `ODATA_DECIMAL`.
    case decimal
    case boolean, text, blob, guid, date, instant, timeOfDay, duration, json
}

extension ColumnCodec {
    var comparability: Comparability {
        switch self {
        case .integer, .real, .decimalNumber, .enumeration: .number
        case .decimalText: .decimal
        case .boolean: .boolean
        case .text: .text
        case .blob: .blob
        case .guidText, .guidBlob: .guid
        case .date: .date
        case .instant, .instantText: .instant
        case .timeOfDay: .timeOfDay
        case .durationText: .duration
        case .json: .json
        }
    }

    /// Whether values are numbers for the arithmetic operators.
    var isNumber: Bool { comparability == .number || comparability == .decimal }

    /// The codec of values of `type` that functions return, and that JSON values are converted to.
    static func computed(_ type: EdmPrimitiveType) -> ColumnCodec {
        switch type {
        case .byte, .sByte, .int16, .int32, .int64: .integer
        case .boolean: .boolean
        case .double, .single: .real
        case .decimal: .decimalText
        case .guid: .guidText
        case .binary: .blob
        case .date: .date
        case .dateTimeOffset: .instantText
        case .timeOfDay: .timeOfDay
        case .duration: .durationText
        case .string, .stream, .untyped, .primitiveType: .text
        default: .json
        }
    }
}

extension EdmTypeReference {
    /// Whether the type is known only from the payload.
    var isUntyped: Bool { self == .primitive(.untyped) || self == .primitive(.primitiveType) }

    /// The type of the members of a collection; nil for others.
    var element: EdmTypeReference? { if case .collection(let element) = self { element } else { nil } }

    var enumeration: EdmQualifiedName? { if case .enumeration(let name) = self { name } else { nil } }
}
