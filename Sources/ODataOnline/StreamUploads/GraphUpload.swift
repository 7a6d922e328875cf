import ByteStreams
import Foundation
import HTTPTypes
import ODataStores
import ODataTransport

/// An upload session of Microsoft Graph. Its place is a URL that needs no other secret, and receives none.
///
/// ```
/// POST /v1.0/drives/1/items/2/createUploadSession
/// 200  {"uploadUrl":"https://up.example.org/4f2c","nextExpectedRanges":["0-"]}
/// PUT https://up.example.org/4f2c   Content-Range: bytes 0-10485759/20000000
/// 202  {"nextExpectedRanges":["10485760-"]}
/// PUT https://up.example.org/4f2c   Content-Range: bytes 10485760-19999999/20000000
/// 200  {"id":"2",…}
/// ```
struct GraphUpload: UploadMethod {
    static let name = "graph"
    /// The service takes multiples of 320 KiB.
    private static let partSize: Int64 = 32 * 320 * 1024
    private static let maxResponseBytes = 1024 * 1024

    private struct State: Decodable {
        var uploadUrl: String?
        var nextExpectedRanges: [String]?
    }

    let requests: UploadRequests

    init(store: OnlineStore) { requests = UploadRequests(store: store) }

    var name: String { Self.name }
    func begin(_ job: UploadJob) async throws -> UploadStep {
        let whole = try await requests.whole(job).url
        let path = whole.path
        guard let slash = path.lastIndex(of: "/") else {
            throw ODataError(.badRequest, "The stream \(whole) belongs to no item.")
        }
        var outgoing = try await requests.request(.post, whole.with(target: "\(path[...slash])createUploadSession"))
        outgoing.body = ByteContent(Array(#"{"item":{"@microsoft.graph.conflictBehavior":"replace"}}"#.utf8))
        outgoing.fields[.contentType] = "application/json"
        outgoing.fields[.accept] = "application/json"
        outgoing.fields[.ifMatch] = job.request.ifMatch
        outgoing.fields[.ifNoneMatch] = job.request.ifNoneMatch
        let response = try await requests.send(outgoing)
        guard (200..<300).contains(response.status) else { return try await requests.notBegun(response, job) }
        guard let link = try await state(response).uploadUrl else {
            throw response.invalid("The service opened no upload session: its response names no URL.")
        }
        let place = try requests.place(link, from: outgoing.url)
        return .acknowledged(0, UploadSession(location: place, partSize: Self.partSize))
    }

    func append(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, of job: UploadJob
    ) async throws -> UploadStep {
        var outgoing = try await requests.request(.put, to: session)
        outgoing.body = content
        outgoing.fields[.contentRange] = "bytes \(offset)-\(offset + (content.length ?? 0) - 1)/\(job.length)"
        let response = try await requests.send(outgoing, ending: isLast ? job : nil)
        switch response.status {
        case 200 where isLast, 201 where isLast:
            return .executed(try await requests.result(of: response, job, at: session))
        case 200, 201, 202: return try await step(response, session, job)
        // The bytes are there already, or others are expected.
        case 416: return try await resume(session, of: job)
        case 404, 410: return .gone
        default: throw await requests.failure(response)
        }
    }

    func resume(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        let response = try await requests.send(try await requests.request(.get, to: session))
        switch response.status {
        case 200..<300: return try await step(response, session, job)
        case 404, 410: return .gone
        default: throw await requests.failure(response)
        }
    }

    func abort(_ session: UploadSession, of job: UploadJob) async throws {
        let response = try await requests.send(try await requests.request(.delete, to: session))
        guard (200..<300).contains(response.status) else { throw await requests.failure(response) }
    }

    /// The first byte that is missing.
    private func step(_ response: OnlineResponse, _ session: UploadSession, _ job: UploadJob) async throws -> UploadStep
    {
        guard let ranges = try await state(response).nextExpectedRanges else {
            throw response.invalid("The service does not report which bytes of an upload it expects.")
        }
        guard let first = ranges.first else { return .completed }
        guard let offset = Int64(first.prefix { $0 != "-" }) else {
            throw response.invalid("The service expects an invalid range: \(first)")
        }
        return .acknowledged(offset, session)
    }

    private func state(_ response: OnlineResponse) async throws -> State {
        let bytes = try await response.bytes(upTo: Self.maxResponseBytes)
        do { return try JSONDecoder().decode(State.self, from: Data(bytes)) } catch {
            throw response.invalid("The service does not return the offset of an upload.", cause: error)
        }
    }
}
