import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Combines requests: an update becomes part of a request of the same entity that was not sent yet, or repairs one that
/// failed.
extension StoreTransaction {
    /// - Parameters:
    ///   - record: The request of the update, were it to be sent by itself.
    ///   - references: The rows that the entity refers to now: those made here, and what the update names.
    /// - Returns: Whether the update needs no request of its own.
    func combine(
        _ payload: EntityPayload, with row: EntityRow, as record: QueueRecord, references: Set<Int64>
    ) throws -> Bool {
        // Of a row that nothing was changed of no request is there.
        guard row.state.contains(.pending) else { return false }
        let waiting = try queue.records(changing: row.id)
        if let creation = waiting.first, creation.operation == .create, mends(record, creation),
            try canName(references, in: creation)
        {
            return try mend(creation, followedBy: Array(waiting.dropFirst()), with: payload, of: row)
        }
        guard let last = waiting.last, last.operation.hasPayload else { return false }
        guard try mends(record, last) || combines(record, with: last, references: references) else { return false }
        guard var merged = try body(of: last, row) else { return false }
        set(payload, in: &merged, of: last, row)
        guard try canName(references, in: last) else { return try queueAtEnd(last, as: merged, row) }
        try queueAgain(last, as: merged, row)
        return true
    }

    /// Whether a later request may become part of an earlier one of the same entity. Nothing may come between them
    /// that waits for the earlier one or that the later one waits for.
    func combines(_ later: QueueRecord, with earlier: QueueRecord, references: Set<Int64> = []) throws -> Bool {
        guard later.combines, earlier.combines, [.waiting, .held].contains(earlier.state), later.isAlike(earlier),
            try queue.records(naming: earlier.row).allSatisfy({
                $0.row == earlier.row || !$0.dependsOn.contains(earlier.id) || $0.isNested(with: earlier)
            })
        else { return false }
        return try canName(references, in: earlier)
    }

    /// Whether the update of an entity repairs a request for it that failed. What the app says of the update must
    /// not be lost: another tag, a category, headers or a change set make it a request of its own.
    private func mends(_ update: QueueRecord, _ failed: QueueRecord) -> Bool {
        guard failed.state == .failed, update.headers.isEmpty || update.headers == failed.headers else { return false }
        return (update.changeSet == nil || update.changeSet == failed.changeSet)
            && (update.tag == nil || update.tag == failed.tag)
            && (update.category == nil || update.category == failed.category)
    }

    /// Whether a queued request may refer to the rows: none of them is made by a later one.
    private func canName(_ rows: Set<Int64>, in record: QueueRecord) throws -> Bool {
        let others = try rows.subtracting([record.row]).flatMap(queue.records(changing:)).filter(\.operation.isCreation)
        guard others.allSatisfy({ $0.id < record.id }) else { return false }
        guard record.isPartOfDeepInsert else { return true }
        let outer = others.filter { !$0.isNested(with: record) }
        return try !RequestTies(db: db).leads(from: Set(outer.map(\.id)), to: Set(queue.unit(of: record).map(\.id)))
    }

    /// The updates that wait behind a creation go into it: they could not be sent before it.
    private func mend(
        _ creation: QueueRecord, followedBy later: [QueueRecord], with payload: EntityPayload, of row: EntityRow
    ) throws -> Bool {
        guard var merged = try body(of: creation, row) else { return false }
        var isLast = true
        for record in later {
            guard record.operation.hasPayload else {
                // What comes after a `$ref` request says what the link is.
                let isReference = [.addReference, .removeReference].contains(record.operation)
                if isReference, !payload.bindings.isEmpty { isLast = false }
                continue
            }
            let isPlain =
                record.operation == .update && !record.state.mayBeExecuted && record.isAlike(creation)
            guard isLast, isPlain, try canName(Set(queue.references(of: record.id)), in: creation),
                let following = try body(of: record, row)
            else {
                isLast = false
                continue
            }
            set(following, in: &merged, of: creation, row)
            try queue.remove(record.id)
        }
        set(payload, in: &merged, of: creation, row)
        try queueAgain(creation, as: merged, row)
        return isLast
    }

    /// Lays what is changed later over the body of a request.
    func set(_ later: EntityPayload, in body: inout EntityPayload, of record: QueueRecord, _ row: EntityRow) {
        body.set(later, of: row.table.set.type, in: offline.model, isUpdate: record.operation == .update)
    }

    /// Nil if it does not fit the metadata any more: nothing becomes part of such a request.
    private func body(of record: QueueRecord, _ row: EntityRow) throws -> EntityPayload? {
        try RequestLine.ifFit { try RequestLine.read(record.body ?? Data(), of: row.table.set, offline) }
    }

    private func queueAgain(_ record: QueueRecord, as payload: EntityPayload, _ row: EntityRow) throws {
        try queue.setBody(body(payload, of: row.table), of: record.id)
        try queue.setReferences(rows(namedBy: payload, in: record, of: row), of: record)
        for member in try queue.unit(of: record) where !member.state.mayBeExecuted {
            try queue.setState(.waiting, of: member.id)
        }
    }

    /// A request that was refused refers to what a later one makes: it moves behind that, unless others wait for it.
    private func queueAtEnd(_ refused: QueueRecord, as payload: EntityPayload, _ row: EntityRow) throws -> Bool {
        guard changeSet == nil, refused.changeSet == nil,
            try queue.records(naming: row.id).allSatisfy({ !$0.dependsOn.contains(refused.id) })
        else { return false }
        var record = refused
        record.id = 0
        record.repeatability = repeatability()
        record.body = body(payload, of: row.table)
        try queue.remove(refused.id)
        try enqueue(record, references: rows(namedBy: payload, in: record, of: row))
        return true
    }

    /// The rows that a request with the body `payload` refers to, its own not counted.
    func rows(namedBy payload: EntityPayload, in record: QueueRecord, of row: EntityRow) throws -> Set<Int64> {
        var rows = try references(of: row, naming: payload.properties.names)
        for reference in payload.bindings.flatMap(\.references) {
            if let other = try self.row(at: path(of: reference))?.id { rows.insert(other) }
        }
        rows.formUnion([record.parent?.row, record.target?.row].compactMap { $0 })
        return rows.subtracting([record.row])
    }
}

extension QueueRecord {
    /// Whether the request may become part of an earlier one: of the same change set, tag, category and headers.
    fileprivate func isAlike(_ earlier: QueueRecord) -> Bool {
        mayChange(unitOf: earlier) && tag == earlier.tag && category == earlier.category && headers == earlier.headers
    }

    /// Whether the earlier request is of the same change set, or of a deep insert that this one is about.
    func mayChange(unitOf earlier: QueueRecord) -> Bool {
        changeSet == earlier.changeSet || changeSet == nil && earlier.isPartOfDeepInsert
    }

    /// Whether both are sent as one request.
    fileprivate func isNested(with other: QueueRecord) -> Bool {
        isPartOfDeepInsert && changeSet == other.changeSet
    }
}
