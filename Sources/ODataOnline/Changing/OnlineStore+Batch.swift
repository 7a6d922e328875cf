import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Sends the change sets in one `$batch` request, which the service executes in their order.
    ///
    /// - Returns: For each set its results or its error. If the service refuses the batch as a whole, each has the
    ///   code ``ODataError/Code/batchRefused``; sets that it did not execute because it stops at the first
    ///   error have ``ODataError/Code/failedDependency``.
    ///
    /// [OData-Protocol, section 11.7; OData-JSON, section 19]
    public func batch(_ changeSets: [[ChangeRequest]]) async -> [Result<[ChangeResult], ODataError>] {
        guard changeSets.count > 1 else { return await sendAlone(changeSets) }
        let changeSets = changeSets.map(spared)
        return await sparing(changeSets, await sendTogether(changeSets))
    }

    private func sendTogether(_ changeSets: [[ChangeRequest]]) async -> [Result<[ChangeResult], ODataError>] {
        do {
            let metadata = try await metadata()
            let (sets, errors) = try await outgoing(changeSets, metadata)
            guard !sets.isEmpty else { return errors.compactMap { $0.map(Result.failure) } }
            var results = try await send(sets.map(\.set), metadata)[...]
            return errors.map { $0.map(Result.failure) ?? results.removeFirst() }
        } catch {
            let failure = ODataError(ofChange: error)
            return changeSets.map { _ in .failure(failure) }
        }
    }

    private func sendAlone(_ changeSets: [[ChangeRequest]]) async -> [Result<[ChangeResult], ODataError>] {
        guard let requests = changeSets.first else { return [] }
        do {
            return [.success(try await sendAlone(requests))]
        } catch {
            return [.failure(ODataError(ofChange: error))]
        }
    }

    func sendAlone(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        requests.count == 1 ? [try await change(requests[0])] : try await changeSet(requests)
    }

    /// The sets that can be sent, and at the places of the others why they cannot.
    private func outgoing(
        _ changeSets: [[ChangeRequest]], _ metadata: ServiceMetadata
    ) async throws -> (sets: [(place: Int, set: OutgoingChangeSet)], errors: [ODataError?]) {
        var batch = surroundings(changeSets.flatMap { $0 }, metadata)
        var used: Set<String> = []
        var sets: [(place: Int, set: OutgoingChangeSet)] = []
        var errors: [ODataError?] = Array(repeating: nil, count: changeSets.count)
        for (place, requests) in changeSets.enumerated() {
            do {
                for id in requests.compactMap(\.contentID) where !used.insert(id).inserted {
                    throw ODataError(.badRequest, "Two requests of the batch have the content id \(id).")
                }
                sets.append((place, try await OutgoingChangeSet(requests, number: place, in: &batch)))
            } catch let error as ODataError {
                errors[place] = error
            }
        }
        return (sets, errors)
    }

    private func send(
        _ sets: [OutgoingChangeSet], _ metadata: ServiceMetadata
    ) async throws -> [Result<[ChangeResult], ODataError>] {
        let request = OutgoingChangeSet.request(
            sets.flatMap(\.parts), to: service.address, dialect: metadata.dialect,
            encoding: configuration.batchEncoding)
        let response: OnlineResponse
        do { response = try await sendBatch(request) } catch let error as ODataError { throw error.ofWholeBatch }
        let batch = try await BatchResponse(response, limit: configuration.maxResponseBytes)
        let goesOn = response.head.headerFields.appliesPreference("continue-on-error")
        let responses = BatchItemResponses(batch.responses, to: sets, mayStop: batch.isWhole && !goesOn)
        var results: [Result<[ChangeResult], ODataError>] = []
        for (place, set) in sets.enumerated() {
            do {
                if let stop = responses.stop, place >= stop {
                    throw ODataError(.failedDependency, "Not executed, because an earlier request of the batch failed.")
                }
                results.append(
                    .success(try await self.results(of: set, in: responses.ofSets[place], batch: response, metadata))
                )
            } catch {
                results.append(.failure(ODataError(ofChange: error)))
            }
        }
        return results
    }
}

extension ODataError {
    /// What the error of the request for a batch means to each of its parts.
    fileprivate var ofWholeBatch: ODataError {
        var error = ofRefusedBatch
        if status != nil, error.code != .batchRefused, !concernsAll { error.isOutcomeUnknown = true }
        return error
    }

    /// A refusal of the request for a batch says nothing about its parts but that they were not executed this time.
    var ofRefusedBatch: ODataError {
        guard let status, !isOutcomeUnknown, !concernsAll, (400..<500).contains(status) || status == 501 else {
            return self
        }
        var error = ODataError(.batchRefused, "The service refused the batch as a whole: \(message)", cause: self)
        error.status = status
        error.service = service
        error.request = request
        return error
    }
}
