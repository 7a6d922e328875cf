import ByteStreams
import HTTPTypes
import ODataStores
import ODataTransport

/// `$uploads/4f2c…`: the resource of one upload.
///
/// [draft-ietf-httpbis-resumable-upload-12, sections 4.3 to 4.6]
struct UploadResource: Sendable {
    private static let methods: [HTTPRequest.Method] = [.head, .patch, .delete, .options]
    static let missing = ServiceFailure(.notFound, "There is no such upload, or not any more.")

    let service: ODataService
    let request: ServiceRequest
    let space: any UploadSpace
    let token: String

    private var limits: ServiceLimits { service.configuration.limits }

    func respond() async throws -> ServiceResponse {
        switch request.method {
        case .head: try await state()
        case .patch: try await append()
        case .delete: try await cancel()
        case .options:
            try completed(
                .noContent,
                [
                    .allow: Self.methods.map(\.rawValue).joined(separator: ", "),
                    .acceptPatch: UploadFields.partialUpload,
                ])
        default: throw ServiceFailure.methodNotAllowed(request.method, allowed: Self.methods)
        }
    }

    /// - Throws: 404 also for an upload of another user.
    private func upload() async throws -> IncomingUpload {
        guard let upload = try await space.upload(token), upload.owner == request.context.user else {
            throw Self.missing
        }
        return upload
    }

    /// `HEAD`: how much has come. Of an upload that is whole, what became of it as far as headers report.
    private func state() async throws -> ServiceResponse {
        _ = try await upload()
        return try await service.uploadSessions.run(token) {
            try await upload()
        } then: { upload in
            var headers: HTTPFields = [
                .uploadOffset: "\(upload.offset)", .uploadComplete: upload.response == nil ? "?0" : "?1",
                .uploadLimit: UploadFields.limits(limits, space, age: upload.expires - space.now),
                .cacheControl: "no-store",
            ]
            headers[.uploadLength] = upload.length.map { "\($0)" }
            if let response = try upload.response.map({ try UploadResponse($0) }) {
                for name in [HTTPField.Name.eTag, .oDataEntityID] { headers[name] = response.headers[name] }
            }
            return try completed(.noContent, headers)
        }
    }

    /// `DELETE`: the client cancels it.
    private func cancel() async throws -> ServiceResponse {
        _ = try await upload()
        return try await service.uploadSessions.run(token) {
            try await upload()
        } then: { upload in
            try await space.remove(upload)
            return try completed(.noContent)
        }
    }

    /// `PATCH`: the bytes from an offset.
    private func append() async throws -> ServiceResponse {
        try request.checkContentEncoding()
        guard MediaType(request.headers[.contentType])?.name == UploadFields.partialUpload else {
            throw ServiceFailure(
                .unsupportedMediaType, "The body must be \(UploadFields.partialUpload).",
                headers: [.acceptPatch: UploadFields.partialUpload])
        }
        guard let isComplete = UploadFields.isComplete(request.headers),
            let offset = UploadFields.integer(.uploadOffset, request.headers)
        else {
            throw ServiceFailure(
                .badRequest, "A part of a stream requires Upload-Offset and Upload-Complete: ?0 or ?1.")
        }
        _ = try await upload()
        return try await run(isComplete: isComplete) { upload in
            guard offset == upload.offset else {
                throw UploadProblem.mismatchingOffset(expected: upload.offset, provided: offset)
            }
            return upload
        }
    }

    /// Takes in the body of the request, and carries out what the upload has begun with if that was the end. An upload
    /// that ends in 507 is over.
    ///
    /// - Parameters:
    ///   - first: What the response to the request that the upload begins with reports; nil for a later one.
    ///   - check: Looks at the upload as it is when the request has its turn.
    func run(
        isComplete: Bool, first: HTTPFields? = nil,
        _ check: @escaping @Sendable (IncomingUpload) throws -> IncomingUpload
    ) async throws -> ServiceResponse {
        try await service.uploadSessions.run(token) {
            let found = try check(try await upload())
            guard found.response == nil else { return try replayed(found, isComplete: isComplete) }
            do { return try await receive(found, isComplete: isComplete) } catch let error as ODataError
                where error.code == .storage
            {
                // The room it has is what others, and the service, are short of.
                try? await space.remove(found)
                throw error
            }
        } then: { upload in
            if let response = upload.response { return try UploadResponse(response).response }
            guard !isComplete else {
                return try await UploadCommit(service: service, last: request, space: space).respond(to: upload)
            }
            var headers = first ?? [:]
            headers[.uploadOffset] = "\(upload.offset)"
            headers[.uploadComplete] = "?0"
            return try completed(first == nil ? .noContent : .created, headers)
        }
    }

    /// To the end of an upload that has been used already the response is given again, for the client may have missed
    /// it.
    private func replayed(_ upload: IncomingUpload, isComplete: Bool) throws -> IncomingUpload {
        guard request.body.length == 0 else { throw UploadProblem.inconsistentLength }
        guard isComplete else { throw UploadProblem.completed }
        return upload
    }

    private func receive(_ upload: IncomingUpload, isComplete: Bool) async throws -> IncomingUpload {
        // An upload whose length is known has its space reserved.
        let hasRoom = upload.length != nil
        var upload = upload
        upload.length = try UploadFields.length(
            of: request, isComplete: isComplete, known: upload.length, offset: upload.offset)
        try Self.check(request, length: upload.length, limits, space)
        upload = try await appended(to: upload, hasRoom: hasRoom)
        guard isComplete, let length = upload.length, length != upload.offset else { return upload }
        throw UploadProblem.inconsistentLength
    }

    private func appended(to upload: IncomingUpload, hasRoom: Bool) async throws -> IncomingUpload {
        // Of this body, whatever of the stream it is.
        var digest = HTTPFields()
        digest[.contentDigest] = request.headers[.contentDigest]
        let bound = try await bounds(of: upload, hasRoom: hasRoom).min { $0.end < $1.end }
        let allowed = UploadAppendLimits(
            length: bound?.end ?? .max, size: hasRoom ? nil : limits.resumableUploadSize,
            lifetime: limits.resumableUploadLifetime.components.seconds)
        do {
            return try await space.append(StreamDigests.checked(request.body, digest), to: upload, limits: allowed)
        } catch let error as ODataError where error.code == .tooLarge {
            // What is longer than it was to be cannot become anything any more.
            if bound?.refusal is UploadProblem { try await space.remove(upload) }
            throw bound?.refusal ?? error
        } catch let error as ODataError where error.code == .cancelled {
            throw ServiceFailure(.conflict, "A newer request to the upload has ended this one.")
        }
    }

    /// How long the upload may get by this request, and what is said of more.
    private func bounds(
        of upload: IncomingUpload, hasRoom: Bool
    ) async throws -> [(end: Int64, refusal: any Error)] {
        var bounds: [(end: Int64, refusal: any Error)] = []
        if let size = limits.resumableAppendSize {
            bounds.append((Self.sum(upload.offset, size), Self.tooMuch(size, limits, space)))
        }
        if let length = upload.length {
            bounds.append((length, UploadProblem.inconsistentLength))
        } else if let length = space.maximalLength {
            bounds.append((length, Self.tooLong(length, limits, space)))
        }
        guard !hasRoom else { return bounds }
        let room = max(0, limits.resumableUploadSize - (try await space.reservedSize()))
        if let length = upload.length, length - upload.offset > room { throw ODataError.noRoomForUploads }
        bounds.append((Self.sum(upload.offset, room), ODataError.noRoomForUploads))
        return bounds
    }

    private static func sum(_ offset: Int64, _ size: Int64) -> Int64 {
        let (sum, overflows) = offset.addingReportingOverflow(size)
        return overflows ? .max : sum
    }

    private func completed(_ status: HTTPResponse.Status, _ headers: HTTPFields = [:]) throws -> ServiceResponse {
        service.complete(
            ServiceResponse(status, headers: headers), to: request.method, version: try service.version(of: request))
    }

    /// Refuses what is known to be too long, before anything is read.
    static func check(
        _ request: ServiceRequest, length: Int64?, _ limits: ServiceLimits, _ space: any UploadSpace
    ) throws {
        if let length, let limit = space.maximalLength, length > limit { throw tooLong(limit, limits, space) }
        if let limit = limits.resumableAppendSize, let length = request.body.length, length > limit {
            throw tooMuch(limit, limits, space)
        }
    }

    private static func tooLong(
        _ limit: Int64, _ limits: ServiceLimits, _ space: any UploadSpace
    ) -> ServiceFailure {
        tooLarge("A stream can have at most \(limit) bytes.", limits, space)
    }

    private static func tooMuch(
        _ limit: Int64, _ limits: ServiceLimits, _ space: any UploadSpace
    ) -> ServiceFailure {
        tooLarge("One request can bring at most \(limit) bytes of an upload.", limits, space)
    }

    private static func tooLarge(
        _ message: String, _ limits: ServiceLimits, _ space: any UploadSpace
    ) -> ServiceFailure {
        ServiceFailure(.contentTooLarge, message, headers: [.uploadLimit: UploadFields.limits(limits, space)])
    }
}
