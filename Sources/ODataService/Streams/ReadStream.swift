import ByteStreams
import HTTPTypes
import ODataQuery
import ODataStores
import ODataTransport

/// `GET Photos(1)/$value`, `GET Employees(1)/Photo`: the bytes as the store gives them, or ranges of them; 204 for a
/// property that is null, of V2 404 for its raw value.
///
/// [OData-Protocol, sections 11.2.3 and 11.4.8.2; MS-ODATA, section 2.2.6.4.1; RFC 9110, section 14]
struct ReadStream: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let ranges = wantedRanges(call)
        guard let (index, result) = try await firstRange(of: ranges, call: call) else { return try await whole(call) }
        if let empty = try withoutContent(result, call) { return empty }
        guard let bytes = part(result, range: ranges[index], call: call) else { return response(.ok, result, call) }
        let others = ranges[(index + 1)...]
        guard !others.isEmpty else { return single(bytes, result, call) }
        guard let total = result.totalLength, let etag = result.etag, !etag.hasPrefix("W/") else {
            return try await whole(call)
        }
        let parts = [bytes] + others.compactMap { $0.bytes(of: total) }
        guard !Self.overlap(parts) else { return try await whole(call) }
        return parts.count == 1 ? single(bytes, result, call) : try several(parts, result, total: total, call)
    }

    /// None for the whole stream: without `Range`, where `If-Range` has a date, which streams do not, and of HEAD.
    private func wantedRanges(_ call: ServiceCall) -> [RequestedRange] {
        guard call.request.method == .get else { return [] }
        if let condition = call.headers[.ifRange], !condition.contains("\"") { return [] }
        return RequestedRange.list(header: call.headers[.range])
    }

    /// The first of the ranges that the stream has bytes of; nil if there are no ranges.
    private func firstRange(
        of ranges: [RequestedRange], call: ServiceCall
    ) async throws -> (index: Int, result: StreamResult)? {
        var refusal: ODataError?
        for (index, range) in ranges.enumerated() {
            do { return (index, try await call.store.readStream(try request(call, range: range))) } catch let error
                as ODataError where error.code == .rangeNotSatisfiable
            { refusal = error }
        }
        if let refusal { throw refusal }
        return nil
    }

    private func whole(_ call: ServiceCall) async throws -> ServiceResponse {
        let result = try await call.store.readStream(try request(call, range: nil))
        return try withoutContent(result, call) ?? response(.ok, result, call)
    }

    /// The response to a result without content; nil of any other.
    private func withoutContent(_ result: StreamResult, _ call: ServiceCall) throws -> ServiceResponse? {
        guard !result.isNotModified else { return .notModified(etag: result.etag) }
        guard result.isNull else { return nil }
        let path = try call.query().path
        switch path.target {
        case .entity: throw ODataError.noStream(of: path.url)
        case .property where call.request.isV2:
            throw ODataError(.notFound, "\(path.url) is null: it has no raw value.")
        default: return ServiceResponse(.noContent)
        }
    }

    private func request(_ call: ServiceCall, range: RequestedRange?) throws -> StreamRequest {
        var request = StreamRequest(try call.query().path)
        request.scope = call.scope
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

    /// The range of the bytes, if it is the requested one, which may be all; nil for the whole stream.
    private func part(_ result: StreamResult, range: RequestedRange, call: ServiceCall) -> Range<Int64>? {
        guard let length = result.content.length, length > 0 else { return nil }
        let part = result.offset..<result.offset + length
        guard let total = result.totalLength else { return result.offset > 0 ? part : nil }
        if part != 0..<total { return part }
        if let condition = call.headers[.ifRange], condition != result.etag { return nil }
        switch range {
        case .from(let offset, _): return offset == 0 ? part : nil
        case .suffix(let suffix): return suffix >= total ? part : nil
        }
    }

    private static func overlap(_ parts: [Range<Int64>]) -> Bool {
        let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
        return zip(sorted, sorted.dropFirst()).contains { $0.upperBound > $1.lowerBound }
    }

    private func single(_ part: Range<Int64>, _ result: StreamResult, _ call: ServiceCall) -> ServiceResponse {
        var response = response(.partialContent, result, call)
        let total = result.totalLength.map { "\($0)" } ?? "*"
        response.head.headerFields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(total)"
        return response
    }

    /// The parts behind the first are opened one after another, each as long as the stream is the same: else the
    /// response is cut off.
    private func several(
        _ parts: [Range<Int64>], _ result: StreamResult, total: Int64, _ call: ServiceCall
    ) throws -> ServiceResponse {
        let ranges = MultipartRanges(parts, total: total, contentType: result.contentType ?? Self.unknownType)
        let (store, scope, path, etag) = (call.store, call.scope, try call.query().path, result.etag)
        var response = response(.partialContent, result, call)
        response.head.headerFields[.contentType] = ranges.mediaType
        response.body = ranges.content(first: result.content) { part in
            var request = StreamRequest(path)
            request.scope = scope
            request.offset = part.lowerBound
            request.count = part.upperBound - part.lowerBound
            request.ifMatch = etag
            let result = try await store.readStream(request)
            guard result.offset == part.lowerBound else {
                throw ByteStreamError(.changed, "The stream was changed while parts of it were read.")
            }
            return result.content
        }
        return response
    }

    private static let unknownType = "application/octet-stream"

    private func response(
        _ status: HTTPResponse.Status, _ result: StreamResult, _ call: ServiceCall
    ) -> ServiceResponse {
        let contentType = result.contentType ?? Self.unknownType
        var headers: HTTPFields = [.acceptRanges: "bytes"]
        headers.guardStoredContent(contentType, fileName: result.fileName)
        headers[.eTag] = result.etag
        if let digest = result.digest, StreamDigests.wantsSHA256(call.headers[.wantReprDigest]) {
            headers.setSHA256(digest, .reprDigest)
        }
        return ServiceResponse(
            status, headers: headers, contentType: contentType, body: result.content)
    }
}
