import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

extension StoreTransaction {
    /// Hides the entity until the service has deleted it. An entity that was not sent is removed with its requests.
    func delete(_ row: EntityRow, headers: [HeaderField]) throws {
        var record = record(.delete, row)
        record.headers = headers
        record.changeSet = changeSet
        let waiting = try queue.records(changing: row.id)
        if row.state.contains(.madeHere), try canForget(row, waiting, record) {
            return try drop(waiting) { try RowRemoval(db: db, schema: schema).remove(row) }
        }
        if !row.state.contains(.madeHere) {
            // Changes of what is deleted anyway need not be sent, and could only fail.
            try drop(waiting.filter { $0.operation != .call && canDrop($0, record) })
        }
        try markChanged(row)
        try RowLookup(db: db, table: row.table).setState(.deletedHere, removing: .inError, of: row.id)
        try enqueue(record)
    }

    /// Takes requests out with the links they have changed; the rows are as they were.
    func drop(_ records: [QueueRecord], removing remove: () throws -> Void = {}) throws {
        let links = LinkReplay(context: self)
        let tables = try links.tables(of: records)
        for record in records { try queue.remove(record.id) }
        try remove()
        try links.run(tables)
    }

    /// Takes a request out that was not executed and that a deletion behind it makes needless. A new entity is removed
    /// with all its requests.
    func giveUp(_ record: QueueRecord) throws {
        guard record.operation.isCreation else { return try drop([record]) }
        let row = try row(record.row, in: schema.table(named: record.set))
        try drop(queue.records(changing: row.id)) { try RowRemoval(db: db, schema: schema).remove(row) }
    }

    /// Whether no request for the entity may have reached the service, and no other request names it.
    private func canForget(_ row: EntityRow, _ waiting: [QueueRecord], _ deletion: QueueRecord) throws -> Bool {
        guard !waiting.isEmpty, waiting.allSatisfy({ canDrop($0, deletion) }) else { return false }
        return try queue.records(naming: row.id).allSatisfy { $0.row == row.id }
    }

    /// Failed requests are removed in any case: they no longer need a repair.
    private func canDrop(_ earlier: QueueRecord, _ deletion: QueueRecord) -> Bool {
        switch earlier.state {
        case .unconfirmed, .sending: false
        case .failed, .held: true
        case .waiting: earlier.combines && deletion.combines && deletion.mayChange(unitOf: earlier)
        }
    }
}

/// Takes a row away with all that is kept about it.
struct RowRemoval {
    let db: Database
    let schema: LocalSchema

    func remove(_ row: EntityRow) throws {
        try LooseRows(db: db, schema: schema).note(.removal, of: row)
        for link in schema.links(of: row.table.set.name) where try db.tableExists(link.name) {
            let ends = [(link.sourceSet, "source"), (link.targetSet, "target")]
            for (set, end) in ends where set == row.table.set.name {
                try db.execute(
                    sql: "DELETE FROM \(quoted(link.name)) WHERE \(quoted(end)) = ?", arguments: [row.id])
            }
        }
        try dropShadow(of: row)
        try db.execute(sql: #"DELETE FROM "$claim" WHERE "row" = ?"#, arguments: [row.id])
        try db.execute(sql: #"UPDATE "$alias" SET "resolved" = 1 WHERE "row" = ?"#, arguments: [row.id])
        try db.execute(sql: "DELETE FROM \(row.table.sqlName) WHERE \"$id\" = ?", arguments: [row.id])
    }

    /// Forgets the versions that were kept while the row had changes that were not sent.
    func dropShadow(of row: EntityRow) throws {
        for name in [row.table.baseName, row.table.theirsName] where try db.tableExists(name) {
            try db.execute(sql: "DELETE FROM \(quoted(name)) WHERE \"$id\" = ?", arguments: [row.id])
        }
    }
}
