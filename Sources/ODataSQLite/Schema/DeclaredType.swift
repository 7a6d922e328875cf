import ODataModel

/// The meaning of a declared column type: `NUMERIC(10,2)`, `VARCHAR(40)`, `DATETIME`.
///
/// [SQLite: Datatypes In SQLite, section 3.1: Determination Of Column Affinity]
struct DeclaredType: Sendable, Hashable {
    enum Meaning: Sendable, Hashable {
        case integer(EdmPrimitiveType)
        case real
        case decimal
        case boolean
        case text
        case blob
        case date
        case dateTime
        case time
        case guid
        /// No declared type: the type is determined from the stored values.
        case none
    }

    var meaning: Meaning
    /// Characters of `VARCHAR(40)`.
    var maxLength: Int?
    /// The first number of `NUMERIC(10,2)`.
    var precision: Int?
    /// The second number of `NUMERIC(10,2)`.
    var scale: Int?

    init(_ declared: String) {
        let (name, numbers) = Self.split(declared.uppercased())
        meaning = Self.known[name] ?? Self.affinity(name)
        switch meaning {
        case .text: maxLength = numbers.first.flatMap { $0 > 0 ? $0 : nil }
        // SQLite accepts NUMBER(10,-2), which means hundreds elsewhere; there is no facet for it.
        case .decimal where (numbers.first ?? 0) > 0 && numbers.dropFirst().first ?? 0 >= 0:
            precision = numbers.first
            scale = numbers.count > 1 ? min(numbers[1], numbers[0]) : 0
        default: break
        }
    }

    private static let known: [String: Meaning] = [
        "TINYINT": .integer(.byte), "SMALLINT": .integer(.int16), "INT2": .integer(.int16),
        "MEDIUMINT": .integer(.int32), "INT4": .integer(.int32),
        "DECIMAL": .decimal, "NUMERIC": .decimal, "NUMBER": .decimal, "DEC": .decimal,
        "MONEY": .decimal, "SMALLMONEY": .decimal, "CURRENCY": .decimal,
        "BOOLEAN": .boolean, "BOOL": .boolean, "BIT": .boolean, "LOGICAL": .boolean, "YESNO": .boolean,
        "DATE": .date,
        "DATETIME": .dateTime, "DATETIME2": .dateTime, "SMALLDATETIME": .dateTime, "TIMESTAMP": .dateTime,
        "TIMESTAMPTZ": .dateTime, "DATETIMEOFFSET": .dateTime, "TIMESTAMP WITH TIME ZONE": .dateTime,
        "TIMESTAMP WITHOUT TIME ZONE": .dateTime,
        "TIME": .time, "TIMEOFDAY": .time,
        "GUID": .guid, "UUID": .guid, "UNIQUEIDENTIFIER": .guid,
        "IMAGE": .blob, "BINARY": .blob, "VARBINARY": .blob, "LONGVARBINARY": .blob, "BYTEA": .blob,
        "": .none,
    ]

    private static func affinity(_ name: String) -> Meaning {
        if name.contains("INT") { return .integer(.int64) }
        if name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT") { return .text }
        if name.contains("BLOB") { return .blob }
        if name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB") { return .real }
        if name == "STRING" || name == "JSON" || name == "XML" { return .text }
        return .decimal
    }

    /// `NUMERIC (10, 2)` → `NUMERIC`, `[10, 2]`
    private static func split(_ declared: String) -> (String, [Int]) {
        let parts = declared.split(separator: "(", maxSplits: 1)
        let name = (parts.first ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard parts.count == 2 else { return (name, []) }
        let numbers = parts[1].prefix { $0 != ")" }.split(separator: ",").map { part in
            part.filter { !$0.isWhitespace }
        }
        return (name, numbers.compactMap { Int($0) })
    }
}
