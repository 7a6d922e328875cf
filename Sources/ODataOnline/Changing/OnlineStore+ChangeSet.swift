import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Sends all changes in one change set of a `$batch` request: all of them happen, or none.
    ///
    /// Media are sent from memory here, up to ``Configuration/maxResponseBytes`` in all.
    ///
    /// [OData-Protocol, section 11.7.4; OData-JSON, section 19]
    public func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        guard !requests.isEmpty else { return [] }
        let metadata = try await metadata()
        return try await sparing(requests) { try await changeSet($0, metadata) }
    }

    private func changeSet(_ requests: [ChangeRequest], _ metadata: ServiceMetadata) async throws -> [ChangeResult] {
        var batch = surroundings(requests, metadata)
        let set = try await OutgoingChangeSet(requests, number: 0, in: &batch)
        let request = OutgoingChangeSet.request(
            set.parts, to: service.address, dialect: metadata.dialect, encoding: configuration.batchEncoding)
        let response: OnlineResponse
        do { response = try await service.send(request) } catch let error as ODataError { throw error.ofRefusedBatch }
        let responses = try await BatchResponse(response, limit: configuration.maxResponseBytes).responses
        return try await results(of: set, in: responses, batch: response, metadata)
    }

    func surroundings(_ requests: [ChangeRequest], _ metadata: ServiceMetadata) -> OutgoingChangeSet.Surroundings {
        OutgoingChangeSet.Surroundings(
            metadata: metadata, address: service.address, editLinks: service.editLinks,
            bytesLeft: configuration.maxResponseBytes,
            ids: Set(requests.compactMap(\.contentID)))
    }

    /// What the responses to a set say.
    ///
    /// - Throws: ``ODataError`` of the change that failed; with an unknown outcome if a response is missing.
    func results(
        of set: OutgoingChangeSet, in responses: [BatchItemResponse], batch: OnlineResponse, _ metadata: ServiceMetadata
    ) async throws -> [ChangeResult] {
        if let failure = set.failure(in: responses, batch: batch) { throw failure }
        let isTrusted =
            !tellsVersions(batch) || batch.head.headerFields.tellsVersion
            || responses.contains { HTTPFields(passing: $0.headers).tellsVersion }
        var results: [ChangeResult] = []
        for (index, request) in set.requests.enumerated() {
            guard let response = set.response(to: index, in: responses) else {
                throw batch.invalid("The service responded to \(responses.count) of the \(set.requests.count) changes.")
            }
            guard response.status != 202 else {
                throw batch.invalid("The service returned 202 to a change of a batch: what became of it is not known.")
            }
            let change = OnlineChangeResponse(
                status: response.status, fields: HTTPFields(passing: response.headers), body: response.body,
                dialect: metadata.dialect)
            var result = await change.result(of: request, model: metadata.model, address: service.address)
            take(&result, metadata.dialect, metadata.model)
            if let error = change.error(beside: result) { throw batch.contradictory(error) }
            guard await isOwn(change, result, of: request, isTrusted, metadata.model) else {
                throw batch.unexpected(beginning: response.body)
            }
            results.append(result)
        }
        return results
    }

    /// Whether a part of a batch is the service's.
    ///
    /// - Parameter isTrusted: Whether the whole response is: then a part without content needs no proof of its own.
    private func isOwn(
        _ response: OnlineChangeResponse, _ result: ChangeResult, of request: ChangeRequest, _ isTrusted: Bool,
        _ model: EdmModel
    ) async -> Bool {
        if response.isProof(of: request, model: model, address: service.address) { return true }
        guard isTrusted else { return false }
        return response.body.isEmpty ? true : await response.isPlausible(result, of: request, model: model)
    }
}
