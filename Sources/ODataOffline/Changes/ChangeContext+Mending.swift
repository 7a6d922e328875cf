import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// An update becomes part of a request of the same entity that was not sent yet, or repairs one that failed.
extension ChangeContext {
    /// - Parameters:
    ///   - record: The request of the update, were it to be sent by itself.
    ///   - references: The rows made here that the entity refers to now.
    /// - Returns: Whether the update needs no request of its own.
    func combine(
        _ payload: EntityPayload, with row: EntityRow, as record: QueueRecord, references: Set<Int64>
    ) throws -> Bool {
        let waiting = try queue.records(changing: row.id)
        if payload.bindings.isEmpty, let creation = waiting.first, creation.operation == .create,
            creation.state == .failed
        {
            return try mend(
                creation, followedBy: Array(waiting.dropFirst()), with: payload, of: row, references: references)
        }
        guard let last = waiting.last, last.operation.hasPayload else { return false }
        let mends = payload.bindings.isEmpty && last.state == .failed
        guard try mends || combines(record, with: last, references: references) else { return false }
        var merged = try body(of: last, row)
        merged.set(payload)
        try queueAgain(last, as: merged, row)
        return true
    }

    /// Whether a later request may become part of an earlier one of the same entity. Nothing may come between them
    /// that waits for the earlier one or that the later one waits for.
    func combines(_ later: QueueRecord, with earlier: QueueRecord, references: Set<Int64> = []) throws -> Bool {
        guard later.combines, earlier.combines, [.waiting, .held].contains(earlier.state),
            earlier.changeSet == later.changeSet,
            earlier.tag == later.tag, earlier.category == later.category, earlier.headers == later.headers,
            try queue.records(naming: earlier.row).allSatisfy({ $0.row == earlier.row || $0.id < earlier.id })
        else { return false }
        let known = try Set(queue.references(of: earlier.id))
        return try references.subtracting(known).allSatisfy { row in
            try queue.records(changing: row).allSatisfy { $0.id < earlier.id || !$0.operation.isCreation }
        }
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
            let isPlain =
                record.operation == .update && record.state != .unconfirmed && record.state != .sending
                && update.bindings.isEmpty
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
    /// A later binding of a relation to one entity takes the place of an earlier one.
    mutating func set(_ other: EntityPayload) {
        for member in other.properties.members { properties[member.name] = member.value }
        let names = Set(other.bindings.map(\.navigation))
        bindings.removeAll { names.contains($0.navigation) }
        bindings += other.bindings
    }
}
