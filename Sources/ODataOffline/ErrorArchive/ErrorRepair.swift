import Foundation
import GRDB
import MediaFiles
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Repairs an entry of the error archive. The requests of a change set were refused together, and are sent again,
/// discarded and undone together.
struct ErrorRepair {
    let context: StoreTransaction
    private var db: Database { context.db }
    private var queue: RequestQueue { context.queue }
    private var archive: ErrorArchive { ErrorArchive(db: db, offline: context.offline) }

    func retry(_ id: Int64) throws { try sendAgain(try request(of: id)) }

    func skip(_ id: Int64) throws {
        let record = try settledRequest(of: id)
        let records = try UndoPlanner(context: context).records(of: .request(record.id))
        let unit = try queue.unit(of: record)
        let rows = Set(unit.map(\.row))
        if let other = records.first(where: { !rows.contains($0.row) }) {
            throw ODataError(
                .conflict,
                """
                The request \(other.id) (\(other.method) \(other.url)) depends on an entity or a link that the request \
                \(record.id) makes, or on its change set: undo takes it along.
                """)
        }
        try Undo(context: context).undo(records)
    }

    func undo(_ id: Int64, force: Bool) throws -> UndoPlan {
        try Undo(context: context).undo(.request(request(of: id).id), force: force)
    }

    private func request(of id: Int64) throws -> QueueRecord {
        let entry = try archive.entry(id)
        guard let record = try queue.record(entry.requestID) else {
            throw ODataError(.notFound, "The request \(entry.requestID) of the error is no longer in the queue.")
        }
        return record
    }

    /// The request, unless it is unconfirmed: its outcome must be decided first.
    private func settledRequest(of id: Int64) throws -> QueueRecord {
        let record = try request(of: id)
        guard let open = try queue.unit(of: record).first(where: \.state.mayBeExecuted) else { return record }
        throw ODataError(
            .conflict,
            """
            The request \(open.id) (\(open.method) \(open.url)) may have been executed: decide whether it was before it \
            is changed or discarded.
            """)
    }

    private func row(of record: QueueRecord) throws -> EntityRow? {
        try? context.row(record.row, in: context.schema.table(named: record.set))
    }

    /// The request and those of its change set wait again, and so do others that were held because of them. One that
    /// met a newer version of its entity is sent with the ETag of that, if it was seen: the retry is the decision. The
    /// outcome of unconfirmed requests is determined by the upload.
    func sendAgain(_ record: QueueRecord) throws {
        for member in try queue.unit(of: record) {
            let isConflict = try ErrorArchive.entry(of: member.id, in: db)?.isConflict ?? false
            if !member.state.mayBeExecuted { try queue.setState(.waiting, of: member.id) }
            try archive.remove(request: member.id)
            guard let row = try row(of: member) else { continue }
            if isConflict { try NewerVersion(context: context, row: row).adoptIfKnown() }
            try RowStates(context: context, row: row).settle(queue.records(changing: row.id))
        }
        try queue.releaseHeld()
    }
}

extension OfflineModel {
    /// `ErrorArchive(5)`
    func errorID(at path: ResourcePath) -> Int64? {
        guard let set = path.rootSet, schema.isView(set.name), set.type.name == SystemSets.errorType,
            path.segments.count == 1, case .key(let key)? = path.segments.last,
            case .integer(let id)? = key.values.first
        else { return nil }
        return id
    }
}

extension ErrorRepair {
    func edit(_ id: Int64, payload: EntityPayload?, headers: [HeaderField]?) throws {
        try edit(id, headers: headers) { record in
            if let payload { try edit(record, payload) }
        }
    }

    func edit(_ id: Int64, arguments: EdmComplexValue, headers: [HeaderField]?) throws {
        try edit(id, headers: headers) { try edit($0, arguments) }
    }

    func edit(_ id: Int64, json: String, headers: [HeaderField]?) throws {
        try edit(id, headers: headers) { record in
            let bytes = Array(json.utf8)
            let line = RequestLine(db: db, offline: context.offline)
            do {
                if case .operation(let call)? = try line.path(of: record).operationSegment {
                    return try edit(
                        record, JSONPayload.parameters(bytes, of: call.operation, model: context.offline.model))
                }
                let type = try context.offline.set(named: record.set).type
                try edit(
                    record,
                    JSONPayload.entity(
                        bytes, type: type, model: context.offline.model, parser: context.offline.parser,
                        serviceRoot: nil))
            } catch let error as FormatError {
                throw ODataError(
                    .badRequest, "The JSON text does not fit the request \(record.id): \(error)", cause: error)
            }
        }
    }

    func edit(_ id: Int64, content: StoredMedia, type: String) throws {
        try edit(id, headers: nil) { record in
            guard record.operation.hasStream, let row = try row(of: record) else {
                throw ODataError(
                    .badRequest, "The request \(record.id) (\(record.method) \(record.url)) does not send a stream.")
            }
            let path = try RequestLine(db: db, offline: context.offline).path(of: record)
            try ContentLimits(at: path, in: context.offline.model).check(length: content.length, type: type)
            try MediaIndex(db: db, schema: context.schema).add(content)
            try queue.setContent(content.digest, type: type, of: record.id)
            try ChangeReplay(context: context, row: row).run(queue.records(changing: row.id))
        }
    }

    private func edit(_ id: Int64, headers: [HeaderField]?, _ change: (QueueRecord) throws -> Void) throws {
        let record = try settledRequest(of: id)
        if let headers { try queue.setHeaders(headers, of: record.id) }
        try change(record)
        try sendAgain(record)
    }

    private func edit(_ record: QueueRecord, _ arguments: EdmComplexValue) throws {
        guard record.operation == .call else {
            throw ODataError(
                .badRequest, "The request \(record.id) (\(record.method) \(record.url)) does not call an action.")
        }
        let rows = try context.rows(namedBy: .complex(arguments))
        try check(rows, creationsComeBefore: record)
        try queue.setBody(Data(EdmValue.complex(arguments).jsonText), of: record.id)
        try queue.setReferences(rows, of: record)
    }

    private func edit(_ record: QueueRecord, _ payload: EntityPayload) throws {
        guard record.operation.hasPayload, let row = try row(of: record) else {
            throw ODataError(
                .badRequest,
                "The request \(record.id) (\(record.method) \(record.url)) does not have an entity as its body.")
        }
        guard payload.nested.isEmpty else {
            throw ODataError(.badRequest, "Nested entities have their own requests: change those.")
        }
        var payload = try context.checked(
            payload, of: row, isWhole: record.operation != .update, isNew: record.operation == .create)
        if record.operation == .create {
            try setKey(of: row, from: payload)
            payload = try keepingParent(of: record, payload, row)
        }
        var edited = record
        edited.body = context.body(payload, of: row.table)
        try queue.setBody(edited.body ?? Data(), of: record.id)
        if !row.state.contains(.madeHere) { try VersionCopy(db: db, row: row).baseToLive() }
        try ChangeReplay(context: context, row: row).run(queue.records(changing: row.id))
        let links = LinkReplay(context: context)
        try links.run(links.tables(of: [record, edited]))
        let rows = try context.rows(namedBy: payload, in: record, of: row)
        try check(rows, creationsComeBefore: record)
        try queue.setReferences(rows, of: record)
    }

    /// A refused key can only be replaced by another one.
    private func setKey(of row: EntityRow, from payload: EntityPayload) throws {
        let names = row.table.set.type.key
        guard names.contains(where: { payload.properties[$0] != nil }),
            let current = try RowLookup(db: db, table: row.table).key(of: row.id)
        else { return }
        let key = EntityKey(
            names.compactMap { name in
                (payload.properties[name] ?? current[name]).map { EdmComplexValue.Member(name: name, value: $0) }
            })
        guard key != current else { return }
        if let other = try RowLookup(db: db, table: row.table).id(of: key), other != row.id {
            throw ODataError.notUnique(row.table.keyNames)
        }
        guard !row.state.contains(.temporaryKey) || names.allSatisfy({ payload.properties[$0] != nil }) else {
            throw ODataError(
                .badRequest, "The key of \(row.table.set.name) is \(names.joined(separator: ", ")): give all.")
        }
        try IdentityRepair(context: context).repair(row, key: key)
        try RowLookup(db: db, table: row.table).setState([], removing: .temporaryKey, of: row.id)
    }

    /// The properties that relate the entity to its parent stay in the body.
    private func keepingParent(of record: QueueRecord, _ payload: EntityPayload, _ row: EntityRow) throws
        -> EntityPayload
    {
        let line = RequestLine(db: db, offline: context.offline)
        guard let old = try RequestLine.ifFit({ try line.payload(of: record) }) else { return payload }
        let bound = Set(payload.bindings.map(\.navigation))
        var payload = payload
        for navigation in row.table.set.type.navigationProperties where !bound.contains(navigation.name) {
            for constraint in navigation.constraints where payload.properties[constraint.property] == nil {
                payload.properties[constraint.property] = old.properties[constraint.property]
            }
        }
        return payload
    }

    /// - Throws: ``ODataError`` `conflict` if a later request makes one of the rows.
    private func check(_ rows: Set<Int64>, creationsComeBefore record: QueueRecord) throws {
        for row in rows.sorted() {
            let creation = try queue.records(changing: row).first { $0.operation.isCreation }
            guard let creation, creation.id > record.id else { continue }
            throw ODataError(
                .conflict,
                "The body refers to the entity that the later request \(creation.id) creates: undo this request and make the change again."
            )
        }
    }
}

extension ErrorEntry {
    /// Whether the service may have refused the request because its entity has changed.
    fileprivate var isConflict: Bool { status == 409 || status == 412 || status == 428 }
}
