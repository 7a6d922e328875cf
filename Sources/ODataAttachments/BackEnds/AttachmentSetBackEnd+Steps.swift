import ODataModel
import ODataQuery
import ODataStores

extension AttachmentSetBackEnd: DescribedEntities {
    func entities(of set: AttachmentSet) async throws -> [EdmEntity] {
        try await store.entities(BoundQuery(path: set.collection, options: set.options))
    }

    func read(_ path: ResourcePath, in set: AttachmentSet) async throws -> RemoteAttachment {
        try attachment(try await paths.read(path, set.options), in: set)
    }

    func attachment(_ entity: EdmEntity, in set: AttachmentSet) throws -> RemoteAttachment {
        let id = try set.collection.id(of: entity)
        let stream = entity.streams[set.content.name]
        let text = { (name: String?) in name.flatMap { entity[$0]?.text } }
        let details = AttachmentDetails(
            name: text(names.name) ?? id,
            contentType: text(names.contentType) ?? stream?.contentType ?? set.contentType,
            keywords: names.keywords.flatMap { entity[$0]?.words } ?? [])
        var attachment = RemoteAttachment(id: id, details: details)
        if let name = names.size, case .integer(let size)? = entity[name] { attachment.size = size }
        attachment.etag = entity.etag
        // A binary property is a part of the entity.
        attachment.contentTag = set.content.isStream ? stream?.etag : entity.etag
        attachment.readLink = stream?.readLink
        attachment.editLink = stream?.editLink
        attachment.scanState = text(names.scanState).map(EntityAttachment.ScanState.init(rawValue:))
        // One without its content is gone on with, and not taken for made.
        if set.hasContent(attachment) { attachment.key = set.key.text(of: entity) }
        return attachment
    }

    /// What an earlier call has begun.
    func find(_ key: EdmComplexValue.Member, in set: AttachmentSet) async throws -> RemoteAttachment? {
        let entity = try await entities(of: set).first { $0.key?[key.name] == key.value }
        return try entity.map { try attachment($0, in: set) }
    }

    /// The first step.
    ///
    /// - Throws: ``ODataError``, whose outcome is unknown if the entity was made and cannot be found; `invalidResponse` if
    ///   the service makes keys of its own, by which it could not be found again.
    func make(
        _ details: AttachmentDetails, _ key: EdmComplexValue.Member, in set: AttachmentSet
    ) async throws -> RemoteAttachment {
        var payload = payload(details, in: set)
        payload.properties[key.name] = key.value
        var request = ChangeRequest(set.collection, .create(payload))
        request.returnPreference = .representation
        let made = try await store.provenChange(request).entity
        if let made, let other = made.key, other[key.name] != key.value {
            var failure = ODataError(
                .invalidResponse,
                "The service gives attachments other keys than it is asked for, so that they might be made twice.")
            failure.isOutcomeUnknown = try await !remove(attachment(made, in: set))
            throw failure
        }
        do {
            if let made { return try attachment(made, in: set) }
            if let found = try await find(key, in: set) { return found }
            throw ODataError(.invalidResponse, "A new attachment is not among those that the service lists.")
        } catch {
            var failure = ODataError(any: error)
            failure.isOutcomeUnknown = true
            throw failure
        }
    }

    /// The second step.
    ///
    /// - Parameter isBegun: An earlier call may have done it.
    /// - Throws: ``ODataError``; where the service refuses the content, the entity is gone again. Where it is not, the
    ///   outcome is unknown: the next call continues.
    func send(
        _ content: MediaContent, to attachment: RemoteAttachment, isBegun: Bool, in set: AttachmentSet
    ) async throws {
        // What a service does to a new entity meanwhile is no change of its content.
        let ifMatch = set.content.isStream ? attachment.contentTag : attachment.etag.map { _ in "*" }
        do { try await put(content, to: attachment, ifMatch: ifMatch, in: set) } catch {
            var failure = ODataError(ofChange: error)
            // Content that is there is not replaced: it had arrived.
            let isThere = failure.code == .conflict || failure.code == .preconditionFailed && ifMatch == nil
            if isBegun, isThere { return }
            guard !failure.isOutcomeUnknown else { throw failure }
            failure.isOutcomeUnknown = true
            if !failure.concernsAll, await remove(attachment) { failure.isOutcomeUnknown = false }
            throw failure
        }
    }

    /// - Returns: Whether it is gone.
    private func remove(_ attachment: RemoteAttachment) async -> Bool {
        guard let path = try? await paths.entity(attachment.id) else { return false }
        return (try? await store.provenChange(ChangeRequest(path, .delete))) != nil
    }

    /// - Throws: ``ODataError``; `tooLarge` if the content is too long for a binary property.
    func put(
        _ content: MediaContent, to attachment: RemoteAttachment, ifMatch: String?, in set: AttachmentSet
    ) async throws {
        let path = try await paths.entity(attachment.id).appending(.property(set.content))
        var request = ChangeRequest(path, try await set.replacement(content))
        request.ifMatch = ifMatch
        request.editLink = attachment.editLink
        _ = try await store.provenReplacement(by: request)
    }

    /// All has arrived: what the service says of it now.
    func posted(_ attachment: RemoteAttachment, in set: AttachmentSet) async throws -> PostedAttachment {
        let path = try await paths.entity(attachment.id)
        return PostedAttachment((try? await read(path, in: set)) ?? attachment.withoutTags)
    }

    func payload(_ details: AttachmentDetails, in set: AttachmentSet) -> EntityPayload {
        let type = set.type
        var properties = EdmComplexValue()
        let add = { (name: String?, value: EdmValue, properties: inout EdmComplexValue) in
            if let name, type.property(named: name) != nil { properties[name] = value }
        }
        add(names.name, .string(details.name), &properties)
        add(names.contentType, .string(details.contentType), &properties)
        if let name = names.keywords {
            add(name, .keywords(details.keywords, of: type.property(named: name)), &properties)
        }
        return EntityPayload(properties)
    }
}

extension EntityAttachment.ScanState {
    var tellsOfContent: Bool { [.scanning, .clean, .infected, .failed].contains(self) }

    /// Whether the service may give the content: one that does not look for malware leaves all content unscanned.
    var isReadable: Bool { ![.scanning, .infected, .failed].contains(self) }

    func refusal(of name: String, after cause: ODataError? = nil) -> ODataError {
        let reason =
            switch self {
            case .infected: "the service has found malware in it"
            case .failed: "the service could not look for malware in it"
            default: "the service still has to look for malware in it; list the attachments again later"
            }
        var error = ODataError(.forbidden, "\(name) cannot be read (\(rawValue)): \(reason).", cause: cause)
        error.status = cause?.status
        return error
    }
}
