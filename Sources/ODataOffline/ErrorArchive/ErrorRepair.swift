import Foundation
import GRDB
import MediaFiles
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// What an app can do about an entry of the error archive.
struct ErrorRepair {
    let context: ChangeContext
    private var db: Database { context.db }
    private var queue: RequestQueue { context.queue }
    private var archive: ErrorArchive { ErrorArchive(db: db, offline: context.offline) }

    func retry(_ id: Int64) throws {
        let record = try request(of: id)
        try queue.setState(.waiting, of: record.id)
        try archive.remove(request: record.id)
        guard let row = try row(of: record) else { return }
        try RowStates(context: context, row: row).settle(queue.records(changing: row.id))
        try releaseHeld(naming: row.id)
    }

    func skip(_ id: Int64) throws {
        let record = try request(of: id)
        let records = try UndoPlanner(context: context).records(of: .request(record.id))
        let others = records.filter { $0.row != record.row }
        if let other = others.first {
            throw ODataError(
                .conflict,
                """
                The request \(other.id) (\(other.method) \(other.url)) names the entity that the request \(record.id) \
                creates: undo takes it along.
                """)
        }
        try Undo(context: context).undo(records)
        try releaseHeld(naming: record.row)
    }

    func undo(_ id: Int64) throws -> UndoPlan {
        let record = try request(of: id)
        let plan = try Undo(context: context).undo(.request(record.id), force: false)
        try releaseHeld(naming: record.row)
        return plan
    }

    private func request(of id: Int64) throws -> QueueRecord {
        let entry = try archive.entry(id)
        guard let record = try queue.record(entry.requestID) else {
            throw ODataError(.notFound, "The request \(entry.requestID) of the error is not in the queue any more.")
        }
        return record
    }

    private func row(of record: QueueRecord) throws -> EntityRow? {
        try? context.row(record.row, in: context.schema.table(named: record.set))
    }

    private func releaseHeld(naming row: Int64) throws {
        for other in try queue.records(naming: row) where other.state == .held {
            try queue.setState(.waiting, of: other.id)
        }
    }
}

extension OfflineModel {
    /// `ErrorArchive(5)`
    func errorID(at path: ResourcePath) -> Int64? {
        guard let set = path.rootSet, schema.isView(set.name), set.type.name == OwnSets.errorType,
            path.segments.count == 1, case .key(let key)? = path.segments.last,
            case .integer(let id)? = key.values.first
        else { return nil }
        return id
    }
}

extension ErrorRepair {
    func edit(_ id: Int64, payload: EntityPayload?, headers: [HeaderField]?) throws {
        let record = try request(of: id)
        if let headers { try queue.setHeaders(headers, of: record.id) }
        if let payload { try edit(record, payload) }
        try retry(id)
    }

    func edit(_ id: Int64, content: StoredMedia, type: String) throws {
        let record = try request(of: id)
        guard record.operation == .createMedia || record.operation == .replaceStream, let row = try row(of: record)
        else {
            throw ODataError(
                .badRequest, "The request \(record.id) (\(record.method) \(record.url)) sends no stream.")
        }
        try MediaIndex(db: db, schema: context.schema).add(content)
        try queue.setContent(content.digest, type: type, of: record.id)
        try ChangeReplay(context: context, row: row).run(queue.records(changing: row.id))
        try retry(id)
    }

    private func edit(_ record: QueueRecord, _ payload: EntityPayload) throws {
        guard record.operation.hasPayload, let row = try row(of: record) else {
            throw ODataError(
                .badRequest, "The request \(record.id) (\(record.method) \(record.url)) has no body of an entity.")
        }
        guard payload.nested.isEmpty else {
            throw ODataError(.badRequest, "Nested entities have requests of their own: change those.")
        }
        var payload = try context.withCurrentKeys(payload, of: row.table)
        try PayloadCheck(table: row.table).check(payload)
        if record.operation == .create {
            try setKey(of: row, from: payload)
            payload = try keepingParent(of: record, payload, row)
        } else {
            payload = try context.withoutKey(payload, of: row)
        }
        try queue.setBody(context.body(payload, of: row.table), of: record.id)
        try LinkUndo(db: db, schema: context.schema).takeBack(record, context)
        if !row.state.contains(.madeHere) { try VersionCopy(db: db, row: row).baseToLive() }
        try ChangeReplay(context: context, row: row).run(queue.records(changing: row.id))
        try setReferences(of: record, payload, row)
    }

    /// A refused key can only be mended by another one.
    private func setKey(of row: EntityRow, from payload: EntityPayload) throws {
        let names = row.table.set.type.key
        guard names.contains(where: { payload.properties[$0] != nil }),
            let current = try RowLookup(db: db, table: row.table).key(of: row.id)
        else { return }
        let key = EntityKey(
            names.compactMap { name in
                (payload.properties[name] ?? current[name]).map { ComplexValue.Member(name: name, value: $0) }
            })
        guard key != current else { return }
        if let other = try RowLookup(db: db, table: row.table).id(of: key), other != row.id {
            throw ODataError(
                .conflict, "There is an entity \(ResourcePath(row.table.set, key: key).url) in the store already.")
        }
        guard !row.state.contains(.temporaryKey) || names.allSatisfy({ payload.properties[$0] != nil }) else {
            throw ODataError(
                .badRequest, "The key of \(row.table.set.name) is \(names.joined(separator: ", ")): give all.")
        }
        try IdentityRepair(context: context).repair(row, key: key)
        try RowLookup(db: db, table: row.table).setState([], removing: .temporaryKey, of: row.id)
    }

    /// What tells that the entity belongs to the one it was created below stays in the body.
    private func keepingParent(of record: QueueRecord, _ payload: EntityPayload, _ row: EntityRow) throws
        -> EntityPayload
    {
        let old = try RequestLine(db: db, offline: context.offline).payload(of: record)
        let bound = Set(payload.bindings.map(\.navigation))
        var payload = payload
        for navigation in row.table.set.type.navigationProperties where !bound.contains(navigation.name) {
            for constraint in navigation.constraints where payload.properties[constraint.property] == nil {
                payload.properties[constraint.property] = old.properties[constraint.property]
            }
        }
        return payload
    }

    /// The rows made here that the request names now.
    private func setReferences(of record: QueueRecord, _ payload: EntityPayload, _ row: EntityRow) throws {
        var rows = try context.references(of: row)
        for reference in payload.bindings.flatMap(\.references) {
            if let other = try context.rowIfAny(at: context.path(of: reference))?.id { rows.insert(other) }
        }
        rows.formUnion([record.parent?.row, record.target?.row].compactMap { $0 })
        rows.remove(row.id)
        for other in rows {
            let creation = try queue.records(changing: other).first { $0.operation.isCreation }
            guard let creation, creation.id > record.id else { continue }
            throw ODataError(
                .conflict,
                "The body names the entity that the later request \(creation.id) creates: undo this one and make it again."
            )
        }
        try queue.setReferences(rows, of: record.id)
    }
}
