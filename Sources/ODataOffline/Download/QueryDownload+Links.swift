import ODataStores

/// Next and delta links.
extension QueryDownload {
    /// The number of attempts to read the page of a link.
    private static let linkTries = 3

    /// - Throws: ``DownloadStepError`` `endless` if the links form a cycle or do not end.
    mutating func follow(_ link: String) throws {
        do { try trail.follow(link) } catch {
            throw DownloadStepError.endless(
                ODataError(
                    .invalidResponse,
                    "The next links of the defining query \(record.definition.name) form a cycle or do not end. "
                        + ODataError(any: error).message, cause: error))
        }
    }

    /// The response to a request for a link, which is repeated a few times if the service fails.
    ///
    /// - Parameter failure: The error of the first attempt.
    func patientResponse(to request: ReadRequest, after failure: ODataError? = nil) async throws -> ReadResult {
        for attempt in (failure == nil ? 1 : 2)..<Self.linkTries {
            if attempt > 1 { try await store.configuration.pause(.milliseconds(200)) }
            do { return try await remote.read(request) } catch let error as ODataError where error.isOfServer {}
        }
        return try await remote.read(request)
    }

    /// Whether everything is to be read again after an error that the link may have caused. If the service also fails
    /// at the query's first page, or now responds to the link, the received pages are kept for the next download.
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
