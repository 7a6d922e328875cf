import MediaFiles
import ODataModel
import ODataQuery
import ODataStores

/// Changes of attachments at a service whose response may be that of a gateway on the way.
extension ODataStore {
    /// The same as ``change(_:)``, but a response that does not report the version, as others of the service do, is
    /// believed only where the service shows the change.
    ///
    /// - Throws: ``ODataError`` with an unknown outcome if it does not.
    func provenChange(_ request: ChangeRequest) async throws -> ChangeResult {
        try await proven(try await change(request), of: request)
    }

    /// The same of ``replaceStream(by:)``.
    func provenReplacement(by request: ChangeRequest) async throws -> ChangeResult {
        try await proven(try await replaceStream(by: request), of: request)
    }

    private func proven(_ result: ChangeResult, of request: ChangeRequest) async throws -> ChangeResult {
        guard let kind = result.unproven else { return result }
        guard try await shows(request) else {
            var error = ODataError(
                .invalidResponse,
                "The response to \(request.target.url) does not report the version, and the service does not show the change."
            )
            error.isOutcomeUnknown = true
            throw error
        }
        (self as? any LearningStore)?.noteExecuted(unproven: kind)
        return result
    }

    /// Whether the service has what the request makes of it.
    private func shows(_ request: ChangeRequest) async throws -> Bool {
        do {
            switch request.operation {
            case .delete: return try await !isThere(BoundQuery(path: request.target))
            case .update(let payload), .replace(let payload):
                let entity = try await entities(BoundQuery(path: request.target)).first
                return entity?.properties.has(payload.properties) ?? false
            case .replaceStream(let media):
                let read = StreamRequest(request.target)
                let there = try await readStream(read).requiringContent(of: read)
                return try await StoredMedia(reading: there.content) == StoredMedia(reading: media.content)
            case .deleteStream:
                return try await readStream(StreamRequest(request.target)).isNull
            default: return false
            }
        } catch {
            var failure = ODataError(any: error)
            if case .deleteStream = request.operation, [.notFound, .gone].contains(failure.code) { return true }
            failure.isOutcomeUnknown = true
            throw failure
        }
    }

    private func isThere(_ query: BoundQuery) async throws -> Bool {
        do { return try await !entities(query).isEmpty } catch let error as ODataError
            where error.code == .notFound || error.code == .gone
        { return false }
    }
}
