import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// An update of an entity whose request failed repairs that request, so that it can be sent again.
extension ChangeContext {
    /// - Parameter references: The rows made here that the entity refers to now.
    /// - Returns: Whether the update needs no request of its own.
    func combine(_ payload: EntityPayload, with row: EntityRow, references: Set<Int64>) throws -> Bool {
        guard payload.bindings.isEmpty else { return false }
        let waiting = try queue.records(changing: row.id)
        if let creation = waiting.first, creation.operation == .create, creation.state == .failed {
            return try mend(
                creation, followedBy: Array(waiting.dropFirst()), with: payload, of: row, references: references)
        }
        guard let last = waiting.last, last.state == .failed, last.operation.hasPayload else { return false }
        var merged = try body(of: last, row)
        merged.set(payload)
        try queueAgain(last, as: merged, row)
        return true
    }

    /// The updates that wait behind a creation go into it: they could not be sent before it.
    private func mend(
        _ creation: QueueRecord, followedBy later: [QueueRecord], with payload: EntityPayload, of row: EntityRow,
        references: Set<Int64>
    ) throws -> Bool {
        let named = try Set(queue.references(of: creation.id))
        // What is made by a later request cannot be named by this one.
        guard references.isSubset(of: named) else { return false }
        var merged = try body(of: creation, row)
        var isLast = true
        for record in later where record.operation.hasPayload {
            let update = try body(of: record, row)
            let isPlain = record.operation == .update && record.state != .unconfirmed && update.bindings.isEmpty
            guard isLast, isPlain, try named.isSuperset(of: queue.references(of: record.id)) else {
                isLast = false
                continue
            }
            merged.set(update)
            try queue.remove(record.id)
        }
        merged.set(payload)
        try queueAgain(creation, as: merged, row)
        return isLast
    }

    private func body(of record: QueueRecord, _ row: EntityRow) throws -> EntityPayload {
        try RequestLine.read(record.body ?? Data(), of: row.table.set, offline)
    }

    private func queueAgain(_ record: QueueRecord, as payload: EntityPayload, _ row: EntityRow) throws {
        try queue.setBody(body(payload, of: row.table), of: record.id)
        try queue.setState(.waiting, of: record.id)
    }
}

extension EntityPayload {
    fileprivate mutating func set(_ other: EntityPayload) {
        for member in other.properties.members { properties[member.name] = member.value }
    }
}
