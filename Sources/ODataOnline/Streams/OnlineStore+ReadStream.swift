import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Opens a stream, whole or from a byte on.
    ///
    /// ```
    /// GET /root/Photos(1)/$value
    /// Range: bytes=1000-
    /// If-Range: "abc"
    /// ```
    ///
    /// [OData-Protocol, section 11.2.3; RFC 9110, section 14; RFC 9530]
    public func readStream(_ request: StreamRequest) async throws -> StreamResult {
        let response = try await response(to: try await outgoing(request))
        try response.checkEncoding()
        guard !service.isStrayPage(response), isOfService(response, request) else {
            throw response.unexpected(beginning: await response.beginning())
        }
        switch response.status {
        case 204:
            var result = result(response, body: .empty, offset: 0, totalLength: nil)
            result.isNull = true
            return result
        case 304:
            var result = result(response, body: .empty, offset: 0, totalLength: nil)
            result.isNotModified = true
            return result
        case 206: return try partial(response, wanted: request)
        default:
            let length = response.body.length
            let body = try ByteContent(of: response.request, response.body, length: length)
            var result = result(response, body: body, offset: 0, totalLength: length)
            if result.digest == nil, let announced = response.head.headerFields.otherDigest {
                result.content = try body.checked(against: announced, of: response.request)
            }
            // The content is the whole stream.
            result.digest = result.digest ?? response.head.headerFields.sha256(.contentDigest)
            return result
        }
    }

    /// Whether a response is the service's. If it has sent its version with a stream of the set before, a response
    /// without it is that of a gateway on the way, unless it reports something else of the stream.
    private func isOfService(_ response: OnlineResponse, _ request: StreamRequest) -> Bool {
        guard !response.isOfOtherHost, !service.address.isForeign(response.request.url) else { return true }
        let fields = response.head.headerFields
        let kind = "stream \(request.path.preferenceResource)"
        if fields.tellsVersion {
            service.traits.noteVersion(with: kind)
            return true
        }
        let names: [HTTPField.Name] = [.eTag, .lastModified, .reprDigest, .contentDigest, .contentRange]
        return names.contains(where: fields.contains) || fields.otherDigest != nil
            || !service.traits.learned.versionedChanges.contains(kind)
    }

    private func response(to outgoing: OutgoingRequest) async throws -> OnlineResponse {
        do { return try await service.send(outgoing) } catch var error as ODataError {
            // Another host gets no credentials: its refusal says nothing about other requests.
            if error.code == .unauthorized, service.address.isForeign(outgoing.url) { error.code = .forbidden }
            throw error
        }
    }

    private func outgoing(_ request: StreamRequest) async throws -> OutgoingRequest {
        let metadata = try await metadata()
        let url =
            if let link = request.readLink {
                try service.address.streamLink(link, model: metadata.model)
            } else {
                service.address.url(try metadata.dialect.url(of: request.path.streamPath))
            }
        var outgoing = OutgoingRequest(.get, url, accepted: [200, 204, 206, 304], dialect: metadata.dialect)
        outgoing.fields[.accept] = "*/*"
        outgoing.fields[.acceptEncoding] = "identity"
        outgoing.fields[.wantReprDigest] = "sha-256=10"
        outgoing.fields[.range] = request.rangeHeader
        if outgoing.fields[.range] != nil { outgoing.fields[.ifRange] = request.ifRange }
        outgoing.fields[.ifMatch] = request.ifMatch
        outgoing.fields[.ifNoneMatch] = request.ifNoneMatch
        outgoing.fields[.ifModifiedSince] = request.ifModifiedSince
        try outgoing.fields.append(request.headers)
        return outgoing
    }

    private func partial(_ response: OnlineResponse, wanted request: StreamRequest) throws -> StreamResult {
        guard let text = response.head.headerFields[.contentRange], let range = ContentRange(text) else {
            throw response.invalid("The service sent a part of the stream without saying which.")
        }
        guard request.suffixLength != nil || range.first == request.offset else {
            throw response.invalid("Bytes from \(request.offset) on were asked for; the service sent \(text).")
        }
        if let length = response.body.length, length != range.count {
            throw response.invalid("The service announced \(text), but \(length) bytes.")
        }
        let body = try ByteContent(of: response.request, response.body, length: range.count)
        var result = result(response, body: body, offset: range.first, totalLength: range.total)
        result.contentDigest = response.head.headerFields.sha256(.contentDigest)
        return result
    }

    private func result(
        _ response: OnlineResponse, body: ByteContent, offset: Int64, totalLength: Int64?
    ) -> StreamResult {
        var result = StreamResult(
            content: body, contentType: response.head.headerFields[.contentType], etag: response.etag, offset: offset,
            totalLength: totalLength)
        let fields = response.head.headerFields
        result.digest = fields.sha256(.reprDigest) ?? fields.legacyDigests["sha-256"].map(SourceDigest.hexadecimal)
        // Written in the second in which it was sent, it may be written again in the same one. [RFC 9110, 8.8.2.2]
        result.lastModified = fields[.lastModified].flatMap { $0 == fields[.date] ? nil : $0 }
        return result
    }
}

extension StreamRequest {
    /// `bytes=1000-1999`, `bytes=1000-`, `bytes=-500`; nil for the whole stream.
    var rangeHeader: String? {
        if let suffixLength { return "bytes=-\(suffixLength)" }
        if let count {
            let (last, isBeyond) = offset.addingReportingOverflow(max(1, count) - 1)
            return isBeyond ? "bytes=\(offset)-" : "bytes=\(offset)-\(last)"
        }
        return offset > 0 ? "bytes=\(offset)-" : nil
    }
}

extension ResourcePath {
    /// `Photos(1)/$value` for a media entity, `Employees(1)/Photo` for a stream property.
    var streamPath: ResourcePath {
        suffix == nil && target == .entity ? appending(.value) : self
    }
}

extension OnlineStore: LinkingStore {
    package func host(ofLink link: String) -> String {
        guard let url = AbsoluteURL(link), service.address.isForeign(url) else { return "" }
        return TransferSnapshot.host(of: link)
    }
}
