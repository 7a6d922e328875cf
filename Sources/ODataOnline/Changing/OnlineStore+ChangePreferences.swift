import ODataModel
import ODataQuery
import ODataStores

/// Preferences that a service refuses instead of passing them over, as it should: they are left out from then on. So is
/// `If-Match: *`, by which an update makes no entity where there is none.
///
/// [RFC 7240, section 2; OData-Protocol, sections 8.2.8 and 11.4.4]
extension OnlineStore {
    /// Does `send` with the requests; if that is refused, once more without preferences that the service has not taken in
    /// that set before. Where that is not refused, requests to the set are sent without them from then on.
    ///
    /// - Throws: What the second attempt throws, where there is one.
    func sparing<Result>(
        _ requests: [ChangeRequest], _ send: ([ChangeRequest]) async throws -> Result
    ) async throws -> Result {
        let requests = spared(requests)
        do {
            let result = try await send(requests)
            noteTaken(by: requests)
            return result
        } catch let error as ODataError {
            let suspects = suspects(in: requests, after: error)
            guard !suspects.isEmpty else { throw error }
            return try await sendAgain(requests, without: suspects, after: error, send)
        }
    }

    /// The service has executed the requests as they are.
    func noteTaken(by requests: [ChangeRequest]) {
        for extra in requests.flatMap(\.extras) { service.traits.noteTaken(extra) }
    }

    /// The preferences that may be why the service has refused the requests.
    func suspects(in requests: [ChangeRequest], after error: ODataError) -> Set<LearnedTraits.Refusal> {
        guard error.mayRefusePreference(of: requests) else { return [] }
        return Set(requests.flatMap(\.extras).filter { !service.traits.isTaken($0) })
    }

    /// Sends the requests without the preferences first, then without `If-Match: *`: only where all the entities are
    /// there, since the service may have refused it because one is not.
    func sendAgain<Result>(
        _ requests: [ChangeRequest], without suspects: Set<LearnedTraits.Refusal>, after error: ODataError,
        _ send: ([ChangeRequest]) async throws -> Result
    ) async throws -> Result {
        var error = error
        let preferences = suspects.filter { !$0.isIfMatch }
        if !preferences.isEmpty {
            do { return try await sendOnce(requests, without: preferences, after: error, send) } catch let second
                as ODataError where suspects.count > preferences.count && second.mayRefusePreference(of: requests)
            { error = second }
        }
        guard suspects.count > preferences.count else { throw error }
        for request in requests where request.mustExist {
            guard await isThere(request.target) else { throw error }
        }
        return try await sendOnce(requests, without: suspects, after: error, send)
    }

    /// Whether the service shows the entity; false also where it cannot be read.
    private func isThere(_ entity: ResourcePath) async -> Bool {
        guard case .entities(let rows)? = try? await read(ReadRequest(BoundQuery(path: entity))).body else {
            return false
        }
        return (try? await rows.next())?.rows.isEmpty == false
    }

    private func sendOnce<Result>(
        _ requests: [ChangeRequest], without suspects: Set<LearnedTraits.Refusal>, after error: ODataError,
        _ send: ([ChangeRequest]) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await send(requests.map { $0.without(suspects.contains) })
            for preference in suspects { service.traits.noteRefused(preference) }
            return result
        } catch var second as ODataError {
            // A fault may come after the change: then it has another ETag.
            if error.status == 500, second.code == .preconditionFailed { second.isOutcomeUnknown = true }
            throw second
        }
    }
}

extension OnlineStore {
    /// The results of change sets that were sent together, after those that may have been refused for a preference were
    /// sent again.
    func sparing(
        _ changeSets: [[ChangeRequest]], _ results: [Result<[ChangeResult], ODataError>]
    ) async -> [Result<[ChangeResult], ODataError>] {
        var results = results
        for (requests, result) in zip(changeSets, results) { if case .success = result { noteTaken(by: requests) } }
        for (place, requests) in changeSets.enumerated() {
            guard case .failure(let error) = results[place] else { continue }
            let suspects = suspects(in: requests, after: error)
            guard !suspects.isEmpty else { continue }
            do {
                results[place] = .success(
                    try await sendAgain(requests, without: suspects, after: error) { try await sendAlone($0) })
            } catch {
                results[place] = .failure(ODataError(ofChange: error))
            }
        }
        return results
    }

    /// The requests without what is left out of those to their sets.
    func spared(_ requests: [ChangeRequest]) -> [ChangeRequest] {
        requests.map { $0.without(service.traits.isRefused) }
    }

    /// Sends a batch, once more without `continue-on-error` if the service refuses it, and may do so because of that.
    func sendBatch(_ request: OutgoingRequest) async throws -> OnlineResponse {
        let preference = LearnedTraits.Refusal("continue-on-error", of: "$batch")
        guard !request.dialect.isLegacy, !service.traits.isRefused(preference) else {
            return try await service.send(request)
        }
        var preferring = request
        preferring.fields.prefer("odata.continue-on-error")
        do {
            let response = try await service.send(preferring)
            service.traits.noteTaken(preference)
            return response
        } catch let error as ODataError
            where error.mayRefuseExtra(isConditional: false) && !service.traits.isTaken(preference)
        {
            return try await sendBatch(request, without: preference)
        }
    }

    private func sendBatch(
        _ request: OutgoingRequest, without preference: LearnedTraits.Refusal
    ) async throws -> OnlineResponse {
        do {
            let response = try await service.send(request)
            service.traits.noteRefused(preference)
            return response
        } catch let error as ODataError where error.mayRefuseExtra(isConditional: false) {
            // Batches are refused for another reason: the next one is not sent twice.
            service.traits.noteTaken(preference)
            throw error
        }
    }
}

extension ChangeRequest {
    /// The preference that it is sent with, and where.
    fileprivate var preference: LearnedTraits.Refusal? {
        guard returnPreference != nil else { return nil }
        return LearnedTraits.Refusal("return", of: target.preferenceResource)
    }

    private var condition: LearnedTraits.Refusal? {
        mustExist ? LearnedTraits.Refusal("if-match", of: target.preferenceResource) : nil
    }

    /// What the service need not know.
    fileprivate var extras: [LearnedTraits.Refusal] { [preference, condition].compactMap(\.self) }

    fileprivate func without(_ isLeftOut: (LearnedTraits.Refusal) -> Bool) -> ChangeRequest {
        var request = self
        if let preference, isLeftOut(preference) { request.returnPreference = nil }
        if let condition, isLeftOut(condition) { request.allowsCreate = true }
        return request
    }

    /// Whether it changes an entity and would make one if there were none.
    var mustExist: Bool {
        guard ifMatch == nil, ifNoneMatch == nil, !allowsCreate, target.target == .entity,
            case .key? = target.segments.last
        else { return false }
        switch operation {
        case .update, .replace: return true
        default: return false
        }
    }

    /// Whether a second execution makes it no other than the first.
    fileprivate var isIdempotent: Bool {
        switch operation {
        case .update, .replace, .setValue, .setRawValue: ifNoneMatch == nil
        default: false
        }
    }
}

extension LearnedTraits.Refusal {
    fileprivate var isIfMatch: Bool { preference == "if-match" }
}

extension ODataError {
    /// Whether the service may have refused the requests for a preference, and they can be sent again: it has surely
    /// executed nothing, or executes them twice without harm.
    fileprivate func mayRefusePreference(of requests: [ChangeRequest]) -> Bool {
        if status == 500 {
            return !isOutcomeUnknown && code != .batchRefused
                && (namesPreference || requests.allSatisfy(\.isIdempotent))
        }
        return mayRefuseExtra(isConditional: requests.contains { $0.ifMatch != nil || $0.ifNoneMatch != nil })
    }

    private var namesPreference: Bool {
        let text = message.lowercased()
        return text.contains("prefer") && !text.contains("preferred") || text.contains("return=")
    }
}
