import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

/// Makes the paths of rows and their streams at the service.
struct RowPath {
    let db: Database
    let schema: LocalSchema

    /// `Photos(1)` for the stream of a media entity; else `Vehicles(2)/Shop.Car/Plan`, `Orders(1)/Remarks(2)/Scan`.
    ///
    /// - Parameter row: All columns of the live table. Nil if it has no key, or if its container is not in the store.
    func path(of stream: LocalStream, of row: Row, in table: LocalTable) throws -> ResourcePath? {
        guard let path = try path(of: row, in: table) else { return nil }
        return table.segments(of: stream).reduce(path) { $0.appending($1) }
    }

    /// `Orders(1)`, `Orders(1)/Remarks(2)`
    func path(of row: Row, in table: LocalTable) throws -> ResourcePath? {
        guard let key = try RowLookup(db: db, table: table).key(of: row[HiddenColumn.id.name]) else { return nil }
        guard let container = table.container, let containing = schema.tables[container.set] else {
            return ResourcePath(table.set, key: key)
        }
        let parent = try Row.fetchOne(
            db, sql: "SELECT * FROM \(quoted(containing.name)) WHERE \(.id) = ?",
            arguments: [row[HiddenColumn.parent.name] as Int64?])
        guard let parent, let above = try path(of: parent, in: containing) else { return nil }
        let owner = container.cast.map { above.appending(.cast($0)) } ?? above
        let path = owner.appending(.navigation(container.navigation, nil))
        guard container.navigation.isCollection, !key.components.isEmpty else { return path }
        return path.appending(.key(key))
    }
}

extension LocalTable {
    /// The end of a stream's path, after the entity: `Photo`, `Shop.Car/Plan`; empty for the stream of a media entity.
    func segments(of stream: LocalStream) -> [ResourcePath.Segment] {
        guard let name = stream.property,
            let type = types.first(where: { $0.property(named: name) != nil }),
            let property = type.property(named: name)
        else { return [] }
        return type == set.type ? [.property(property)] : [.cast(type), .property(property)]
    }
}
