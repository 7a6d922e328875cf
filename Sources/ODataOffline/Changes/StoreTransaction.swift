import Foundation
import GRDB
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// A row of a live table that a change is about.
struct EntityRow: ChangeableRow {
    var table: LocalTable
    var id: Int64
    var state: LocalState
    /// The key as its columns have it, where it is known.
    var key: EntityKey?

    var setName: String { table.set.name }
    var named: QueueRecord.Named { .init(set: table.set.name, row: id) }
}

extension EntityRow {
    /// The canonical path, where it is known without the database.
    fileprivate var path: ResourcePath? { state.isUntold ? nil : key.map { ResourcePath(table.set, key: $0) } }
}

/// What changes work with in one transaction: the database, the model, and where ids and times come from.
struct StoreTransaction {
    let db: Database
    let offline: OfflineModel
    let configuration: OfflineStore.Configuration
    var changeSet: Int64?
    /// Of the change that is made.
    var options = RequestOptions()

    var schema: LocalSchema { offline.schema }
    var queue: RequestQueue { RequestQueue(db: db) }
    var time: StoreTime { StoreTime(date: configuration.now()) }
    var random: RandomSource { RandomSource(source: configuration.random) }

    /// A new identity for a request.
    func repeatability() -> RepeatabilityHeaders {
        var random = random
        return RepeatabilityHeaders(requestID: "\(EdmGuid.random(using: &random))", firstSent: time.instant.httpDate)
    }

    func row(_ id: Int64, in table: LocalTable) throws -> EntityRow {
        guard let state = try RowLookup(db: db, table: table).state(of: id) else {
            throw ODataError(.notFound, "The entity of \(table.set.name) is not in the store.")
        }
        return EntityRow(table: table, id: id, state: state)
    }

    /// The canonical path of a row.
    func path(of row: EntityRow) throws -> ResourcePath {
        guard let path = try row.path ?? RequestLine(db: db, offline: offline).entityPath(row.named) else {
            guard !row.state.isUntold else { throw ODataError.untold(row.table.set.name) }
            throw ODataError(.notFound, "The entity of \(row.table.set.name) is not in the store.")
        }
        return path
    }

    /// Keeps the service's version aside before the first change made here. Several steps of one change may be about the
    /// row: its state is that of the table.
    func markChanged(_ row: EntityRow) throws { try markChanged(current: self.row(row.id, in: row.table)) }

    /// The same of a row whose state was read after all earlier steps.
    private func markChanged(current row: EntityRow) throws {
        let mark = try mark(current: row)
        if !mark.isEmpty { try RowLookup(db: db, table: row.table).setState(mark, of: row.id) }
    }

    /// Keeps the service's version aside before the first change made here of a row whose state was read after all earlier
    /// steps.
    ///
    /// - Returns: The state that the change has to add to the row's.
    func mark(current row: EntityRow) throws -> LocalState {
        if row.state.isDisjoint(with: [.pending, .madeHere]) { try keepBase(of: row) }
        return LocalState.pending.subtracting(row.state)
    }

    func keepBase(of row: EntityRow) throws {
        try TableMaker.makeShadow(of: row.table, in: db)
        let columns = (["$id"] + row.table.versionColumns).map(quoted).joined(separator: ", ")
        try db.executeCached(
            sql: """
                INSERT OR REPLACE INTO \(quoted(row.table.baseName)) (\(columns))
                SELECT \(columns) FROM \(quoted(row.table.name)) WHERE "$id" = ?
                """, arguments: [row.id])
    }

    /// Writes columns of a row, in the live table or in a shadow.
    ///
    /// Each combination of columns is a statement that the connection keeps: as many as an app changes together, until
    /// a table changes.
    ///
    /// - Parameter state: What is added to the row's state, which takes no statement of its own so.
    func set(
        _ values: [(column: String, value: DatabaseValue)], of row: EntityRow, in table: String? = nil,
        adding state: LocalState = []
    ) throws {
        guard !values.isEmpty || !state.isEmpty else { return }
        var assignments = values.map { "\(quoted($0.column)) = \($0.value.term)" }.joined(separator: ", ")
        if !state.isEmpty {
            assignments += "\(values.isEmpty ? "" : ", ")\(.state) = \(.state) | \(state.rawValue)"
        }
        try db.executeCached(
            sql: "UPDATE \(quoted(table ?? row.table.name)) SET \(assignments) WHERE \"$id\" = ?",
            arguments: StatementArguments(stored: values.flatMap { $0.value.parts } + [row.id.databaseValue]))
    }

    /// Puts a request into the queue, with the rows it refers to.
    ///
    /// - Parameter row: The row of the request, where it is at hand.
    @discardableResult
    func enqueue(_ record: QueueRecord, of row: EntityRow? = nil, references: Set<Int64> = []) throws -> Int64 {
        guard !offline.isLocal(record.set) else {
            try settle(record)
            return 0
        }
        var record = record
        record.changeSet = changeSet
        var line = RequestLine(db: db, offline: offline)
        if let row, let path = row.path { line.known = (row.named, path) }
        (record.method, record.url) = try line.line(of: record)
        // A request for the entity itself names it.
        let isEntity = [.update, .replace, .delete].contains(record.operation)
        record.entity = isEntity ? record.url : try line.entity(of: record)
        var references = references
        references.formUnion([record.parent?.row, record.target?.row].compactMap { $0 })
        // Of a row that nothing was changed of no request is there.
        let isFirst = row?.state.isDisjoint(with: [.pending, .madeHere]) ?? false
        return try queue.append(record, references: references, isFirst: isFirst)
    }

    /// What is changed on the device only is so for good.
    private func settle(_ record: QueueRecord) throws {
        let row = try row(record.row, in: schema.table(named: record.set))
        let removal = RowRemoval(db: db, schema: schema)
        guard record.operation != .delete else { return try removal.remove(row) }
        try removal.dropShadow(of: row)
        try RowLookup(db: db, table: row.table).setState([], removing: [.madeHere, .pending], of: row.id)
    }

    func etag(of row: EntityRow) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT \(.etag) FROM \(row.table.sqlName) WHERE \(.id) = ?"), arguments: [row.id])
    }

    func body(_ payload: EntityPayload, of table: LocalTable) -> Data {
        Data(JSONPayload.bytes(payload, type: table.set.type, model: offline.model))
    }

    func record(_ operation: QueueRecord.Operation, _ row: EntityRow) -> QueueRecord {
        var record = QueueRecord(
            operation, set: row.table.set.name, row: row.id, repeatability: repeatability(), created: time.column)
        addOptions(to: &record)
        return record
    }

    func addOptions(to record: inout QueueRecord) {
        record.tag = options.tag
        record.category = options.category
        record.combines = options.combines ?? configuration.combinesRequests
    }
}
