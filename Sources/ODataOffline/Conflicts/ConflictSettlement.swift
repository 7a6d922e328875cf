import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Does what a conflict's resolution says, within one transaction. The version of the service is in the shadow.
struct ConflictSettlement {
    let context: ChangeContext
    let row: EntityRow
    /// The last request that was there when the resolution was asked for: later ones stay as they are.
    let last: Int64

    private var db: Database { context.db }
    private var queue: RequestQueue { context.queue }
    private var isGone: Bool { row.state.contains(.removedThere) }

    /// - Returns: Whether something was settled; if not, the conflict holds.
    func settle(_ resolution: Resolution) throws -> Bool {
        let records = try queue.records(changing: row.id).filter { $0.id <= last }
        guard !records.isEmpty, !records.contains(where: { $0.state.mayBeExecuted }) else { return false }
        switch resolution {
        case .hold: return false
        case .theirs:
            for record in records { try Undo(context: context).drop(record) }
            try isGone ? leave() : rebase()
        case .mine:
            if isGone { return try create(again: records) }
            try send(records)
            try rebase()
        case .merged(let payload):
            try PayloadCheck(table: row.table).check(payload)
            guard payload.nested.isEmpty else {
                throw ODataError(.notImplemented, "A merge with nested entities: change each entity by itself.")
            }
            let payload = try context.withoutKey(payload, of: row)
            let merged = try replace(records, with: payload)
            guard isGone else {
                try rebase()
                return true
            }
            try ChangeReplay(context: context, row: row).run([merged])
            return try create(again: [merged])
        }
        return true
    }

    /// The requests stay. A creation of what is there already is an update.
    private func send(_ records: [QueueRecord]) throws {
        for var record in records {
            if record.operation == .create, row.state.contains(.madeHere) {
                var payload = try RequestLine.read(record.body ?? .init(), of: row.table.set, context.offline)
                payload = try context.withoutKey(payload, of: row)
                record.body = context.body(payload, of: row.table)
                try queue.rewrite(record, as: .update)
            }
            try release(record)
        }
    }

    /// One update in the place of all creations, updates and deletions.
    private func replace(_ records: [QueueRecord], with payload: EntityPayload) throws -> QueueRecord {
        let replaced = records.filter { $0.operation.hasPayload || $0.operation == .delete }
        var record = replaced.first ?? context.record(.update, row)
        record.body = context.body(payload, of: row.table)
        for other in replaced.dropFirst() { try queue.remove(other.id) }
        if replaced.isEmpty {
            record.id = try context.enqueue(record)
        } else {
            try queue.rewrite(record, as: .update)
        }
        record.operation = .update
        for other in records where other.id == record.id || !replaced.contains(where: { $0.id == other.id }) {
            try release(other)
        }
        return record
    }

    /// The request is sent as a new one: the service has answered the old one.
    private func release(_ record: QueueRecord) throws {
        try queue.setState(.waiting, of: record.id)
        try ErrorArchive(db: db, offline: context.offline).remove(request: record.id)
        let line = RequestLine(db: db, offline: context.offline)
        guard let record = try queue.record(record.id) else { return }
        try queue.setLine(line.line(of: record), entity: line.entity(of: record), of: record.id)
    }

    /// The version of the service becomes what the changes that wait are based on.
    private func rebase() throws {
        let versions = VersionCopy(db: db, row: row)
        if row.state.contains(.madeHere) {
            try AnswerApplication.claim(row, in: db)
            try RowLookup(db: db, table: row.table).setState([], removing: [.madeHere, .temporaryKey], of: row.id)
            try context.keepBase(of: row)
        }
        try versions.theirsToBase()
        try versions.baseToLive()
        let waiting = try queue.records(changing: row.id)
        try ChangeReplay(context: context, row: row).run(waiting)
        try RowStates(context: context, row: row).settle(waiting)
    }

    /// The entity is gone there; here it stays while later requests wait for it.
    private func leave() throws {
        guard try queue.records(changing: row.id).isEmpty else { return }
        try RowRemoval(db: db, schema: context.schema).remove(row)
    }

    /// What was deleted there is created with all that it is here. A media entity cannot be made without a stream,
    /// and what was deleted here too is gone.
    private func create(again records: [QueueRecord]) throws -> Bool {
        if records.contains(where: { $0.operation == .delete }) { return try settle(.theirs) }
        guard row.table.stream(of: nil) == nil,
            var first = records.first(where: \.operation.hasPayload)
        else { return false }
        var payload = EntityPayload()
        for column in row.table.columns where !column.property.isTagged(Annotation.computed) {
            guard let value = try context.value(of: column.name, of: row), !value.isNull else { continue }
            payload.properties[column.property.name] = value
        }
        for record in records where record.operation.hasPayload {
            let sent = try RequestLine.read(record.body ?? .init(), of: row.table.set, context.offline)
            payload.bindings += sent.bindings.filter { isLink($0.navigation) }
        }
        first.body = context.body(payload, of: row.table)
        try queue.rewrite(first, as: .create)
        for other in records where other.id != first.id {
            if other.operation.hasPayload { try queue.remove(other.id) } else { try release(other) }
        }
        try RowRemoval(db: db, schema: context.schema).dropShadow(of: row)
        try RowLookup(db: db, table: row.table).setState(.madeHere, removing: [.removedThere, .inError], of: row.id)
        try context.set([("$etag", .null)], of: row)
        try release(first)
        return true
    }

    /// Whether no property tells the relation.
    private func isLink(_ navigation: String) -> Bool {
        if case .link? = context.schema.relation(of: row.table.set.name, navigation) { true } else { false }
    }
}
