import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// Changes as the parts of one atomicity group; a single one is by itself where the version allows it.
struct OutgoingChangeSet: Sendable {
    let requests: [ChangeRequest]
    /// The name of the atomicity group; nil for a change that is by itself.
    let group: String?
    private(set) var parts: [BatchPart] = []

    /// What the sets of one batch share.
    struct Surroundings {
        let metadata: ServiceMetadata
        let address: ServiceAddress
        let editLinks: EditLinks
        /// Bytes that the bodies may still have.
        var bytesLeft: Int
        /// Content ids that are in use.
        var ids: Set<String>
    }

    /// - Throws: ``ODataError`` with the index of the change that cannot be sent.
    init(_ requests: [ChangeRequest], number: Int, in batch: inout Surroundings) async throws {
        self.requests = requests
        let dialect = batch.metadata.dialect
        // Before V4 changes are in change sets only.
        group = requests.count == 1 && !dialect.isLegacy ? nil : "g\(number + 1)"
        for (index, request) in requests.enumerated() {
            do {
                let change = try OutgoingChange(
                    request, model: batch.metadata.model, root: batch.address.root, dialect: dialect,
                    editLinks: batch.editLinks)
                let body = try await change.body?.collect(upTo: batch.bytesLeft) ?? []
                batch.bytesLeft -= body.count
                let id = request.contentID ?? Self.freeID(taken: &batch.ids)
                var part = Self.part(change, of: batch.address, id: id, body: body, group: group)
                part.dependsOn = parts.compactMap(\.id).filter { part.refers(to: $0) }
                parts.append(part)
            } catch {
                throw Self.failure(error, index: index)
            }
        }
    }

    /// ```
    /// POST /root/$batch
    /// Content-Type: multipart/mixed;boundary=batch_…
    /// ```
    static func request(
        _ parts: [BatchPart], to address: ServiceAddress, dialect: ProtocolDialect, encoding: OnlineStore.BatchEncoding
    ) -> OutgoingRequest {
        // A boundary is always equally long, and so are requests with equal parts.
        var generator = SystemRandomNumberGenerator()
        // JSON batches came with 4.01.
        let format: BatchFormat =
            encoding == .json && !dialect.isLegacy
            ? .json : .multipart(boundary: "batch_\(EdmGuid.random(using: &generator))")
        let (contentType, bytes) = Batch.writeRequests(parts, format: format)
        var request = OutgoingRequest(
            .post, address.url("$batch"), body: ByteContent(bytes), accepted: [200, 202], dialect: dialect)
        request.changedURLs = parts.compactMap { address.root.resolving($0.url) }
        request.fields[.contentType] = contentType
        request.fields[.accept] = format == .json ? "application/json" : "multipart/mixed"
        return request
    }

    /// The response to the change at `index`: by its id, or by its place where the service gives no ids.
    func response(to index: Int, in responses: [BatchItemResponse]) -> BatchItemResponse? {
        if let response = responses.first(where: { $0.id == parts[index].id }) { return response }
        guard responses.count == parts.count, responses.allSatisfy({ $0.id == nil }) else { return nil }
        return responses[index]
    }

    /// The error of the first change that failed; 424 is only said of changes that fell with another.
    func failure(in responses: [BatchItemResponse], batch: OnlineResponse) -> ODataError? {
        let failed = responses.enumerated().filter { !(200..<300).contains($0.element.status) }
        guard let (place, response) = failed.first(where: { $0.element.status != 424 }) ?? failed.first else {
            return nil
        }
        let service = ServiceError(body: response.body)
        let message = service?.message ?? ""
        var error = ODataError(
            ODataError.Code(status: response.status),
            message.isEmpty ? "The service returned \(response.status) to a change of the set." : message)
        error.status = response.status
        error.service = service
        error.facts.isRepeatable = HTTPFields(passing: response.headers).tellsRepeatable
        // A gateway that got no response.
        error.isOutcomeUnknown = response.status == 502 || response.status == 504
        error.requestIndex =
            parts.firstIndex { $0.id == response.id } ?? (responses.count == parts.count ? place : nil)
        let part = error.requestIndex.map { parts[$0] }
        error.request = part.map { "\($0.method) \($0.url) in \(batch.request.name)" } ?? batch.request.name
        return error
    }

    /// The service puts the URL of an entity in the place of `$r1`: that has all it needs.
    private static func part(
        _ change: OutgoingChange, of address: ServiceAddress, id: String, body: [UInt8], group: String?
    ) -> BatchPart {
        let url = change.link ?? change.path
        return BatchPart(
            id: id, method: change.method.rawValue, url: url.hasPrefix("$") ? url : address.carrying(url),
            headers: change.fields.map { ($0.name.rawName, $0.value) }, body: body, atomicityGroup: group)
    }

    /// `r1`, or another that no request of the batch has.
    private static func freeID(taken: inout Set<String>) -> String {
        var id = "r\(taken.count + 1)"
        while !taken.insert(id).inserted { id += "x" }
        return id
    }

    private static func failure(_ error: any Error, index: Int) -> ODataError {
        var failure: ODataError
        if let error = error as? ODataError {
            failure = error
        } else if let error = error as? ByteStreamError, error.code == .tooLong {
            failure = ODataError(
                .tooLarge, "The media of the change set are too long to be sent together.", cause: error)
        } else {
            failure = ODataError(.storage, "The body of a change cannot be read: \(error)", cause: error)
        }
        failure.requestIndex = index
        return failure
    }
}

extension BatchPart {
    /// Whether URL or body name the entity of another request: `$r1`, `$r1/Items`. JSON batches must declare that.
    ///
    /// [OData-JSON, section 19.1]
    fileprivate func refers(to id: String) -> Bool {
        let name = "$" + id
        if url == name || url.hasPrefix(name + "/") { return true }
        let body = String(decoding: body, as: UTF8.self)
        return body.contains("\"\(name)\"") || body.contains("\"\(name)/")
    }
}

extension HTTPFields {
    /// Headers of a part of a batch, or that were kept; what is not a header is ignored.
    init(passing headers: [(String, String)]) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
