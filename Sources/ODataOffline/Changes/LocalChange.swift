import Foundation
import GRDB
import MediaFiles
import ODataFormats
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// A change whose stream, if it has one, lies in the media folder already.
struct LocalChange {
    var request: ChangeRequest
    var media: StoredMedia?
    /// Properties for the entity of a new media stream, sent as a second request.
    var properties: EntityPayload?
    var options = RequestOptions()
}

/// What a local change led to, before the transaction is over.
struct LocalOutcome {
    var outcome: ChangeResult.Outcome
    var row: EntityRow?
    var path: ResourcePath?
    var entity: EdmEntity?
    var etag: String?
}

extension ChangeContext {
    /// Makes the change visible to readers and puts its requests into the queue.
    ///
    /// - Throws: ``ODataError``; the transaction must then be given up.
    func apply(_ change: LocalChange) throws -> LocalOutcome {
        let request = change.request
        let target = request.target.resource
        if target.operationSegment == nil { try checkChangeable(offline.table(at: target), at: target) }
        switch request.operation {
        case .create(let payload):
            return try created(create(payload, at: target, headers: request.headers), request)
        case .createMedia(let content, let slug):
            let row = try createMedia(
                change.media, type: content.contentType, slug: slug, properties: change.properties, at: target,
                headers: request.headers)
            return try created(row, request)
        case .update(let payload): return try updated(update(payload, at: target, request, replacing: false), request)
        case .replace(let payload): return try updated(update(payload, at: target, request, replacing: true), request)
        case .delete: return try deleted(at: target, request)
        case .setValue(let value): return try updated(setValue(value, at: target, request), request)
        case .setRawValue(let bytes, _): return try updated(setRawValue(bytes, at: target, request), request)
        case .insertValue:
            throw ODataError(.notImplemented, "Members of \(target.url) cannot be inserted one by one; set the whole.")
        case .addReference(let reference):
            return try updated(addReference(reference, at: target, headers: request.headers), request)
        case .removeReference(let reference):
            return try updated(removeReference(reference, at: target, headers: request.headers), request)
        case .replaceStream(let content):
            return try updated(replaceStream(change.media, type: content.contentType, at: target, request), request)
        case .deleteStream: return try deletedStream(at: target, request)
        case .call(let arguments):
            let row = try call(arguments, at: target, request)
            return LocalOutcome(outcome: .called, row: row, path: try row.map(path))
        }
    }

    private func created(_ row: EntityRow, _ request: ChangeRequest) throws -> LocalOutcome {
        let path = try path(of: row)
        let entity = request.returnPreference == .minimal ? nil : try entity(of: row)
        return LocalOutcome(outcome: .created, row: row, path: path, entity: entity)
    }

    private func updated(_ row: EntityRow, _ request: ChangeRequest) throws -> LocalOutcome {
        let path = try path(of: row)
        guard request.returnPreference != .minimal else {
            return LocalOutcome(outcome: .updated, row: row, path: path, etag: try etag(of: row))
        }
        let entity = try entity(of: row)
        return LocalOutcome(outcome: .updated, row: row, path: path, entity: entity, etag: entity?.etag)
    }

    private func entity(of row: EntityRow) throws -> EdmEntity? {
        try offline.executor.entity(of: row.table.set, row: row.id, in: db).map(TemporaryKeys(db: db).hiding)
    }

    private func deleted(at target: ResourcePath, _ request: ChangeRequest) throws -> LocalOutcome {
        switch target.target {
        case .property: return try updated(setValue(.null, at: target, request), request)
        case .stream: return try deletedStream(at: target, request)
        default: break
        }
        if let error = offline.errorID(at: target) {
            _ = try ErrorRepair(context: self).undo(error, force: false)
            return LocalOutcome(outcome: .deleted, path: target)
        }
        let row = try row(at: target)
        guard row.table.set.kind != .singleton else { throw ODataError.singletonDeletion }
        try checkConditions(of: request, row)
        let path = try path(of: row)
        try delete(row, headers: request.headers)
        return LocalOutcome(outcome: .deleted, path: path)
    }

    private func deletedStream(at target: ResourcePath, _ request: ChangeRequest) throws -> LocalOutcome {
        guard case .stream(let property) = target.target else { return try deleted(at: target, request) }
        let row = try deleteStream(property.name, at: target, headers: request.headers)
        return LocalOutcome(outcome: .deleted, path: try path(of: row))
    }

    private func etag(of row: EntityRow) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT \"$etag\" FROM \(row.table.sqlName) WHERE \"$id\" = ?"), arguments: [row.id]
        )
    }

    /// `If-Match` and `If-None-Match` of the app's own, against the version here.
    func checkConditions(of request: ChangeRequest, _ row: EntityRow) throws {
        let condition = Precondition(request)
        if !condition.isEmpty { try condition.check([try etag(of: row) ?? "*"]) }
    }

    func body(_ payload: EntityPayload, of table: LocalTable) -> Data {
        Data(JSONPayload.bytes(payload, type: table.set.type, model: offline.model))
    }
}
