import ODataModel

/// SQL for a value, and the form the value has in it.
struct Term {
    var sql: SQLFragment
    /// How the value is stored, or would be if it were in a column.
    var codec: ColumnCodec
    var isNullable = true
    /// Whether it is a column, which brings its own collation.
    var isColumn = false
    /// The value of a literal, `.null` included; nil for anything else.
    var literal: Value?

    init(_ sql: SQLFragment, _ codec: ColumnCodec, isNullable: Bool = true, isColumn: Bool = false) {
        self.sql = sql
        self.codec = codec
        self.isNullable = isNullable
        self.isColumn = isColumn
    }

    /// A literal, bound in the form that needs no column.
    init(literal value: Value) throws {
        codec = Self.codec(of: value)
        sql = .bound(try codec.binding(for: value))
        isNullable = value.isNull
        literal = value
    }

    private static func codec(of value: Value) -> ColumnCodec {
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
}

/// What values can be compared with each other.
enum Comparability {
    /// As SQLite numbers.
    case number
    /// As decimal text under `ODATA_DECIMAL`.
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
}

extension Term {
    /// The value as it is stored, under the collation that orders it.
    var collated: SQLFragment {
        switch codec {
        case .text: isColumn ? sql + " COLLATE BINARY" : sql
        case .decimalText: sql + " COLLATE ODATA_DECIMAL"
        case .instantText: sql + " COLLATE ODATA_INSTANT"
        case .guidText: sql + " COLLATE NOCASE"
        case .timeOfDay: sql + " COLLATE ODATA_TIME"
        case .instant(.mixedText): instantText + " COLLATE ODATA_INSTANT"
        default: sql
        }
    }

    /// The value in the one form that all codecs of its kind share, with its collation.
    var normalised: SQLFragment {
        switch codec {
        case .guidBlob: .call("odata_guid", [sql]) + " COLLATE NOCASE"
        case .instant: instantText + " COLLATE ODATA_INSTANT"
        case .durationText: .call("odata_duration", [sql])
        default: collated
        }
    }

    /// As decimal text under its collation.
    var decimal: SQLFragment {
        codec == .decimalText ? collated : .call("odata_decimal", [sql]) + " COLLATE ODATA_DECIMAL"
    }

    /// An instant as ``ColumnCodec/instantText``.
    var instantText: SQLFragment {
        guard case .instant(let format) = codec else { return sql }
        return .call("odata_instant", [sql, SQLFragment("'\(format.name)'")])
    }

    /// As an SQLite real.
    var real: SQLFragment { "CAST(" + sql + " AS REAL)" }

    /// What rows are ordered by.
    var sortKey: SQLFragment { codec == .durationText ? normalised : collated }
}

extension InstantFormat {
    /// The name that the function `odata_instant` knows the format by.
    package var name: String {
        switch self {
        case .text, .dateText, .mixedText: "text"
        case .unixSeconds: "seconds"
        case .unixMilliseconds: "milliseconds"
        case .julianDay: "julian"
        }
    }
}
