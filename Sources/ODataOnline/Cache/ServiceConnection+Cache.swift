import HTTPTypes
import ODataStores
import ODataTransport

extension ServiceConnection {
    /// Sends a read by way of the cache.
    ///
    /// ```
    /// If-None-Match: W/"1"   →   304: what is kept still holds; 200: kept in its place
    /// ```
    ///
    /// [RFC 9111, section 4.3]
    func send(_ outgoing: OutgoingRequest, cache: ResponseCache) async throws -> OnlineResponse {
        let kept = cache.response(to: outgoing, fields: visible(outgoing))
        if outgoing.cacheUse == .only {
            noteRead(isHit: kept != nil)
            guard let kept else { throw Self.notInCache(outgoing) }
            return OnlineResponse(kept, to: outgoing)
        }
        var request = outgoing
        if let etag = kept?.fields.entityTag, !outgoing.hasCondition {
            request.fields[.ifNoneMatch] = etag
            request.accepted.insert(304)
        }
        do {
            let response = try await exchange(request)
            if let kept, response.status == 304, !outgoing.hasCondition {
                noteRead(isHit: true)
                return OnlineResponse(kept, to: outgoing)
            }
            noteRead(isHit: false)
            return keeping(response, of: outgoing, cache: cache)
        } catch let error as ODataError where error.code == .unreachable && outgoing.cacheUse == .askingFirst {
            noteRead(isHit: kept != nil)
            guard let kept else { throw error }
            return OnlineResponse(kept, to: outgoing)
        }
    }

    private func noteRead(isHit: Bool) {
        instruments.count("odata.client.cache", [("result", isHit ? "hit" : "miss")])
    }

    private func keeping(
        _ response: OnlineResponse, of request: OutgoingRequest, cache: ResponseCache
    ) -> OnlineResponse {
        let body = cache.keeping(
            response.head, body: response.body, of: request, fields: visible(request), sent: response.sentFields)
        return OnlineResponse(request: request, head: response.head, body: body ?? response.body)
    }

    /// The headers that `Vary` may name: those of the request and those that every request has.
    private func visible(_ request: OutgoingRequest) -> HTTPFields {
        var fields = headers(request)
        for field in commonFields where !fields.contains(field.name) { fields.append(field) }
        return fields
    }

    static func notInCache(_ request: OutgoingRequest) -> ODataError {
        var error = ODataError(
            .notInCache, "The response is not in the cache, and the service was not to be asked: read it online once.")
        error.request = request.name
        return error
    }
}

extension ODataError.Code {
    /// A read was to use the response cache alone, which has no response to it.
    public static let notInCache = ODataError.Code("notInCache")
}

extension OnlineResponse {
    fileprivate init(_ kept: CachedResponse, to request: OutgoingRequest) {
        self.init(
            request: request, head: HTTPResponse(status: .ok, headerFields: kept.fields), body: kept.body,
            isCached: true)
    }
}

extension OutgoingRequest {
    /// Whether the app asks for the response on a condition of its own.
    fileprivate var hasCondition: Bool { fields.contains(.ifNoneMatch) || fields.contains(.ifMatch) }
}
