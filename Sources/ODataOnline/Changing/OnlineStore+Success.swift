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
/// found to be executed before. A service that never tells a version is believed unless the content is not OData.
extension OnlineStore {
    /// What a success means.
    ///
    /// - Parameter place: Where the stream was uploaded to: a `Location` that is the same is not that of an entity.
    /// - Throws: ``ODataError`` `invalidResponse` with an unknown outcome if it is not the service's.
    func result(
        of answer: ServiceAnswer, to request: ChangeRequest, model: Model, uploadedTo place: String? = nil
    ) async throws -> ChangeResult {
        let isProven = isProven(answer, isUpload: place != nil)
        let body = try await body(of: answer, isProven: isProven)
        var fields = answer.response.headerFields
        if let place, fields[.location] == place { fields[.location] = nil }
        let reply = ChangeReply(
            status: answer.status, fields: fields, body: body, dialect: answer.request.dialect)
        var result = await reply.result(of: request, model: model, address: service.address)
        take(&result, answer.request.dialect, model)
        if let error = reply.error(beside: result) { throw answer.contradictory(error) }
        let kind = "\(request.operation.kind) \(answer.status)"
        if fields.tellsVersion, !answer.isOfOtherHost { service.traits.noteVersion(with: kind) }
        guard !isProven, !reply.hasControlInformation else { return result }
        guard body.isEmpty else {
            guard !tellsVersions(answer), reply.isPlausible(result, of: request) else {
                throw answer.unexpected(beginning: body)
            }
            return result
        }
        result.unproven = try unproven(answer, kind)
        return result
    }

    func take(_ result: inout ChangeResult, _ dialect: ProtocolDialect, _ model: Model) {
        guard var entity = result.entity else { return }
        service.take(&entity, dialect, model)
        result.entity = entity
    }

    /// Whether a header is one that only an OData service, or one that takes uploads, sends.
    ///
    /// [OData-Protocol, sections 8.1.5, 8.2.8, 8.3.3, 8.3.4]
    private func isProven(_ answer: ServiceAnswer, isUpload: Bool) -> Bool {
        let fields = answer.response.headerFields
        let names: [HTTPField.Name] = [.oDataEntityID, .repeatabilityResult, .preferenceApplied]
        if fields.tellsVersion || names.contains(where: fields.contains) { return true }
        if isUpload { return fields.contains(.uploadComplete) || fields.contains(.tusResumable) }
        guard answer.status == 201, let location = fields[.location] else { return false }
        return (try? service.address.link(location, from: answer.request.url)) != nil
    }

    /// Whether the version would stand in the response if it were the service's and had content.
    func tellsVersions(_ answer: ServiceAnswer) -> Bool {
        answer.isOfOtherHost || service.traits.tellsVersions && !service.address.isForeign(answer.request.url)
    }

    /// - Returns: The kind of the response if what the service shows must decide.
    private func unproven(_ answer: ServiceAnswer, _ kind: String) throws -> String? {
        guard tellsVersions(answer) else { return nil }
        let learned = service.traits.learned
        if !answer.isOfOtherHost {
            if learned.isQuiet(kind) { return nil }
            if LearnedTraits.isWithoutContent(kind), !learned.versionedChanges.contains(kind) { return kind }
        }
        var error = answer.unexpected(beginning: [])
        error.message += " It does not tell the version, which other responses of the service do."
        if !answer.isOfOtherHost { error.unproven = kind }
        throw error
    }

    /// The body, if it arrives whole. Where the answer is surely the service's, the change has happened, so a body that
    /// does not is no error: headers tell the rest, and the caller can read the entity.
    ///
    /// - Throws: ``ODataError`` `invalidResponse` for what a login page on the way answers.
    private func body(of answer: ServiceAnswer, isProven: Bool) async throws -> [UInt8] {
        guard answer.status != 204 else { return [] }
        guard answer.isData else {
            guard !isProven else { return [] }
            let beginning = await answer.beginning()
            guard beginning.isEmpty else { throw answer.unexpected(beginning: beginning) }
            return []
        }
        do {
            let bytes = try await answer.bytes(upTo: configuration.maxAnswerBytes)
            guard isProven || !answer.isPage(bytes) else { throw answer.unexpected(beginning: bytes) }
            return bytes
        } catch {
            guard isProven else { throw error }
            return []
        }
    }
}

extension ServiceAnswer {
    /// Whether the body is a page for people, or XML where no XML is expected.
    fileprivate func isPage(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard text.first == "<" else { return false }
        let start = text.prefix(16).lowercased()
        return version2Format != .atom || start.hasPrefix("<html") || start.hasPrefix("<!doctype")
    }
}

extension ChangeReply {
    /// Whether the body tells of itself what only OData does: a context URL, or before V4 metadata of an entity.
    var hasControlInformation: Bool {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        guard dialect.isLegacy else { return text.contains("$metadata") && text.contains("context\"") }
        let start = text.prefix(64).filter { !$0.isWhitespace }
        return start.hasPrefix("{\"d\":") || text.contains("__metadata") || text.contains("schemas.microsoft.com/ado")
    }

    /// Whether a body without control information may be the service's: that of an entity has some of its properties.
    func isPlausible(_ result: ChangeResult, of request: ChangeRequest) -> Bool {
        guard request.operation.answersWithEntity else { return true }
        if result.called != nil { return true }
        guard let entity = result.entity else { return false }
        return !entity.properties.members.isEmpty || entity.id != nil || entity.etag != nil || body.isEmptyObject
    }
}

extension [UInt8] {
    /// `{}`
    fileprivate var isEmptyObject: Bool {
        prefix(64).filter { $0 > 0x20 }.elementsEqual(Array("{}".utf8)) && count < 64
    }
}
