import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

/// Reads the versions of a row as entities: base, mine and theirs.
struct RowVersions {
    let db: Database
    let offline: OfflineModel

    func base(of row: EntityRow) throws -> EdmEntity? { try named(of: row, in: row.table.baseName) }

    func theirs(of row: EntityRow) throws -> EdmEntity? { try named(of: row, in: row.table.theirsName) }

    /// Nil if it was deleted here.
    func mine(of row: EntityRow) throws -> EdmEntity? {
        guard !row.state.contains(.deletedHere) else { return nil }
        return try entity(of: row, in: row.table.name).map { try keys.hiding($0, of: row) }
    }

    private var keys: TemporaryKeys { TemporaryKeys(db: db, schema: offline.schema) }

    /// With the id that the entity had first here.
    private func named(of row: EntityRow, in table: String) throws -> EdmEntity? {
        guard var version = try entity(of: row, in: table) else { return nil }
        version.firstID = try keys.firstID(of: row)
        return version
    }

    private func entity(of row: EntityRow, in table: String) throws -> EdmEntity? {
        guard try db.tableExists(table) else { return nil }
        let set = row.table.set
        let mapping = VersionMapping(schema: offline.schema, set: set.name, table: table)
        return try QueryExecutor(model: offline.model, mapping: mapping).entity(of: set, row: row.id, in: db)
    }
}

/// The tables of the store, with the table of one set replaced, deleted rows included.
private struct VersionMapping: SQLMapping {
    let schema: LocalSchema
    let set: String
    let table: String

    func rows(of set: EdmEntitySet) throws -> RowSource {
        var source = try schema.rows(of: set)
        guard set.name == self.set else { return source }
        source.table = table
        source.condition = nil
        return source
    }

    var keepsNaN: Bool { schema.keepsNaN }

    func hiddenSet(named name: String) -> EdmEntitySet? { schema.hiddenSet(named: name) }

    func function(_ operation: EdmOperationDeclaration) -> FunctionMapping? { schema.function(operation) }
}
