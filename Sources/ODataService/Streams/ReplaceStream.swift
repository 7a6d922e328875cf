import HTTPTypes
import ODataStores

/// `PUT Photos(1)/$value`, `PUT Employees(1)/Photo`: the body goes on to the store as it arrives.
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
    /// The request's body as a stream.
    ///
    /// A part of a stream is refused: taken for the whole, it would replace the rest. [RFC 9110, section 14.5] So are bytes
    /// that do not have the digest that came with them, when they have been read.
    func mediaContent() throws -> MediaContent {
        try request.checkContentEncoding()
        guard headers[.contentRange] == nil else {
            throw ServiceFailure(.badRequest, "A stream is replaced as a whole: send it without Content-Range.")
        }
        let content = StreamDigests.checked(request.body, headers)
        return MediaContent(content, contentType: headers[.contentType] ?? "application/octet-stream")
    }
}
