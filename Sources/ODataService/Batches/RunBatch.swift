import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataStores
import ODataTransport

/// `POST $batch`, multipart or JSON.
///
/// [OData-Protocol, section 11.7; OData-JSON, section 19, of errors section 19.4]
struct RunBatch: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        guard call.request.batch == nil else {
            throw ServiceFailure(.badRequest, "A batch cannot be inside a batch.")
        }
        guard !call.headers.asksForRepeatability else {
            throw ServiceFailure(
                .notImplemented, "Repeatable requests are supported for the requests inside a batch, not for the batch."
            )
        }
        let format = try format(call)
        let parts = try Batch.readRequests(try await body(call), format: format)
        try check(parts, call: call)
        let responseFormat = try responseFormat(format, call: call)
        // Without the preference a multipart batch stops at the first error, a JSON batch continues.
        let goesOn = call.preferences.continuesOnError ?? (format == .json)
        var runner = BatchRunner(call: call, isMultipart: responseFormat != .json, stops: !goesOn)
        let responses = try await runner.run(parts)
        let (contentType, bytes) = Batch.writeResponses(responses, format: responseFormat)
        var headers = HTTPFields()
        headers[.preferenceApplied] = call.preferences.applied(["continue-on-error"])
        // V2 says that the batch was accepted, whatever became of its requests.
        let status: HTTPResponse.Status = call.request.isV2 ? .accepted : .ok
        return ServiceResponse(status, headers: headers, contentType: contentType, body: ByteContent(bytes))
    }

    private func format(_ call: ServiceCall) throws -> BatchFormat {
        try call.request.checkContentEncoding()
        let type = MediaType(call.headers[.contentType])
        switch type?.name {
        case "application/json": return .json
        case "multipart/mixed":
            guard let boundary = type?.element["boundary"], !boundary.isEmpty else {
                throw ServiceFailure(.badRequest, "A multipart batch needs a boundary in its Content-Type.")
            }
            return .multipart(boundary: boundary)
        default:
            throw ServiceFailure(.unsupportedMediaType, "A batch is multipart/mixed or application/json.")
        }
    }

    private func body(_ call: ServiceCall) async throws -> [UInt8] {
        let limit = call.service.configuration.limits.batchSize
        if let length = call.request.body.length, length > limit {
            throw ServiceFailure(.contentTooLarge, "The batch is longer than the limit of \(limit) bytes.")
        }
        return try await call.request.body.collect(upTo: limit)
    }

    private func check(_ parts: [BatchPart], call: ServiceCall) throws {
        let limit = call.service.configuration.limits.batchRequests
        guard parts.count <= limit else {
            throw ServiceFailure(.badRequest, "The batch has \(parts.count) requests; the limit is \(limit).")
        }
        var known: Set<String> = []
        for part in parts {
            if let missing = part.dependsOn.first(where: { !known.contains($0) && $0 != part.atomicityGroup }) {
                throw ServiceFailure(.badRequest, "A request depends on \(missing), which is not before it.")
            }
            if let id = part.id { known.insert(id) }
            if let group = part.atomicityGroup { known.insert(group) }
        }
    }

    /// The format of the request, unless the client accepts the other one only.
    private func responseFormat(_ format: BatchFormat, call: ServiceCall) throws -> BatchFormat {
        var generator = SystemRandomNumberGenerator()
        let multipart = BatchFormat.multipart(boundary: "batchresponse_\(EdmGuid.random(using: &generator))")
        let usual = format == .json ? .json : multipart
        guard let accept = call.headers[.accept], !accept.isEmpty else { return usual }
        let ranges = HeaderElement.list(accept).map(AcceptRange.init).filter { $0.weight > 0 }
        let names = Set(ranges.map { $0.element.value.lowercased() })
        let takesJSON = !names.isDisjoint(with: ["application/json", "application/*", "*/*"])
        let takesMultipart = !names.isDisjoint(with: ["multipart/mixed", "multipart/*", "*/*"])
        switch (takesJSON, takesMultipart) {
        case (true, true), (false, false): return usual
        case (true, false): return .json
        case (false, true): return multipart
        }
    }
}
