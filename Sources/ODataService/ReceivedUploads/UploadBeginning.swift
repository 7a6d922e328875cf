import HTTPTypes
import ODataStores
import ODataTransport

/// `POST Photos`, `PUT Photos(1)/$value`, `PUT Employees(1)/Photo` with `Upload-Complete`: an upload begins where the
/// whole stream would be sent.
///
/// [draft-ietf-httpbis-resumable-upload-12, section 4.2: Upload Creation]
struct UploadBeginning {
    let service: ODataService
    let request: ServiceRequest
    /// Whether the body is to be the whole stream.
    let isComplete: Bool

    /// Nil for a request that is executed as if it had no `Upload-Complete`: one whose client could not learn where to
    /// continue, or with a body that is not a stream.
    ///
    /// - Throws: 501 for a part of what must come whole: taken for the whole, it would replace it.
    func respond() async throws -> ServiceResponse? {
        guard !isComplete || tellsEarly && request.body.length != 0 else { return nil }
        guard let space = service.uploadSpace, mayBringStream, try await bringsStream(space) else {
            guard isComplete else {
                throw ServiceFailure(
                    .notImplemented, "Uploads to this resource cannot be continued: send the whole at once.")
            }
            return nil
        }
        let upload = try await begin(space)
        let resource = UploadResource(service: service, request: request, space: space, token: upload.token)
        let isTold = tellsEarly && request.body.length != 0
        if isTold { request.context.sendInterim?(early(upload, space)) }
        do {
            return try await resource.run(isComplete: isComplete, first: first(upload, space)) { $0 }
        } catch {
            // No client knows of the received bytes.
            if !isTold { try? await space.remove(upload) }
            throw error
        }
    }

    /// Whether the client accepts an interim response for the upload: it implements this version of the draft.
    private var tellsEarly: Bool {
        request.context.sendInterim != nil
            && UploadFields.integer(.uploadDraftInteropVersion, request.headers) == UploadDraft.interopVersion
    }

    /// Queries in bodies are read when they are bound.
    private var mayBringStream: Bool {
        (request.method == .post || request.method == .put) && !request.parts.path.hasSuffix("/$query")
    }

    /// Whether the body is a stream.
    ///
    /// - Throws: What the whole request would be refused with as things are.
    private func bringsStream(_ space: any UploadSpace) async throws -> Bool {
        var whole = request
        whole.headers[.uploadComplete] = nil
        let call = try await service.bind(whole)
        let route = try service.route(call)
        guard call.bringsStream(route.kind), let handler = route.action as? any ChangeHandler else { return false }
        let change = try await handler.change(for: call)
        try ChangeResponse(call: call, request: change).checkFormat()
        try await space.check(change)
        return true
    }

    private func begin(_ space: any UploadSpace) async throws -> IncomingUpload {
        let limits = service.configuration.limits
        let length = try UploadFields.length(of: request, isComplete: isComplete)
        try UploadResource.check(request, length: length, limits, space)
        let token = Self.token()
        let kept = KeptRequest(request, token: token, now: space.now)
        let upload = IncomingUpload(
            token: token, owner: request.context.user, request: try kept.bytes(), length: length,
            expires: space.now + limits.resumableUploadLifetime.components.seconds)
        switch try await space.begin(
            upload,
            limits: UploadSpaceLimits(uploadsPerOwner: limits.resumableUploads, size: limits.resumableUploadSize))
        {
        case .admitted: return upload
        case .tooMany:
            throw ServiceFailure(
                .tooManyRequests, "There are \(limits.resumableUploads) uploads already that wait to be continued.")
        case .noRoom: throw ODataError.noRoomForUploads
        }
    }

    /// `104 Upload Resumption Supported`
    private func early(_ upload: IncomingUpload, _ space: any UploadSpace) -> HTTPResponse {
        var headers = first(upload, space)
        headers[.uploadDraftInteropVersion] = "\(UploadDraft.interopVersion)"
        return HTTPResponse(
            status: .init(code: 104, reasonPhrase: "Upload Resumption Supported"), headerFields: headers)
    }

    /// The offset at which the upload continues.
    private func first(_ upload: IncomingUpload, _ space: any UploadSpace) -> HTTPFields {
        [
            .location: ServiceRoot(request.root).absolute(UploadRequest.prefix + upload.token),
            .uploadLimit: UploadFields.limits(service.configuration.limits, space),
        ]
    }

    /// A name that cannot be guessed.
    private static func token() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<3).map { _ in String(generator.next(), radix: 36) }.joined()
    }
}
