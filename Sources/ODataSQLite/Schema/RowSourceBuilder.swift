import ByteStreams
import ODataModel
import ODataSQL

/// Builds the row source of a table: the expressions for its entities, their ETags and their streams.
struct RowSourceBuilder {
    /// The changes that the file's table of stream versions records.
    enum Versions {
        /// The table does not exist.
        case none
        /// Changes through the store; changes of other programs are detected from the length and the first 64 KiB.
        case ofOwnChanges
        /// All changes, by triggers.
        case complete
    }

    /// SQLite functions accept at most 127 arguments.
    private static let argumentLimit = 100
    private static let headLength = 65_536

    let versions: Versions
    /// Whether the rows of stream versions have the types that clients declared.
    let keepsTypes: Bool

    func source(of table: PublishedTable, navigation: [PublishedNavigation]) -> RowSource {
        let columns = table.columns.map { ($0.property, ColumnMapping(column: $0.name, codec: $0.codec)) }
        let pairs = navigation.map { ($0.name, NavigationMapping.columns($0.pairs, target: $0.targetSet)) }
        let streams = table.streams.compactMap { stream in
            stream.property.map { ($0, mapping(of: stream, in: table)) }
        }
        var source = RowSource(
            table: table.name, rowID: table.rowID, columns: Dictionary(uniqueKeysWithValues: columns),
            navigation: Dictionary(uniqueKeysWithValues: pairs), condition: condition(table), etag: etag(table),
            media: table.media.map { mapping(of: $0, in: table) },
            streams: Dictionary(uniqueKeysWithValues: streams))
        source.shownColumns = Set(table.columns.filter(\.isShown).map(\.name))
        return source
    }

    private func condition(_ table: PublishedTable) -> SQLFragment? {
        guard table.hidesNullKeys else { return nil }
        return table.key.map { Self.column($0.name) + " IS NOT NULL" }.joined(" AND ")
    }

    /// `W/"0123456789abcdef"`: a hash of all columns, and of the length and version of streams.
    private func etag(_ table: PublishedTable) -> SQLFragment {
        if let columns = table.declared?.etagColumns, !columns.isEmpty {
            return "'W/\"' || \(Self.hash(columns.map(Self.column))) || '\"'"
        }
        let dynamic = table.declared?.isOpen == true ? [Self.column(DeclaredTable.dynamicColumn)] : []
        let values =
            table.columns.map { Self.column($0.name) } + dynamic + table.allStreams.flatMap { parts(of: $0, in: table) }
        return "'W/\"' || \(Self.hash(values)) || '\"'"
    }

    private func mapping(of stream: PublishedStream, in table: PublishedTable) -> StreamMapping {
        let column = Self.column(stream.column)
        let present: SQLFragment = "typeof(\(column)) <> 'null'"
        let type =
            typeOfColumn(stream, in: table) ?? stream.contentType.map(SQLFragment.literal)
            ?? foundType(of: stream, in: table)
        return StreamMapping(
            contentType: "CASE WHEN \(present) THEN \(type) END",
            etag: "CASE WHEN \(present) THEN '\"' || \(Self.hash(parts(of: stream, in: table))) || '\"' END")
    }

    /// The value of the column for media types if it is a media type; otherwise the type that is known from the
    /// content.
    private func typeOfColumn(_ stream: PublishedStream, in table: PublishedTable) -> SQLFragment? {
        guard let name = stream.typeColumn else { return nil }
        let column = Self.column(name)
        let otherwise = stream.contentType.map(SQLFragment.literal) ?? foundType(of: stream, in: table)
        return """
            CASE WHEN typeof(\(column)) = 'text' AND \(column) NOT GLOB '*[^ -~]*' \
            AND \(raw: RowFunctions.isMediaType)(\(column)) THEN \(column) ELSE \(otherwise) END
            """
    }

    /// The type that was sent with the content while the content is unchanged; otherwise the type of its first bytes.
    private func foundType(of stream: PublishedStream, in table: PublishedTable) -> SQLFragment {
        let head = Self.head(of: stream, in: table, length: MediaTypeSniffer.length)
        let more = Self.head(of: stream, in: table, length: ZipContent.length)
        let signature: SQLFragment = "x'\(raw: SourceDigest.hexadecimal(ZipContent.signature))'"
        let first: SQLFragment = "substr(\(head), 1, \(ZipContent.signature.count))"
        let sniffed = SQLFragment.call(
            RowFunctions.mediaType, ["CASE \(first) WHEN \(signature) THEN \(more) ELSE \(head) END"])
        guard keepsTypes else { return sniffed }
        let declared: SQLFragment = """
            (SELECT CASE WHEN v.type IS NOT NULL THEN CASE v.content WHEN \(Self.content(of: stream, in: table)) \
            THEN v.type END END \(Self.versionRow(of: stream, in: table)))
            """
        return .call("coalesce", [declared, sniffed])
    }

    /// Identifies the content of a stream: its length and its first bytes.
    static func content(of stream: PublishedStream, in table: PublishedTable) -> SQLFragment {
        hash(["length(\(column(stream.column)))", head(of: stream, in: table, length: headLength)])
    }

    private static func versionRow(of stream: PublishedStream, in table: PublishedTable) -> SQLFragment {
        """
        FROM \(identifier: Bookkeeping.streams) v WHERE v.tbl = \(literal: table.name) \
        AND v.col = \(literal: stream.column) AND v.key = \(keyJSON(table, row: .row))
        """
    }

    /// A value that changes with the stream.
    private func parts(of stream: PublishedStream, in table: PublishedTable) -> [SQLFragment] {
        let length = SQLFragment.call("length", [Self.column(stream.column)])
        let content = Self.head(of: stream, in: table, length: Self.headLength)
        let version: SQLFragment = "(SELECT v.version \(Self.versionRow(of: stream, in: table)))"
        return switch versions {
        case .none: [length, content]
        case .ofOwnChanges: [length, content, version]
        case .complete: [length, version]
        }
    }

    /// The first bytes. Without a rowid to open the BLOB, SQLite has to read it whole.
    private static func head(of stream: PublishedStream, in table: PublishedTable, length: Int) -> SQLFragment {
        guard let rowID = table.rowID else { return "substr(\(column(stream.column)), 1, \(length))" }
        return .call(
            RowFunctions.head, [.literal(table.name), .literal(stream.column), column(rowID), "\(length)"])
    }

    private static func hash(_ values: [SQLFragment]) -> SQLFragment {
        guard values.count > argumentLimit else { return .call(RowFunctions.hash, values) }
        let parts = stride(from: 0, to: values.count, by: argumentLimit).map {
            hash(Array(values[$0..<min($0 + argumentLimit, values.count)]))
        }
        return hash(parts)
    }

    private static func column(_ name: String) -> SQLFragment { .row(name) }
}

extension RowSourceBuilder {
    /// `json_array(NEW."OrderID", NEW."ProductID")`: a key as in the change log, BLOBs as hexadecimal digits.
    ///
    /// Contained entities and singletons without a key have their row id instead.
    static func keyJSON(_ table: PublishedTable, row: SQLFragment) -> SQLFragment {
        guard table.declared?.container == nil, !table.key.isEmpty else {
            return "json_array(\(row).\(identifier: DeclaredTable.rowID))"
        }
        let values = table.key.map { column -> SQLFragment in
            let name: SQLFragment = "\(row).\(identifier: column.name)"
            return "CASE typeof(\(name)) WHEN 'blob' THEN hex(\(name)) ELSE \(name) END"
        }
        return .call("json_array", values)
    }
}
