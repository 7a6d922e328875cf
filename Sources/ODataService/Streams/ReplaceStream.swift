import HTTPTypes
import ODataStores

/// `PUT Photos(1)/$value`, `PUT Employees(1)/Photo`: the body is passed to the store as it arrives.
///
/// [OData-Protocol, section 11.4.7.2]
struct ReplaceStream: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        try call.changeRequest(try call.query().path, .replaceStream(call.mediaContent()))
    }
}

/// `DELETE Photos(1)/$value`, `DELETE Employees(1)/Photo`
///
/// [OData-Protocol, section 11.4.7.3]
struct DeleteStream: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        try call.changeRequest(try call.query().path, .deleteStream)
    }
}

extension ServiceCall {
    /// - Throws: 400 for a `Content-Type` that is not a media type: it would be sent to every reader of the stream.
    func checkContentType() throws {
        guard let text = headers[.contentType], !MediaTypeSyntax.isWellFormed(text) else { return }
        throw ServiceFailure(
            .badRequest, "The Content-Type “\(text)” is not a media type such as image/png.", target: "Content-Type")
    }

    /// The request's body as a stream.
    ///
    /// A part of a stream is refused: taken for the whole, it would replace the rest. [RFC 9110, section 14.5] So are bytes
    /// that do not have the digest that was sent with them, when they have been read.
    func mediaContent() throws -> MediaContent {
        try request.checkContentEncoding()
        guard headers[.contentRange] == nil else {
            throw ServiceFailure(.badRequest, "A stream is replaced as a whole: send it without Content-Range.")
        }
        try checkContentType()
        let content = StreamDigests.checked(request.body, headers)
        return MediaContent(content, contentType: headers[.contentType] ?? "application/octet-stream")
    }
}
