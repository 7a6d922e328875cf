import ODataModel

/// The forms in which values are compared, ordered and passed to functions.
extension Term {
    /// The value as it is stored, with the collation that orders it.
    var collated: SQLFragment {
        switch codec {
        case .text: isColumn ? sql + " COLLATE BINARY" : sql
        case .decimalText: sql + " COLLATE ODATA_DECIMAL"
        case .instantText: sql + " COLLATE ODATA_INSTANT"
        case .guidText: sql + " COLLATE NOCASE"
        case .timeOfDay: sql + " COLLATE ODATA_TIME"
        case .instant(.mixedText): instantText + " COLLATE ODATA_INSTANT"
        case .real where type == .primitive(.single): .call("odata_single", [sql])
        default: sql
        }
    }

    /// The value in the one form that all codecs of its kind share, with its collation.
    var normalised: SQLFragment {
        switch codec {
        case .guidBlob: .call("odata_guid", [sql]) + " COLLATE NOCASE"
        case .instant: instantText + " COLLATE ODATA_INSTANT"
        case .durationText: .call("odata_duration", [sql]) + " COLLATE ODATA_DECIMAL"
        case .date: sql + " COLLATE ODATA_DATE"
        default: collated
        }
    }

    /// As decimal text with its collation.
    var decimal: SQLFragment {
        codec == .decimalText ? collated : .call("odata_decimal", [sql]) + " COLLATE ODATA_DECIMAL"
    }

    /// An instant as ``ColumnCodec/instantText``.
    var instantText: SQLFragment {
        guard case .instant(let format) = codec else { return sql }
        return .call("odata_instant", [sql, SQLFragment.literal(format.name)])
    }

    /// As an SQLite real.
    var real: SQLFragment {
        codec == .real ? sql : codec == .decimalText ? .call("odata_real", [sql]) : "CAST(" + sql + " AS REAL)"
    }

    /// The form that orders rows.
    var sortKey: SQLFragment { codec == .durationText ? normalised : collated }

    /// Whether the type is known only from the value.
    var isUntyped: Bool { literal == nil && type?.isUntyped == true }

    /// The value itself of an untyped value that is stored as JSON.
    var unwrapped: Term {
        guard isUntyped, codec == .json else { return self }
        var term = Term(.call("json_extract", [sql, "'$'"]), .text, type: type, isNullable: isNullable)
        term.memberText = .call("odata_member", [sql])
        return term
    }

    /// Whether the value is an integer.
    var isInteger: Bool { codec == .integer && type?.enumeration == nil }

    /// Whether sums and products of two such values stay within the range of SQLite's integers.
    var isNarrow: Bool {
        if case .integer(let value) = literal { return EdmPrimitiveType.int32.integerRange?.contains(value) == true }
        return type?.primitive?.integerRange.map { $0 != EdmPrimitiveType.int64.integerRange } ?? false
    }
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
