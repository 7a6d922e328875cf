import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Determines from the service's state whether a request with a lost response was executed.
struct Probe {
    /// The maximum number of entities that are listed to find one.
    static let most = 1000
    /// The maximum number of streams that are read to find one.
    static let mostStreams = 10

    let remote: any ODataStore
    let offline: OfflineModel
    let database: StoreDatabase

    /// What the service's state shows.
    enum Finding {
        /// The state after the request. It is not a proof if other clients may have produced it as well.
        case executed(ChangeResult, isProof: Bool)
        /// Not the state after the request. It is not a proof if other clients may have changed it since.
        case notExecuted(isProof: Bool)
        /// The state is inconclusive, or there are entities that the request may have created.
        case nothing([EdmEntity])
    }

    /// The entity in the state of the service; nil if it cannot be read.
    func entity(at path: ResourcePath) async -> EdmEntity? {
        try? await remote.entities(BoundQuery(path: path)).first
    }

    /// - Throws: ``ODataError``, or the error of reading a stream, if the service cannot be queried.
    func finding(on request: ChangeRequest, of record: QueueRecord) async throws -> Finding {
        switch request.operation {
        case .replace(let payload) where request.ifNoneMatch != nil:
            return try await finding(onCreationOf: payload, at: request.target, record)
        case .update(let payload), .replace(let payload):
            return try await finding(onUpdate: payload, request, record)
        case .create(let payload): return try await finding(onCreationOf: payload, request, record)
        case .delete:
            guard try await found(request.target) == nil else { return .notExecuted(isProof: true) }
            return .executed(ChangeResult(.deleted), isProof: false)
        case .addReference(let reference):
            return try await finding(onLinkTo: reference, at: request.target, isAdded: true)
        case .removeReference(let reference):
            return try await finding(onLinkTo: reference, at: request.target, isAdded: false)
        case .replaceStream: return try await finding(onContentOf: request, record)
        case .createMedia:
            guard let set = request.target.entitySet else { return .nothing([]) }
            return try await finding(onMediaCreationIn: set, request.target, record)
        case .deleteStream, .setValue, .setRawValue, .call, .insertValue: return .nothing([])
        }
    }

    private func finding(onContentOf request: ChangeRequest, _ record: QueueRecord) async throws -> Finding {
        do {
            let stream = try await stream(
                at: request.target, has: record.digest, length: try await length(of: record.digest),
                before: request.ifMatch)
            return stream.isSame
                ? .executed(ChangeResult(.updated, etag: stream.etag), isProof: false) : .notExecuted(isProof: false)
        } catch let error as ODataError where error.code == .notFound && record.property != nil {
            // A stream property without content: its first upload was not executed.
            return .notExecuted(isProof: false)
        }
    }

    private func finding(
        onUpdate payload: EntityPayload, _ request: ChangeRequest, _ record: QueueRecord
    ) async throws -> Finding {
        guard let entity = try await found(request.target) else { return .notExecuted(isProof: false) }
        let isUnchanged = request.ifMatch != nil && request.ifMatch == entity.etag
        if !Self.has(entity, payload) {
            guard try await isKeptOtherwise(payload, entity, request, record) else {
                return .notExecuted(isProof: isUnchanged)
            }
        }
        switch try await isBound(payload, at: request.target) {
        case true?:
            // An ETag need not depend on the changed properties: the values may be the old or the new ones.
            guard !isUnchanged else { return .nothing([]) }
            let result = ChangeResult(.updated, entity: entity, path: request.target, etag: entity.etag)
            return .executed(result, isProof: false)
        case false?: return .notExecuted(isProof: false)
        case nil: return .nothing([])
        }
    }

    /// Probes a creation whose key was sent. The service may spell the key of the entity differently.
    private func finding(
        onCreationOf payload: EntityPayload, at path: ResourcePath, _ record: QueueRecord
    ) async throws -> Finding {
        guard let set = path.entitySet else { return .nothing([]) }
        guard let entity = try await found(path) else {
            return try await finding(onLackOf: payload, in: set, record)
        }
        let values = payload.withoutKey(of: set.type)
        let isAlike = Self.has(entity, values) || entity.properties.isAlike(values.properties)
        guard isAlike, try await isBound(payload, at: path) != false else { return .notExecuted(isProof: false) }
        let own = entity.key.map { ResourcePath(set, key: $0) } ?? path
        return .executed(ChangeResult(.created, entity: entity, path: own, etag: entity.etag), isProof: true)
    }

    /// The service does not have an entity with the key that was sent: it may store texts and decimals in another form,
    /// and not find them under the form that was sent.
    private func finding(
        onLackOf payload: EntityPayload, in set: EdmEntitySet, _ record: QueueRecord
    ) async throws -> Finding {
        let isSpelled = set.type.keyProperties.contains { [.string, .primitive(.decimal)].contains($0.type) }
        guard isSpelled, let key = EntityKey(of: set.type, in: payload.properties) else {
            return .notExecuted(isProof: true)
        }
        guard
            let alike = try await alike(
                EntityPayload(EdmComplexValue(key.components)), in: set, ResourcePath(set), record)
        else { return .nothing([]) }
        return alike.isEmpty ? .notExecuted(isProof: true) : .nothing(alike)
    }

    private func finding(
        onCreationOf payload: EntityPayload, _ request: ChangeRequest, _ record: QueueRecord
    ) async throws -> Finding {
        guard let set = request.target.entitySet else { return .nothing([]) }
        if let key = EntityKey(of: set.type, in: payload.properties) {
            return try await finding(onCreationOf: payload, at: ResourcePath(set, key: key), record)
        }
        guard let candidates = try await candidates(payload, in: set, request.target, record) else {
            return .nothing([])
        }
        guard let entity = candidates.first else {
            let lookalikes = try await lookalikes(payload, in: set, request.target, record)
            guard lookalikes.isEmpty else { return .nothing(lookalikes) }
            guard let alike = try await alike(payload, in: set, request.target, record) else { return .nothing([]) }
            guard alike.isEmpty else { return .nothing(alike) }
            guard let new = try await newcomers(payload, in: set, request.target, record) else { return .nothing([]) }
            return new.isEmpty ? .notExecuted(isProof: true) : .nothing(new)
        }
        guard candidates.count == 1, Self.has(entity, payload),
            let path = try await path(of: entity, madeBy: request, record)
        else { return .nothing(candidates) }
        return .executed(ChangeResult(.created, entity: entity, path: path, etag: entity.etag), isProof: true)
    }

    /// The path of an entity that a creation may have made; nil if the entity existed before, or has other links.
    func path(of entity: EdmEntity, madeBy request: ChangeRequest, _ record: QueueRecord) async throws -> ResourcePath?
    {
        guard case .create(let payload) = request.operation, let set = request.target.entitySet, let key = entity.key,
            try await isNew(key, in: set, record)
        else { return nil }
        let path = ResourcePath(set, key: key)
        return try await isBound(payload, at: path) == false ? nil : path
    }

    /// `$ref`: whether the path leads to the entity.
    private func finding(
        onLinkTo reference: EntityReference?, at path: ResourcePath, isAdded: Bool
    ) async throws -> Finding {
        guard let isThere = try await isLinked(reference, at: path) else { return .nothing([]) }
        return isThere == isAdded
            ? .executed(ChangeResult(.updated), isProof: false) : .notExecuted(isProof: false)
    }

    func found(_ path: ResourcePath) async throws -> EdmEntity? {
        do { return try await remote.entities(BoundQuery(path: path)).first } catch let error as ODataError
            where error.code == .notFound || error.code == .gone
        { return nil }
    }

    /// In complex values only the members that were sent are compared: the others may have had their values before.
    static func has(_ entity: EdmEntity, _ payload: EntityPayload) -> Bool { entity.properties.has(payload.properties) }

    /// The result of a request that was sent again and refused, if the state of the service shows that the first
    /// attempt was executed.
    ///
    /// - Throws: ``ODataError`` if the service cannot be queried now.
    func confirm(_ request: ChangeRequest, of record: QueueRecord, _ error: ODataError) async throws -> ChangeResult? {
        // The outcome that the refusal itself implies, if the state cannot be read.
        var believed: ChangeResult?
        switch (request.operation, error.code) {
        // The state shows whether the first attempt was executed, whatever the reason of the refusal is.
        case (.update, _), (.replace, _), (.delete, _), (.replaceStream, _): break
        case (.create(let payload), .conflict):
            guard let set = request.target.entitySet, EntityKey(of: set.type, in: payload.properties) != nil else {
                return nil
            }
        case (.addReference, .conflict), (.removeReference, .notFound):
            // The reason of the refusal may be another one than an earlier execution.
            believed = ChangeResult(.updated)
        case (.addReference, _), (.removeReference, _): break
        case (.deleteStream, .notFound): return ChangeResult(.deleted)
        case _ where error.tellsNothingOfRequest: break
        default: return nil
        }
        do {
            switch try await finding(on: request, of: record) {
            case .executed(let result, _): return result
            case .notExecuted: return nil
            case .nothing: return believed
            }
        } catch {
            let failure = ODataError(any: error)
            if failure.endsUpload || failure.isNoResponse { throw failure }
            return believed
        }
    }
}

extension ChangeRequest {
    /// Whether a second execution is harmless: a second deletion finds no entity, a second reference is refused, and a
    /// stream replaces the one that its ETag names, and not a newer one.
    var isSafelyRepeated: Bool {
        switch operation {
        case .delete, .addReference, .removeReference, .deleteStream, .setValue, .setRawValue: true
        case .replaceStream: ifMatch != nil
        case .create, .createMedia, .update, .replace, .call, .insertValue: false
        }
    }
}
