import ByteStreams
import HTTPTypes
import ODataStores
import ODataTransport

/// Carries out the request that an upload has begun with, with the whole stream as its body.
///
/// [draft-ietf-httpbis-resumable-upload-12, section 4.4.2]
struct UploadCommit {
    let service: ODataService
    /// The request that has brought the end of the stream.
    let last: ServiceRequest
    let space: any UploadSpace

    /// The response to that request, kept so that it can be given again. A failure of the service is not kept: the
    /// stream stays, incomplete as before, and another empty append tries again; but if there is no space, it is
    /// removed.
    func answer(_ upload: IncomingUpload) async throws -> ServiceResponse {
        let kept = try KeptRequest(upload.request)
        let answer = await service.respond(to: try kept.request(try space.content(of: upload), last: last))
        if answer.response.status.code == 507 { try? await space.remove(upload) }
        guard answer.response.status.kind != .serverError else { return answer }
        let whole = await whole(answer, hidesRepeatability: kept.hidesRepeatability)
        await keep(whole, of: upload)
        return whole.response
    }

    /// With its body in memory.
    private func whole(_ answer: ServiceResponse, hidesRepeatability: Bool) async -> UploadResponse {
        var response = answer.response
        response.headerFields[.uploadComplete] = "?1"
        if hidesRepeatability { response.headerFields[.repeatabilityResult] = nil }
        do {
            return UploadResponse(
                response, try await answer.body.collect(upTo: service.configuration.limits.payloadSize))
        } catch {
            // The change was made, whatever can be shown of it.
            response.status = .noContent
            for name in [HTTPField.Name.contentType, .contentLength] { response.headerFields[name] = nil }
            return UploadResponse(response, [])
        }
    }

    private func keep(_ answer: UploadResponse, of upload: IncomingUpload) async {
        do {
            let lifetime = service.configuration.limits.resumableUploadLifetime.components.seconds
            try await space.finish(upload, answer: try answer.bytes(), lifetime: lifetime)
        } catch {
            // A repeated end of the upload finds the change made, and gives the same answer.
            service.configuration.logger.error(
                "The outcome of an upload could not be kept.", metadata: ["error": "\(error)"])
        }
    }
}
