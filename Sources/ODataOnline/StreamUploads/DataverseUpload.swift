import ByteStreams
import HTTPTypes
import ODataQuery
import ODataStores
import ODataTransport

/// Chunks of a file column of Dataverse.
///
/// ```
/// PATCH /api/data/v9.2/accounts(1)/file?x-ms-file-name=a.pdf    x-ms-transfer-mode: chunked
/// 200                                    Location: …?FileContinuationToken=…   x-ms-chunk-size: 4194304
/// PATCH …?FileContinuationToken=…        Content-Range: bytes 0-4194303/5000000   x-ms-file-name: a.pdf
/// 206
/// PATCH …?FileContinuationToken=…        Content-Range: bytes 4194304-4999999/5000000
/// 204
/// ```
///
/// The service does not report the offset of an upload: it continues after the last acknowledged chunk. The
/// column shows the outcome of the last one.
struct DataverseUpload: UploadMethod {
    static let name = "dataverse"
    private static let offset = "offset"
    /// Where the service names no size.
    private static let chunkSize: Int64 = 4 * 1024 * 1024

    let requests: UploadRequests

    init(store: OnlineStore) { requests = UploadRequests(store: store) }

    var name: String { Self.name }
    func begin(_ job: UploadJob) async throws -> UploadStep {
        let whole = try await requests.whole(job)
        let query = "?x-ms-file-name=" + percentEncoded(fileName(of: job))
        let url = whole.url.with(target: whole.url.path + query)
        var outgoing = try await requests.request(.patch, url)
        outgoing.body = .empty
        outgoing.fields[.transferMode] = "chunked"
        outgoing.fields[.ifMatch] = job.request.ifMatch
        outgoing.fields[.ifNoneMatch] = job.request.ifNoneMatch
        let response = try await requests.send(outgoing)
        guard (200..<300).contains(response.status) else { return try await requests.notBegun(response, job) }
        let fields = response.head.headerFields
        guard let link = fields[.location] else { return await requests.takenForWhole(response, job, by: name) }
        var session = UploadSession(location: try requests.place(link, from: url))
        session.partSize = fields.integer(.chunkSize) ?? Self.chunkSize
        return .acknowledged(0, session)
    }

    private func fileName(of job: UploadJob) -> String {
        let name = job.request.headers.first { $0.name.lowercased() == "x-ms-file-name" }?.value
        return name ?? "file"
    }

    func append(
        _ content: ByteContent, at offset: Int64, isLast: Bool, to session: UploadSession, of job: UploadJob
    ) async throws -> UploadStep {
        let end = offset + (content.length ?? 0)
        var outgoing = try await requests.request(.patch, to: session)
        outgoing.body = content
        outgoing.fields[.contentType] = "application/octet-stream"
        outgoing.fields[.contentRange] = "bytes \(offset)-\(end - 1)/\(job.length)"
        outgoing.fields[.fileName] = fileName(of: job)
        let response = try await requests.send(outgoing, ending: isLast ? job : nil)
        switch response.status {
        case 200..<300 where isLast: return .executed(try await requests.result(of: response, job, at: session))
        case 200..<300:
            guard requests.mayBeOwn(response) else { throw response.unexpected(beginning: await response.beginning()) }
            var session = session
            session.details[Self.offset] = "\(end)"
            return .acknowledged(end, session)
        // It does not report which bytes it expects instead.
        case 404, 410, 416: return .gone
        default: throw await requests.failure(response)
        }
    }

    func resume(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep {
        .acknowledged(session.details[Self.offset].flatMap { Int64($0) } ?? 0, session)
    }

    /// Only the column shows the outcome.
    func probe(_ session: UploadSession, of job: UploadJob) async throws -> UploadStep { .gone }

    /// Chunks that are not followed by the last one expire at the service.
    func abort(_ session: UploadSession, of job: UploadJob) async throws {}
}

extension HTTPField.Name {
    fileprivate static let transferMode = HTTPField.Name("x-ms-transfer-mode")!
    fileprivate static let chunkSize = HTTPField.Name("x-ms-chunk-size")!
    fileprivate static let fileName = HTTPField.Name("x-ms-file-name")!
}
