import HTTPTypes

extension HTTPRequest {
    /// A request without a body that is sent ahead of this one: it says who asks, and nothing of the change.
    func asking(_ method: Method, url: AbsoluteURL? = nil) -> HTTPRequest {
        var request = self
        request.method = method
        if let url { request.absoluteURL = url }
        request.headerFields = HTTPFields(headerFields.filter { !Self.ofChange.contains($0.name) })
        request.headerFields[.accept] = "*/*"
        return request
    }

    /// Headers that belong to a body, a condition or a change.
    private static let ofChange: Set<HTTPField.Name> = [
        .accept, .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentDisposition, .contentID,
        .transferEncoding, .expect, .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        .prefer, .slug, .repeatabilityRequestID, .repeatabilityFirstSent, .methodOverride, .csrfToken,
    ]
}

extension TransportResponse {
    /// Reads the unused rest of a small body, so that its connection can be used again.
    func discard() async {
        guard let length = body.length, length <= 64 * 1024 else { return }
        _ = try? await body.collect(upTo: 64 * 1024)
    }
}
