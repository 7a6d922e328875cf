import ByteStreams
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataStores
import ODataTransport
import Telemetry

/// Sends requests to one service and distinguishes responses from errors.
struct ServiceConnection: Sendable {
    let address: ServiceAddress
    let transport: any HTTPTransport
    let maxVersion: String
    let maxResponseBytes: Int
    let cache: ResponseCache?
    /// Added to each request on its way.
    let commonFields: HTTPFields
    let traits = ServiceTraits()
    let editLinks = EditLinks()
    let instruments = Instruments()

    init(
        address: ServiceAddress, transport: any HTTPTransport, maxVersion: String, maxResponseBytes: Int,
        cache: ResponseCache? = nil, commonFields: HTTPFields = [:]
    ) {
        self.address = address
        self.transport = transport
        self.maxVersion = maxVersion
        self.maxResponseBytes = maxResponseBytes
        self.cache = cache
        self.commonFields = commonFields
    }

    /// - Throws: ``ODataError`` without a response, or if its status is not accepted.
    func send(_ outgoing: OutgoingRequest) async throws -> OnlineResponse {
        if outgoing.cacheUse != .none, let cache { return try await send(outgoing, cache: cache) }
        guard outgoing.cacheUse != .only else { throw Self.notInCache(outgoing) }
        let response = try await exchange(outgoing)
        if outgoing.isChange { cache?.invalidate([outgoing.url] + outgoing.changedURLs) }
        return response
    }

    func exchange(_ outgoing: OutgoingRequest) async throws -> OnlineResponse {
        let isForeign = address.isForeign(outgoing.url)
        let fields = headers(outgoing, isForeign: isForeign)
        let request = HTTPRequest(method: outgoing.method, url: outgoing.url, headerFields: fields)
        let received: TransportResponse
        do {
            received = try await transport.send(
                request, body: outgoing.body, context: context(of: outgoing, isForeign: isForeign))
        } catch {
            throw ODataError(noResponse: error, to: outgoing)
        }
        if !isForeign { traits.learn(received.head.headerFields) }
        let response = OnlineResponse(
            request: outgoing, head: received.head, body: received.body,
            mayHaveActedBefore: received.mayHaveActedBefore, isOfOtherHost: received.isOfOtherHost,
            sentFields: received.sentFields)
        guard outgoing.accepted.contains(response.status) else { throw await response.failure() }
        return response
    }

    private func context(of outgoing: OutgoingRequest, isForeign: Bool) -> TransportContext {
        var context = TransportContext()
        context.isForeign = isForeign
        context.recognizesRepeatedRequests = outgoing.isRecognizedAgain ?? traits.recognizesRepeatedRequests
        return context
    }

    /// Whether the response is an HTML page where a stream was asked for: the service reports its version with its
    /// responds, but not with this one. Its bytes must not pass for a picture.
    func isStrayPage(_ response: OnlineResponse) -> Bool {
        response.mediaType == "text/html" && response.etag == nil && traits.tellsVersions
            && !response.head.headerFields.tellsVersion && !address.isForeign(response.request.url)
    }

    /// `OData-MaxVersion: 4.01`, and `OData-Version` once the service has sent its own; before 4.0
    /// `MaxDataServiceVersion: 2.0`.
    func headers(_ outgoing: OutgoingRequest, isForeign: Bool = false) -> HTTPFields {
        guard !isForeign else { return HTTPFields(outgoing.fields.filter(\.name.isHarmless)) }
        var fields = outgoing.fields
        if outgoing.dialect.isLegacy {
            if fields[.maxDataServiceVersion] == nil { fields[.maxDataServiceVersion] = outgoing.dialect.versionText }
            if outgoing.body != nil { fields[.dataServiceVersion] = outgoing.dialect.versionText }
            return fields
        }
        if fields[.oDataMaxVersion] == nil { fields[.oDataMaxVersion] = maxVersion }
        if fields[.oDataVersion] == nil { fields[.oDataVersion] = traits.version }
        return fields
    }

    /// The metadata, unless they take too long.
    func timelyMetadata(
        _ configuration: OnlineStore.Configuration, cacheUse: CacheUse, known: ServiceMetadata?
    ) async throws -> ServiceMetadata {
        guard let limit = configuration.metadataTimeout else {
            return try await metadata(configuration, cacheUse: cacheUse, known: known)
        }
        return try await withDeadline(limit, orThrow: tooLateMetadata(limit)) {
            try await metadata(configuration, cacheUse: cacheUse, known: known)
        }
    }

    private func tooLateMetadata(_ limit: Duration) -> ODataError {
        var error = ODataError(
            .unreachable,
            "The service's metadata did not come within \(limit): Configuration.metadataTimeout (--metadata-timeout) allows "
                + "another time.")
        error.request = "GET \(address.url("$metadata"))"
        return error
    }

    /// `GET root/$metadata`; while the service's version is not known, the request names the highest before 4.0 too.
    func metadata(
        _ configuration: OnlineStore.Configuration, cacheUse: CacheUse, known: ServiceMetadata?
    ) async throws -> ServiceMetadata {
        var request = OutgoingRequest(
            .get, address.url("$metadata"), dialect: configuration.dialect(of: configuration.version ?? .v401))
        request.fields[.accept] = "application/xml"
        if configuration.version == nil { request.fields[.maxDataServiceVersion] = "3.0" }
        request.cacheUse = cacheUse
        if let etag = known?.etag {
            request.fields[.ifNoneMatch] = etag
            request.accepted.insert(304)
        }
        let response = try await send(request)
        if let known, response.status == 304 { return known }
        let bytes = try await response.bytes(upTo: maxResponseBytes)
        let type = response.mediaType
        guard type == nil || type?.hasSuffix("xml") == true else { throw response.unexpected(beginning: bytes) }
        do {
            var limits = PayloadLimits.default
            limits.metadataElements = configuration.maxMetadataElements
            let document = try CSDL.wholeDocument(bytes, limits: limits)
            return ServiceMetadata(
                model: document.model, diagnostics: document.diagnostics,
                dialect: configuration.dialect(of: configuration.version ?? document.version), etag: response.etag)
        } catch {
            throw ODataError(reading: error, of: request)
        }
    }
}
