import ByteStreams
import HTTPTypes

/// `GET $metadata`: XML.
///
/// [OData-Protocol, section 11.1.2]
struct ReadMetadata: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        try checkFormat(call)
        let document = call.metadata.document(call.version)
        if ETag.matches(call.headers[.ifNoneMatch], document.etag) { return .notModified(etag: document.etag) }
        return ServiceResponse(
            .ok, headers: [.eTag: document.etag], contentType: "application/xml", body: ByteContent(document.xml))
    }

    private func checkFormat(_ call: ServiceCall) throws {
        if let format = call.request.parts["$format"]?.lowercased() {
            guard format == "xml" || MediaType(format)?.name == "application/xml" else {
                throw ServiceFailure(.notAcceptable, "$metadata comes as application/xml, not as \(format).")
            }
            return
        }
        guard let accept = call.headers[.accept] else { return }
        let ranges = HeaderElement.list(accept).filter { AcceptRange($0).weight > 0 }.map { $0.value.lowercased() }
        let known: Set<String> = ["application/xml", "text/xml", "application/*", "*/*"]
        guard ranges.isEmpty || ranges.contains(where: known.contains) else {
            throw ServiceFailure(.notAcceptable, "$metadata comes as application/xml only.")
        }
    }
}

enum ETag {
    /// Whether one of the tags of an `If-Match` or `If-None-Match` value is `etag`, by weak comparison.
    ///
    /// [RFC 9110, section 8.8.3.2]
    static func matches(_ header: String?, _ etag: String) -> Bool {
        guard let header else { return false }
        return HeaderElement.list(header).contains { $0.value == "*" || opaque($0.value) == opaque(etag) }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
