import ODataStores

/// Next and delta links that lead nowhere any more.
extension QueryDownload {
    /// How often a page behind a link is asked for where the service fails at it.
    private static let linkTries = 3

    /// The service's answer; where it fails at a link, that is tried a few times.
    ///
    /// - Parameter failure: What has come of the first time.
    mutating func patientAnswer(to request: ReadRequest, after failure: ODataError? = nil) async throws -> ReadResult {
        for attempt in (failure == nil ? 1 : 2)..<Self.linkTries where request.continuation != nil {
            if attempt > 1 { try await store.configuration.pause(.milliseconds(200)) }
            do { return try await countedAnswer(to: request) } catch let error as ODataError where error.isOfServer {}
        }
        return try await countedAnswer(to: request)
    }

    /// Whether an error says that a next or delta link is worth nothing any more. Services do not agree on how they
    /// refuse one that they do not know: SAP Gateway fails with 500. Changes that cannot be read are worth nothing
    /// either.
    func isLost(_ error: ODataError) -> Bool {
        guard let link = expansionLink ?? record.continuation else { return false }
        switch error.code {
        case .gone, .notFound: return true
        case .badRequest, .notImplemented: return isContinued || record.mode == .delta && link == record.delta
        case .invalidResponse: return record.mode == .delta
        default: return error.mayBeOfLink && (isContinued || record.mode == .delta)
        }
    }

    /// Whether all is to be read again after an error of ``isLost(_:)``: not where the service fails at the query's
    /// beginning too, or answers to the link now, since what has come is kept for the next download then.
    func isWorthReadingAnew(after error: ODataError) async throws -> Bool {
        guard error.mayBeOfLink else { return true }
        var request = ReadRequest(bound)
        request.maxPageSize = store.configuration.downloadPageSize
        do { _ = try await remote.read(request) } catch let error as ODataError {
            if error.code == .cancelled { throw error }
            return false
        }
        guard !error.isOfServer, let link = expansionLink ?? record.continuation else { return true }
        request.continuation = link
        do { _ = try await remote.read(request) } catch let error as ODataError {
            if error.code == .cancelled { throw error }
            return error.mayBeOfLink
        }
        return false
    }

    /// What the event and the report say of a read of the whole result.
    func reason(for error: ODataError) -> String {
        let isDelta = record.mode == .delta
        guard error.mayBeOfLink || isDelta && error.code == .invalidResponse else { return error.message }
        let link = isDelta ? "changes, which its delta link leads to," : "next page"
        return "The service's \(link) cannot be read: \(error.message)"
    }
}

extension ODataError {
    /// Whether the service, or a gateway before it, failed at the request itself.
    var isOfServer: Bool { status.map { (500..<600).contains($0) && $0 != 501 } ?? false }

    /// Whether a link may be why a request failed, though that does not say so: the service, or a gateway before it, failed
    /// or ended the connection, or refused the request for no reason that holds for all requests of the moment. Whether
    /// the same happens at the query's beginning tells.
    var mayBeOfLink: Bool {
        guard let status else { return code == .unreachable }
        return (400..<600).contains(status) && ![401, 407, 408, 425, 429, 501].contains(status)
    }
}
