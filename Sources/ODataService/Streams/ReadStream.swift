import ByteStreams
import HTTPTypes
import ODataQuery
import ODataStores

/// `GET Photos(1)/$value`, `GET Employees(1)/Photo`: the bytes as the store gives them, or a range of them.
///
/// [OData-Protocol, section 11.2.3; RFC 9110, section 14]
struct ReadStream: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let range = try wantedRange(call)
        let request = try request(call, range: range)
        let result = try await call.store.readStream(request)
        guard !result.isNotModified else { return .notModified(etag: result.etag) }
        return response(result, isPartial: isPartial(result, range: range, request: request))
    }

    /// Nil for the whole stream: without `Range`, and where `If-Range` has a date, which streams do not.
    private func wantedRange(_ call: ServiceCall) throws -> RequestedRange? {
        if let condition = call.headers[.ifRange], !condition.contains("\"") { return nil }
        return RequestedRange(header: call.headers[.range])
    }

    private func request(_ call: ServiceCall, range: RequestedRange?) throws -> StreamRequest {
        var request = StreamRequest(try call.query().path)
        request.ifMatch = call.headers[.ifMatch]
        request.ifNoneMatch = call.headers[.ifNoneMatch]
        switch range {
        case .from(let offset, let count):
            request.offset = offset
            request.count = count
        case .suffix(let length): request.suffixLength = length
        case nil: return request
        }
        request.ifRange = call.headers[.ifRange]
        return request
    }

    /// Whether what came is the range that was asked for, which may be all bytes there are.
    private func isPartial(_ result: StreamResult, range: RequestedRange?, request: StreamRequest) -> Bool {
        guard let range, let total = result.totalLength, let length = result.content.length, length > 0 else {
            return false
        }
        if result.offset > 0 || length < total { return true }
        if let condition = request.ifRange, condition != result.etag { return false }
        switch range {
        case .from(let offset, _): return offset == 0
        case .suffix(let suffix): return suffix >= total
        }
    }

    private func response(_ result: StreamResult, isPartial: Bool) -> ServiceResponse {
        var headers: HTTPFields = [.acceptRanges: "bytes", .xContentTypeOptions: "nosniff"]
        headers[.eTag] = result.etag
        if isPartial, let total = result.totalLength, let length = result.content.length {
            headers[.contentRange] = "bytes \(result.offset)-\(result.offset + length - 1)/\(total)"
        }
        return ServiceResponse(
            isPartial ? .partialContent : .ok, headers: headers,
            contentType: result.contentType ?? "application/octet-stream", body: result.content)
    }
}
