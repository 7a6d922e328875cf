import ByteStreams
import Foundation
import HTTPTypes
import ODataStores
import ODataTransport

/// tus, where the change is carried out when the last byte has come.
///
/// ```
/// POST /files            Tus-Resumable: 1.0.0   Upload-Length: 5000000   Upload-Metadata: filetype aW1hZ2UvcG5n
/// 201                    Location: /files/4f2c
/// PATCH /files/4f2c      Tus-Resumable: 1.0.0   Upload-Offset: 0   Content-Type: application/offset+octet-stream
/// 204                    Upload-Offset: 5000000
/// ```
///
/// [tus resumable upload protocol 1.0.0: Core Protocol, Creation, Termination]
struct TusUpload: UploadMethod {
    static let name = "tus"

    let requests: UploadRequests
    let endpoint: String?

    init(store: OnlineStore, endpoint: String?) {
        requests = UploadRequests(store: store)
        self.endpoint = endpoint
    }

    var name: String { Self.name }
    func begin(_ job: UploadJob) async throws -> UploadStep {
        let whole = try await requests.whole(job)
        let address = requests.store.service.address
        let url = try endpoint.map { try address.uploadLink($0, from: address.root) } ?? whole.url
        var outgoing = try await requests.request(.post, url)
        outgoing.body = .empty
        outgoing.fields[.tusResumable] = "1.0.0"
        outgoing.fields[.uploadLength] = "\(job.length)"
        outgoing.fields[.uploadMetadata] = metadata(of: job)
        outgoing.fields[.ifMatch] = job.request.ifMatch
        outgoing.fields[.ifNoneMatch] = job.request.ifNoneMatch
        let response = try await requests.send(outgoing)
        if response.status == 412, response.head.headerFields.contains(.tusVersion) { return .unsupported }
        guard (200..<300).contains(response.status) else { return try await requests.notBegun(response, job) }
        guard response.status == 201, isTus(response), let link = response.head.headerFields[.location] else {
            guard url == whole.url else { throw response.invalid("The service created no upload of tus 1.0.") }
            return await requests.takenForWhole(response, job, by: name)
        }
        return .acknowledged(0, UploadSession(location: try requests.place(link, from: url)))
    }

    private func metadata(of job: UploadJob) -> String {
        var pairs = [("path", job.request.target.url), ("filetype", job.media.contentType)]
        if case .createMedia(_, let slug) = job.request.operation, let name = slug?.fileName {
            pairs.append(("filename", name))
        }
        return pairs.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
    }

    private func isTus(_ response: OnlineResponse) -> Bool { response.head.headerFields.contains(.tusResumable) }

    func append(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, of job: UploadJob
    ) async throws -> UploadStep {
        var outgoing = try await requests.request(.patch, to: session)
        outgoing.body = content
        outgoing.fields[.tusResumable] = "1.0.0"
        outgoing.fields[.contentType] = "application/offset+octet-stream"
        outgoing.fields[.uploadOffset] = "\(offset)"
        let response = try await requests.send(outgoing, ending: isLast ? job : nil)
        switch response.status {
        case 200, 204:
            guard let reached = response.head.headerFields.integer(.uploadOffset) else {
                return try await resume(session, of: job)
            }
            guard reached == job.length else { return .acknowledged(reached, session) }
            return .executed(try await requests.result(of: response, job, at: session))
        case 409: return try await resume(session, of: job)
        case 404, 410: return .gone
        default: throw await requests.failure(response)
        }
    }

    func resume(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        var outgoing = try await requests.request(.head, to: session)
        outgoing.fields[.tusResumable] = "1.0.0"
        let response = try await requests.send(outgoing)
        switch response.status {
        case 200, 204:
            guard let offset = response.head.headerFields.integer(.uploadOffset) else {
                throw response.invalid("The service does not report how much of an upload it has.")
            }
            guard offset == job.length else { return .acknowledged(offset, session) }
            if case .replaceStream = job.request.operation { return .executed(ChangeResult(.updated)) }
            return .completed
        case 404, 410: return .gone
        default: throw await requests.failure(response)
        }
    }

    func abort(_ session: UploadSession, of job: UploadJob) async throws {
        var outgoing = try await requests.request(.delete, to: session)
        outgoing.fields[.tusResumable] = "1.0.0"
        let response = try await requests.send(outgoing)
        guard (200..<300).contains(response.status) else { throw await requests.failure(response) }
    }
}
