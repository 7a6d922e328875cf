import HTTPTypes
import ODataStores
import ODataTransport

/// What upload methods send: requests of which each response says something.
struct UploadRequests: Sendable {
    /// Statuses of which the caller determines what they mean.
    static let allResponses = Set(200..<600)

    let store: OnlineStore

    /// The change as it would be sent whole.
    func whole(_ job: UploadJob) async throws -> OutgoingRequest {
        try store.outgoing(job.request, try await store.metadata())
    }

    func request(_ method: HTTPRequest.Method, _ url: AbsoluteURL) async throws -> OutgoingRequest {
        OutgoingRequest(method, url, accepted: Self.allResponses, dialect: try await store.metadata().dialect)
    }

    func request(_ method: HTTPRequest.Method, to session: UploadSession) async throws -> OutgoingRequest {
        guard let url = AbsoluteURL(session.location) else {
            throw ODataError(.internalError, "The place of an upload is not a URL: \(session.location)")
        }
        return try await request(method, url)
    }

    /// - Parameter job: What is carried out if the request ends an upload: what the cache has of it is old then.
    func send(_ outgoing: OutgoingRequest, ending job: UploadJob? = nil) async throws -> OnlineResponse {
        var outgoing = outgoing
        if let job { outgoing.changedURLs = [try await whole(job).url] }
        return try await store.service.send(outgoing)
    }

    /// What becomes of an upload that the service did not begin.
    ///
    /// It may not know the method: it says so (501), or refuses a request that is another one than that of the whole. Where
    /// they are alike, an error of OData's is about the resource, and the whole would be refused too.
    ///
    /// - Throws: The refusal, if it is about something else.
    func notBegun(_ response: OnlineResponse, _ job: UploadJob) async throws -> UploadStep {
        let error = await failure(response)
        let whole = try await self.whole(job)
        let isAlike = response.request.method == whole.method && response.request.url == whole.url
        let isOfMethod =
            response.status == 501 || [404, 405, 415].contains(response.status) && (!isAlike || error.service == nil)
        guard isOfMethod else { throw error }
        return .unsupported
    }

    /// What becomes of an upload whose begin the service took for the whole: the change may have been carried out without
    /// bytes. The next upload sends the stream whole, so that it happens once; not to a service that reports that it
    /// knows the request by its id, and would not carry it out again.
    func takenForWhole(_ response: OnlineResponse, _ job: UploadJob, by method: String) async -> UploadStep {
        if !response.head.headerFields.tellsRepeatable { await store.noteUnsupported(method, for: job.request) }
        return .completed
    }

    /// Where the bytes go.
    func place(_ link: String, from url: AbsoluteURL) throws -> String {
        try store.service.address.uploadLink(link, from: url).description
    }

    func result(of response: OnlineResponse, _ job: UploadJob, at session: UploadSession) async throws -> ChangeResult {
        let model = try await store.metadata().model
        return try await store.result(of: response, to: job.request, model: model, uploadedTo: session.location)
    }

    /// Whether a response that has no header of an upload method may be the service's: it reports the version, or the
    /// service never does.
    func mayBeOwn(_ response: OnlineResponse) -> Bool {
        response.head.headerFields.tellsVersion || response.status == 206 || !store.tellsVersions(response)
    }

    func failure(_ response: OnlineResponse) async -> ODataError {
        var error = await response.failure()
        // Another host gets no credentials: its refusal says nothing about other requests.
        if error.code == .unauthorized, store.service.address.isForeign(response.request.url) {
            error.code = .forbidden
        }
        return error
    }
}
