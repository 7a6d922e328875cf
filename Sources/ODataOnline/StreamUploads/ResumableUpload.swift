import ByteStreams
import HTTPTypes
import ODataStores
import ODataTransport

/// Resumable uploads of HTTP.
///
/// ```
/// PUT /root/Photos(1)/$value        Upload-Complete: ?0   Upload-Length: 5000000   (empty)
/// 201                               Location: /root/$uploads/4f2c
/// PATCH /root/$uploads/4f2c         Upload-Complete: ?1   Upload-Offset: 0   Content-Type: application/partial-upload
/// HEAD /root/$uploads/4f2c          (after a cut)
/// 204                               Upload-Complete: ?0   Upload-Offset: 1234567
/// PATCH /root/$uploads/4f2c         Upload-Complete: ?1   Upload-Offset: 1234567
/// 204                               Upload-Complete: ?1   ETag: "2"
/// ```
///
/// The upload begins without bytes, for interim responses are not seen here, so that it has a place before anything can
/// be cut. The response to the last append is the response to the first request.
///
/// [draft-ietf-httpbis-resumable-upload-12]
struct ResumableUpload: UploadMethod {
    static let name = "resumable"
    private static let version = "\(UploadDraft.interopVersion)"

    let requests: UploadRequests

    init(store: OnlineStore) { requests = UploadRequests(store: store) }

    var name: String { Self.name }
    func begin(_ job: UploadJob) async throws -> UploadStep {
        var outgoing = try await requests.whole(job)
        outgoing.body = .empty
        outgoing.fields[.uploadDraftInteropVersion] = Self.version
        outgoing.fields[.uploadComplete] = "?0"
        outgoing.fields[.uploadLength] = "\(job.length)"
        if let digest = job.digest { outgoing.fields.setSHA256(digest, .reprDigest) }
        let successes = outgoing.accepted
        outgoing.accepted = UploadRequests.allResponses
        let response = try await requests.send(outgoing)
        guard successes.contains(response.status) else { return try await requests.notBegun(response, job) }
        let fields = response.head.headerFields
        guard let link = fields[.location], fields[.uploadComplete] != "?1", !fields.contains(.oDataEntityID) else {
            return await requests.takenForWhole(response, job, by: name)
        }
        var session = UploadSession(location: try requests.place(link, from: outgoing.url))
        let limits = UploadLimits(fields[.uploadLimit])
        session.partSize = limits["max-append-size"]
        if let limit = limits["max-size"], limit < job.length {
            try? await abort(session, of: job)
            throw ODataError(.tooLarge, "The service takes streams of at most \(limit) bytes; this has \(job.length).")
        }
        return .acknowledged(fields.integer(.uploadOffset) ?? 0, session)
    }

    func append(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, of job: UploadJob
    ) async throws -> UploadStep {
        let response = try await send(content, at: offset, isLast: isLast, to: session, job)
        let fields = response.head.headerFields
        if fields[.uploadComplete] == "?1" { return try await end(response, session, job) }
        switch response.status {
        case 200..<300 where isLast: return try await resume(session, of: job)
        case 200..<300:
            // Without a header of the method it may not be the service's.
            guard
                let reached = fields.integer(.uploadOffset)
                    ?? (fields.contains(.uploadComplete) ? offset + (content.length ?? 0) : nil)
            else { return try await resume(session, of: job) }
            return .acknowledged(reached, session)
        case 409:
            guard let offset = fields.integer(.uploadOffset) else { break }
            return .acknowledged(offset, session)
        case 404, 410: return .gone
        case 413:
            guard let limit = UploadLimits(fields[.uploadLimit])["max-append-size"], limit < content.length ?? 0 else {
                break
            }
            var session = session
            session.partSize = limit
            return .acknowledged(offset, session)
        default: break
        }
        throw await requests.failure(response)
    }

    private func send(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, _ job: UploadJob
    ) async throws -> OnlineResponse {
        var outgoing = try await request(.patch, to: session)
        outgoing.body = content
        outgoing.fields[.contentType] = "application/partial-upload"
        outgoing.fields[.uploadOffset] = "\(offset)"
        outgoing.fields[.uploadComplete] = isLast ? "?1" : "?0"
        return try await requests.send(outgoing, ending: isLast ? job : nil)
    }

    private func request(_ method: HTTPRequest.Method, to session: UploadSession) async throws -> OutgoingRequest {
        var outgoing = try await requests.request(method, to: session)
        outgoing.fields[.uploadDraftInteropVersion] = Self.version
        return outgoing
    }

    /// The request that the upload began with was carried out, or refused.
    private func end(_ response: OnlineResponse, _ session: UploadSession, _ job: UploadJob) async throws -> UploadStep
    {
        guard (200..<300).contains(response.status) else {
            let error = await requests.failure(response)
            if error.isOutcomeUnknown { throw error }
            return .refused(error)
        }
        return .executed(try await requests.result(of: response, job, at: session))
    }

    func resume(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        let response = try await requests.send(try await request(.head, to: session))
        let fields = response.head.headerFields
        switch response.status {
        case 200..<300 where fields[.uploadComplete] == "?1":
            return try await replay(at: fields.integer(.uploadOffset) ?? job.length, session, job)
        case 200..<300:
            guard let offset = fields.integer(.uploadOffset) else {
                throw response.invalid("The service does not report how much of an upload it has.")
            }
            return .acknowledged(offset, session)
        case 404, 410: return .gone
        default: throw await requests.failure(response)
        }
    }

    /// Asks for the last response once more. The draft lets a service refuse that; ours gives it.
    private func replay(at offset: Int64, _ session: UploadSession, _ job: UploadJob) async throws -> UploadStep {
        let response = try await send(.empty, at: offset, isLast: true, to: session, job)
        if response.head.headerFields[.uploadComplete] == "?1" { return try await end(response, session, job) }
        let error = await requests.failure(response)
        if error.isTransient || error.concernsAll { throw error }
        return .completed
    }

    func commit(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        try await append(.empty, at: job.length, isLast: true, to: session, of: job)
    }

    func abort(_ session: UploadSession, of job: UploadJob) async throws {
        let response = try await requests.send(try await request(.delete, to: session))
        guard (200..<300).contains(response.status) else { throw await requests.failure(response) }
    }
}

/// `Upload-Limit: max-size=1000000, max-append-size=5000`
///
/// [draft-ietf-httpbis-resumable-upload-12, section 4.1.4; RFC 9651, section 3.2]
struct UploadLimits {
    private let values: [String: Int64]

    init(_ text: String?) {
        let members = (text ?? "").split(separator: ",").compactMap { member -> (String, Int64)? in
            let sides = member.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.split(separator: "=")
            guard sides.count == 2, let value = Int64(sides[1]), value >= 0 else { return nil }
            return (String(sides[0]), value)
        }
        values = Dictionary(members, uniquingKeysWith: { _, last in last })
    }

    subscript(name: String) -> Int64? { values[name] }
}

extension HTTPFields {
    /// The value of a header that is an integer, none below zero.
    func integer(_ name: HTTPField.Name) -> Int64? {
        self[name].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
