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
    func respond(to upload: IncomingUpload) async throws -> ServiceResponse {
        let kept = try KeptRequest(upload.request)
        let response = await service.respond(to: try kept.request(try space.content(of: upload), last: last))
        if response.head.status.code == 507 { try? await space.remove(upload) }
        guard response.head.status.kind != .serverError else { return response }
        let whole = await whole(response, hidesRepeatability: kept.hidesRepeatability)
        await keep(whole, of: upload)
        return whole.response
    }

    /// With its body in memory.
    private func whole(_ response: ServiceResponse, hidesRepeatability: Bool) async -> UploadResponse {
        var head = response.head
        head.headerFields[.uploadComplete] = "?1"
        if hidesRepeatability { head.headerFields[.repeatabilityResult] = nil }
        do {
            return UploadResponse(
                head, try await response.body.collect(upTo: service.configuration.limits.payloadSize))
        } catch {
            // The change was made, whatever can be shown of it.
            head.status = .noContent
            for name in [HTTPField.Name.contentType, .contentLength] { head.headerFields[name] = nil }
            return UploadResponse(head, [])
        }
    }

    private func keep(_ response: UploadResponse, of upload: IncomingUpload) async {
        do {
            let lifetime = service.configuration.limits.resumableUploadLifetime.components.seconds
            try await space.finish(upload, response: try response.bytes(), lifetime: lifetime)
        } catch {
            // A repeated end of the upload finds the change made, and gives the same response.
            service.configuration.logger.error(
                "The outcome of an upload could not be kept.", metadata: ["error": "\(error)"])
        }
    }
}
