import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataStores
import ODataTransport

/// Whether a success is the service's. Gateways, login pages and captive portals answer changes with successes of their
/// own: what was sent would be lost.
///
/// A service that tells its version with some responses tells it with those that have content; without content it may not.
/// So a response without it is believed where it names the entity, has control information, or is of a kind that was
/// found to be executed before. A service that never tells a version is believed unless the content is not OData, or
/// `Location` leads elsewhere.
extension OnlineStore {
    /// What a success means.
    ///
    /// - Parameter place: Where the stream was uploaded to: a `Location` that is the same is not that of an entity.
    /// - Throws: ``ODataError`` `invalidResponse` with an unknown outcome if it is not the service's.
    func result(
        of answer: OnlineResponse, to request: ChangeRequest, model: EdmModel, uploadedTo place: String? = nil
    ) async throws -> ChangeResult {
        var fields = answer.response.headerFields
        if let place, fields[.location] == place { fields[.location] = nil }
        var reply = OnlineChangeResponse(
            status: answer.status, fields: fields, body: [], dialect: answer.request.dialect)
        let isProven =
            place != nil && endsUpload(answer) || reply.isProof(of: request, model: model, address: service.address)
        reply.body = try await body(of: answer, isProven: isProven)
        var result = await reply.result(of: request, model: model, address: service.address)
        take(&result, answer.request.dialect, model)
        if let error = reply.error(beside: result) { throw answer.contradictory(error) }
        let kind = "\(request.operation.kind) \(answer.status)"
        if fields.tellsVersion, !answer.isOfOtherHost { service.traits.noteVersion(with: kind) }
        guard !isProven, !reply.isProof(of: request, model: model, address: service.address) else { return result }
        guard reply.body.isEmpty else {
            var isPlausible = place != nil && reply.isItem
            if !isPlausible { isPlausible = await reply.isPlausible(result, of: request, model: model) }
            guard !tellsVersions(answer), isPlausible else {
                throw answer.unexpected(beginning: reply.body)
            }
            return result
        }
        let isElsewhere = reply.leadsElsewhere(than: request, model: model, address: service.address)
        result.unproven = try unproven(answer, kind, isElsewhere: isElsewhere)
        return result
    }

    func take(_ result: inout ChangeResult, _ dialect: ProtocolDialect, _ model: EdmModel) {
        guard var entity = result.entity else { return }
        service.take(&entity, dialect, model)
        result.entity = entity
    }

    /// Whether the end of an upload has a header that only a service that takes uploads sends.
    private func endsUpload(_ answer: OnlineResponse) -> Bool {
        let fields = answer.response.headerFields
        return fields.contains(.uploadComplete) || fields.contains(.tusResumable)
    }

    /// Whether the version would stand in the response if it were the service's and had content.
    func tellsVersions(_ answer: OnlineResponse) -> Bool {
        answer.isOfOtherHost || service.traits.tellsVersions && !service.address.isForeign(answer.request.url)
    }

    /// - Parameter isElsewhere: Whether `Location` leads to something else.
    /// - Returns: The kind of the response if what the service shows must decide.
    private func unproven(_ answer: OnlineResponse, _ kind: String, isElsewhere: Bool) throws -> String? {
        guard tellsVersions(answer) || isElsewhere else { return nil }
        let learned = service.traits.learned
        if !answer.isOfOtherHost {
            if learned.isQuiet(kind) { return nil }
            if LearnedTraits.isWithoutContent(kind), !learned.versionedChanges.contains(kind) { return kind }
        }
        var error = answer.unexpected(beginning: [])
        error.message +=
            isElsewhere
            ? " Its Location does not lead to what the request makes."
            : " It does not tell the version, which other responses of the service do."
        if !answer.isOfOtherHost { error.facts.unproven = kind }
        throw error
    }

    /// The body, if it arrives whole. Where the response is surely the service's, the change has happened, so a body
    /// that does not is not an error: headers tell the rest, and the caller can read the entity.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for what a login page on the way answers.
    private func body(of answer: OnlineResponse, isProven: Bool) async throws -> [UInt8] {
        guard answer.status != 204 else { return [] }
        guard answer.isData else {
            guard !isProven else { return [] }
            let beginning = await answer.beginning()
            guard beginning.isEmpty else { throw answer.unexpected(beginning: beginning) }
            return []
        }
        do {
            let bytes = try await answer.bytes(upTo: configuration.maxResponseBytes)
            guard isProven || !answer.isPage(bytes) else { throw answer.unexpected(beginning: bytes) }
            return bytes
        } catch {
            guard isProven else { throw error }
            return []
        }
    }
}

extension OnlineResponse {
    /// Whether the body is a page for people, or XML where no XML is expected.
    fileprivate func isPage(_ bytes: [UInt8]) -> Bool {
        guard legacyFormat != .atom else { return HTMLPage.begins(bytes) }
        let text = String(decoding: bytes.prefix(512), as: UTF8.self)
        return text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "<"
    }
}
