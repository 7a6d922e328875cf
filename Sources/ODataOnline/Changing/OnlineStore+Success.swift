import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataStores
import ODataTransport

/// Whether a success is the service's. Gateways, login pages and captive portals respond to changes with successes of
/// their own: what was sent would be lost.
///
/// A service that reports its version with some responses reports it with those that have content; without content it
/// may not. So a response without it is believed where it names the entity, has control information, or is of a kind
/// that was found to be executed before. A service that never reports a version is believed unless the content is not
/// OData, or `Location` leads elsewhere.
extension OnlineStore {
    /// What a success means.
    ///
    /// - Parameter place: Where the stream was uploaded to: a `Location` that is the same is not that of an entity.
    /// - Throws: ``ODataError`` `invalidResponse` with an unknown outcome if it is not the service's.
    func result(
        of response: OnlineResponse, to request: ChangeRequest, model: EdmModel, uploadedTo place: String? = nil
    ) async throws -> ChangeResult {
        var fields = response.head.headerFields
        if let place, fields[.location] == place { fields[.location] = nil }
        var change = OnlineChangeResponse(
            status: response.status, fields: fields, body: [], dialect: response.request.dialect)
        let isProven =
            place != nil && endsUpload(response) || change.isProof(of: request, model: model, address: service.address)
        change.body = try await body(of: response, isProven: isProven)
        var result = await change.result(of: request, model: model, address: service.address)
        take(&result, response.request.dialect, model)
        if let error = change.error(beside: result) { throw response.contradictory(error) }
        let kind = "\(request.operation.kind) \(response.status)"
        if fields.tellsVersion, !response.isOfOtherHost { service.traits.noteVersion(with: kind) }
        guard !isProven, !change.isProof(of: request, model: model, address: service.address) else { return result }
        guard change.body.isEmpty else {
            var isPlausible = place != nil && change.isItem
            if !isPlausible { isPlausible = await change.isPlausible(result, of: request, model: model) }
            guard !tellsVersions(response), isPlausible else {
                throw response.unexpected(beginning: change.body)
            }
            return result
        }
        let isElsewhere = change.leadsElsewhere(than: request, model: model, address: service.address)
        result.unproven = try unproven(response, kind, isElsewhere: isElsewhere)
        return result
    }

    func take(_ result: inout ChangeResult, _ dialect: ProtocolDialect, _ model: EdmModel) {
        guard var entity = result.entity else { return }
        service.take(&entity, dialect, model)
        result.entity = entity
    }

    /// Whether the end of an upload has a header that only a service that takes uploads sends.
    private func endsUpload(_ response: OnlineResponse) -> Bool {
        let fields = response.head.headerFields
        return fields.contains(.uploadComplete) || fields.contains(.tusResumable)
    }

    /// Whether the version would stand in the response if it were the service's and had content.
    func tellsVersions(_ response: OnlineResponse) -> Bool {
        response.isOfOtherHost || service.traits.tellsVersions && !service.address.isForeign(response.request.url)
    }

    /// - Parameter isElsewhere: Whether `Location` leads to something else.
    /// - Returns: The kind of the response if what the service shows must decide.
    private func unproven(_ response: OnlineResponse, _ kind: String, isElsewhere: Bool) throws -> String? {
        guard tellsVersions(response) || isElsewhere else { return nil }
        let learned = service.traits.learned
        if !response.isOfOtherHost {
            if learned.isQuiet(kind) { return nil }
            if LearnedTraits.isWithoutContent(kind), !learned.versionedChanges.contains(kind) { return kind }
        }
        var error = response.unexpected(beginning: [])
        error.message +=
            isElsewhere
            ? " Its Location does not lead to what the request makes."
            : " It does not report the version, which other responses of the service do."
        if !response.isOfOtherHost { error.facts.unproven = kind }
        throw error
    }

    /// The body, if it arrives whole. Where the response is surely the service's, the change has happened, so a body
    /// that does not is not an error: headers have the rest, and the caller can read the entity.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for the response of a login page on the way.
    private func body(of response: OnlineResponse, isProven: Bool) async throws -> [UInt8] {
        guard response.status != 204 else { return [] }
        guard response.isData else {
            guard !isProven else { return [] }
            let beginning = await response.beginning()
            guard beginning.isEmpty else { throw response.unexpected(beginning: beginning) }
            return []
        }
        do {
            let bytes = try await response.bytes(upTo: configuration.maxResponseBytes)
            guard isProven || !response.isPage(bytes) else { throw response.unexpected(beginning: bytes) }
            return bytes
        } catch {
            guard isProven else { throw error }
            return []
        }
    }
}

extension OnlineResponse {
    /// Whether the body is an HTML page, or XML where no XML is expected.
    fileprivate func isPage(_ bytes: [UInt8]) -> Bool {
        guard legacyFormat != .atom else { return HTMLPage.begins(bytes) }
        let text = String(decoding: bytes.prefix(512), as: UTF8.self)
        return text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "<"
    }
}
