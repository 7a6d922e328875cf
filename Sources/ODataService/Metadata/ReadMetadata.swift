import HTTPTypes
import ODataStores
import ODataTransport

/// `GET $metadata`: XML, or JSON where the client asks for it.
///
/// [OData-Protocol, section 11.1.2]
struct ReadMetadata: ImmediateHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        try call.metadata.document(try format(call), call.version).response(to: call)
    }

    func immediateResponse(to call: ServiceCall, from store: any ImmediateStore) throws -> ServiceResponse? {
        let document = call.metadata.keptDocument(try format(call), call.version)
        guard let document, store.isCurrent(call.model) else { return nil }
        return document.immediateResponse(to: call)
    }

    /// XML where the client likes both alike.
    private func format(_ call: ServiceCall) throws -> PublishedMetadata.Format {
        if let option = call.request.parts["$format"] {
            switch MediaType(ResponseFormat.mediaType(option))?.name {
            case "application/xml": return .xml
            case "application/json": return .json
            default: throw ServiceFailure(.notAcceptable, "$metadata is XML or JSON, not \(option).")
            }
        }
        guard let accept = call.headers[.accept], !accept.isEmpty, accept != "*/*" else { return .xml }
        let ranges = HeaderElement.list(accept).map(AcceptRange.init)
        let xml = weight(["application/xml": 3, "text/xml": 3, "application/*": 2, "text/*": 2, "*/*": 1], ranges)
        let json = weight(["application/json": 3, "application/*": 2, "*/*": 1], ranges)
        guard max(xml, json) > 0 else {
            throw ServiceFailure(.notAcceptable, "$metadata is application/xml or application/json.")
        }
        return xml >= json ? .xml : .json
    }

    /// The weight of the most specific range: a type precedes `application/*`, which precedes `*/*`.
    private func weight(_ precedence: [String: Int], _ ranges: [AcceptRange]) -> Double {
        let fitting = ranges.compactMap { range in
            precedence[range.element.value.lowercased()].map { (precedence: $0, weight: range.weight) }
        }
        return fitting.max { $0.precedence < $1.precedence }?.weight ?? 0
    }
}

enum ETag {
    /// Whether one of the tags of an `If-Match` or `If-None-Match` value is `etag`, by weak comparison.
    ///
    /// [RFC 9110, section 8.8.3.2]
    static func matches(_ header: String?, _ etag: String) -> Bool {
        header.map { EntityTagList($0).matches([etag]) } ?? false
    }
}
