import ODataQuery

extension ChangeRequest {
    /// What is sent after a service has demanded a condition (428) where none is known: that the stream property has no
    /// content yet. Content that it has after all is not written over. Only then: a service that demands no condition need
    /// not know this one.
    ///
    /// ```
    /// PUT Employees(1)/Photo
    /// If-None-Match: *
    /// ```
    ///
    /// [RFC 6585, section 3; RFC 9110, section 13.1.2]
    ///
    /// - Returns: Nil after another error, and of a request that has a condition or replaces no stream property.
    package func ofFirstContent(after error: any Error) -> ChangeRequest? {
        (error as? ODataError)?.code == .preconditionRequired ? asFirstContent : nil
    }

    /// On the condition that the stream property has no content yet. Nil of a request that has a condition or replaces
    /// no stream property.
    package var asFirstContent: ChangeRequest? {
        guard ifMatch == nil, ifNoneMatch == nil, case .replaceStream = operation,
            case .stream = target.resource.target
        else { return nil }
        var first = self
        first.ifNoneMatch = "*"
        return first
    }
}

extension ODataStore {
    /// Replaces a stream without a known ETag also at a service that demands a condition: see
    /// ``ChangeRequest/ofFirstContent(after:)``.
    ///
    /// - Parameter request: Its content can be read many times.
    /// - Throws: ``ODataError``; `preconditionFailed` if the stream has unexpected content.
    package func replaceStream(by request: ChangeRequest) async throws -> ChangeResult {
        do { return try await change(request) } catch {
            guard let first = request.ofFirstContent(after: error) else { throw error }
            return try await change(first)
        }
    }
}
