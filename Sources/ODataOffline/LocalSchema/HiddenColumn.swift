import ODataSQL
import ODataSQLite

/// A column that tables of entities have in addition to those of properties.
///
/// `"SELECT \(.etag) FROM \(table.sqlName) WHERE \(.id) = ?"`
struct HiddenColumn: Sendable {
    /// `$id`
    let name: String
    /// `"$id"`
    let sqlName: String

    private init(_ name: String) {
        self.name = name
        sqlName = quoted(name)
    }

    /// The row id.
    static let id = HiddenColumn("$id")
    /// See ``LocalState``.
    static let state = HiddenColumn("$state")
    static let etag = HiddenColumn("$etag")
    /// The row id of the containing entity.
    static let parent = HiddenColumn(NavigationResolver.parentColumn)
    /// The qualified name of the entity's type; null: the set's.
    static let type = HiddenColumn("$type")
    /// The dynamic properties of an open type: the text of a JSON object.
    static let dynamic = HiddenColumn("$dynamic")
    /// The number of the download that brought the row or changed it.
    static let download = HiddenColumn("$download")
    /// Where the service says that the entity is changed; null: where its key leads.
    static let editLink = HiddenColumn("$edit")
    /// The key of a table that has one row.
    static let single = HiddenColumn("$one")
}

extension DefaultStringInterpolation {
    /// `"$id"`
    mutating func appendInterpolation(_ column: HiddenColumn) { appendLiteral(column.sqlName) }
}

extension SQLFragment {
    /// A hidden column of the row that an expression of a mapping is about.
    static func row(_ column: HiddenColumn) -> SQLFragment { row(column.name) }
}

extension SQLFragment.StringInterpolation {
    /// `"$id"`
    mutating func appendInterpolation(_ column: HiddenColumn) { appendInterpolation(identifier: column.name) }
}
