import ODataStores

/// Next and delta links.
extension QueryDownload {
    /// How often a page behind a link is asked for where the service fails at it.
    private static let linkTries = 3

    /// - Throws: ``DownloadObstacle`` `endless` where the links form a cycle, or do not end.
    mutating func follow(_ link: String) throws {
        do { try trail.follow(link) } catch {
            throw DownloadObstacle.endless(
                ODataError(
                    .invalidResponse,
                    "The pages of the defining query \(record.definition.name) go round in a circle, or come to no end. "
                        + ODataError(any: error).message, cause: error))
        }
    }

    /// The response to a request for what is behind a link; where the service fails at it, that is tried a few times.
    ///
    /// - Parameter failure: What has come of the first time.
    func patientResponse(to request: ReadRequest, after failure: ODataError? = nil) async throws -> ReadResult {
        for attempt in (failure == nil ? 1 : 2)..<Self.linkTries {
            if attempt > 1 { try await store.configuration.pause(.milliseconds(200)) }
            do { return try await remote.read(request) } catch let error as ODataError where error.isOfServer {}
        }
        return try await remote.read(request)
    }

    /// Whether all is to be read again after an error that may be a link's: not where the service fails at the query's
    /// beginning too, or answers to the link now, since what has come is kept for the next download then.
    func isWorthReadingAnew(after error: ODataError) async throws -> Bool {
        var request = ReadRequest(bound)
        request.maxPageSize = store.configuration.downloadPageSize
        guard try await self.error(of: request) == nil else { return false }
        guard !error.isOfServer, let link = machine.expansionLink ?? record.continuation else { return true }
        request.continuation = link
        return try await self.error(of: request)?.mayBeOfLink ?? false
    }

    private func error(of request: ReadRequest) async throws -> ODataError? {
        do { _ = try await remote.read(request) } catch let error as ODataError {
            if error.code == .cancelled { throw error }
            return error
        }
        return nil
    }
}
