import ODataModel
import ODataSQL

/// Divides a table's columns into properties, streams and keys.
struct PublishedTableBuilder {
    let table: TableDescription
    let set: String
    let key: [String]
    private(set) var notices: [String] = []
    private var names = IdentifierNames()
    private var columns: [PublishedColumn] = []
    private var streams: [PublishedStream] = []
    private var media: PublishedStream?

    init(table: TableDescription, set: String, key: [String]) {
        self.table = table
        self.set = set
        self.key = key
    }

    mutating func add(_ column: ColumnDescription, fit: ColumnFit, media configured: MediaColumn?) {
        let isKey = key.contains(column.name)
        if let configured, !isKey {
            media = PublishedStream(
                property: nil, description: column, contentType: configured.contentType,
                typeColumn: table.column(configured.typeColumn)?.name,
                nameColumn: table.column(configured.nameColumn)?.name)
            return
        }
        let name = names.name(for: column.name)
        guard fit.type != .stream || isKey else {
            addStream(column, name: name)
            return
        }
        if let notice = fit.notice { notices.append(notice) }
        columns.append(
            PublishedColumn(
                property: name, description: column, type: isKey && fit.type == .double ? .decimal : fit.type,
                codec: isKey && fit.type == .double ? .decimalNumber : fit.codec, maxLength: fit.maxLength,
                precision: fit.precision, scale: isKey && fit.type == .double ? .variable : fit.scale,
                isShown: fit.isShown,
                isServiceMade: table.rowIDAlias == column.name, isKey: isKey))
    }

    private mutating func addStream(_ column: ColumnDescription, name: String) {
        if table.kind == .view {
            notices.append("The column \(table.name).\(column.name) is left out: a view's BLOBs are not served.")
        } else {
            streams.append(PublishedStream(property: name, description: column, contentType: nil))
        }
    }

    /// Nil, with a notice, if the key cannot be one.
    mutating func built() -> PublishedTable? {
        let keys = key.compactMap { name in columns.first { $0.name == name } }
        guard keys.count == key.count, !keys.contains(where: { $0.type == .stream }) else {
            notices.append("\(table.name) is left out: a BLOB cannot be a key.")
            return nil
        }
        return PublishedTable(
            set: set, description: table, columns: columns, key: keys, media: media, streams: streams,
            isReadOnly: table.kind == .view || table.primaryKey.isEmpty || key != table.primaryKey)
    }
}
