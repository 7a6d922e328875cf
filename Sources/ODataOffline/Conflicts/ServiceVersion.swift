import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// The service's current version of an entity.
enum ServiceVersion: Sendable {
    case entity(EdmEntity, etag: String?)
    case gone

    /// - Throws: ``ODataError`` if the service does not return it.
    static func read(_ path: ResourcePath, from remote: any ODataStore) async throws -> ServiceVersion {
        do {
            let result = try await remote.read(ReadRequest(BoundQuery(path: path)))
            guard case .entities(let reader) = result.body, let block = try await reader.next(),
                let entity = EntityAssembler(shape: reader.shape).entities(in: block).first
            else { return .gone }
            return .entity(entity, etag: entity.etag ?? result.etag)
        } catch let error as ODataError where error.code == .notFound || error.code == .gone {
            return .gone
        }
    }

    /// Stores the version in the shadow table, beside base and mine.
    func keep(for row: EntityRow, in context: StoreTransaction) throws {
        let lookup = RowLookup(db: context.db, table: row.table)
        guard case .entity(let entity, let etag) = self else {
            return try lookup.setState(.removedThere, of: row.id)
        }
        try TableMaker.makeShadow(of: row.table, in: context.db)
        try lookup.setState([], removing: .removedThere, of: row.id)
        // Values that the service did not send keep their known values.
        let columns = ([HiddenColumn.id.name] + row.table.versionColumns).map(quoted).joined(separator: ", ")
        for source in [row.table.name, row.table.baseName] {
            try context.db.execute(
                sql: """
                    INSERT OR REPLACE INTO \(quoted(row.table.theirsName)) (\(columns))
                    SELECT \(columns) FROM \(quoted(source)) WHERE \(.id) = ?
                    """, arguments: [row.id])
        }
        var values = try row.table.values(of: entity)
        values.append((HiddenColumn.etag.name, etag?.databaseValue ?? .null))
        try context.set(values, of: row, in: row.table.theirsName)
    }
}

extension LocalTable {
    /// The columns of what an entity of the service reports, without its key and ETag.
    func values(of entity: EdmEntity) throws -> [(column: String, value: DatabaseValue)] {
        var values: [(column: String, value: DatabaseValue)] = []
        if let link = entity.editLink { values.append((HiddenColumn.editLink.name, link.databaseValue)) }
        for member in entity.properties.members {
            guard let column = column(of: member.name), !column.isKey else { continue }
            values.append((column.name, try column.databaseValue(of: member.value)))
        }
        if entity.type.isOpen, hiddenColumns.contains(HiddenColumn.dynamic.name) {
            values.append((HiddenColumn.dynamic.name, Self.dynamicValue(dynamicMembers(of: entity.properties))))
        }
        for stream in streams {
            guard let info = stream.property.map({ entity.streams[$0] }) ?? entity.media else { continue }
            values += [
                (stream.etag, info.etag?.databaseValue ?? .null),
                (stream.readLink, info.readLink?.databaseValue ?? .null),
                (stream.editLink, info.editLink?.databaseValue ?? .null),
            ]
        }
        return values
    }
}
