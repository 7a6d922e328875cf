import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// Responds to a change that has happened. A request whose response cannot be as the client wishes is refused before.
///
/// [OData-Protocol, sections 8.2.8.7, 9.1 and 11.4]
struct ChangeResponse: Sendable {
    let call: ServiceCall
    let request: ChangeRequest

    /// Refuses a request whose response could not be written, before anything is changed.
    ///
    /// - Throws: 406
    func checkFormat() throws {
        guard needsBody else { return }
        if call.request.isV2 { _ = try call.v2Format() } else { _ = try call.format() }
    }

    /// Whether the response certainly has a body. An update may create what is not there: then it has one if it can.
    private var needsBody: Bool {
        switch request.operation {
        case .create, .createMedia: wanted != .minimal
        case .call: wanted != .minimal && request.target.lastCall?.operation.result != nil
        default: wanted == .representation && hasRepresentation && !call.request.isV2
        }
    }

    /// What is returned: `$select` and `$expand` ask for the entity, whatever the preference is; but a creation in 4.0
    /// keeps to `return=minimal`.
    ///
    /// [OData-Protocol, sections 11.4.2 and 11.4.3]
    private var wanted: ChangeRequest.ReturnPreference? {
        isEntitySelected ? .representation : request.returnPreference
    }

    private var isEntitySelected: Bool {
        switch request.operation {
        case .create, .createMedia: if call.version == .v4, request.returnPreference == .minimal { return false }
        case .update, .replace: guard case .entity = request.target.target else { return false }
        default: return false
        }
        guard !call.request.isV2, case .query(let query) = call.resource else { return false }
        return query.options.select != nil || !query.options.expand.isEmpty || !query.options.streams.isEmpty
    }

    func response(_ result: ChangeResult) async throws -> ServiceResponse {
        var response = try await body(result)
        var headers = response.head.headerFields
        if result.outcome != .deleted, let etag = result.etag { headers[.eTag] = etag }
        if result.outcome == .created, let id = entityID(result) {
            headers[.location] = id
            headers[.oDataEntityID] = id
        } else if response.head.status == .noContent, result.outcome == .updated,
            case .entity = request.target.target,
            let id = entityID(result)
        {
            headers[.oDataEntityID] = id
        }
        if request.repeatability != nil, result.isRepeatable { headers[.repeatabilityResult] = "accepted" }
        let status = response.head.status
        let applied =
            (isPreferenceApplied(status) ? ["return"] : [])
            + (status == .noContent || call.request.isV2 ? [] : ["omit-values"])
        headers[.preferenceApplied] = call.preferences.applied(applied)
        response.head.headerFields = headers
        return response
    }

    /// 201 with the entity, 200 with what was changed if asked for, else 204.
    private func body(_ result: ChangeResult) async throws -> ServiceResponse {
        switch result.outcome {
        case .deleted: return ServiceResponse(.noContent)
        case .called:
            guard let called = result.called else { return ServiceResponse(.noContent) }
            if result.isRepeatable { return await shown { try await response(toAction: called) } }
            return try await response(toAction: called)
        case .created:
            if wanted == .minimal { return ServiceResponse(.noContent) }
            return await shown { try await representation(result, status: .created) }
        case .updated:
            guard wanted == .representation, hasRepresentation else {
                return ServiceResponse(.noContent)
            }
            return await shown {
                if let members = result.members { return try await call.response(toMembers: members) }
                return try await representation(result, status: .ok)
            }
        }
    }

    /// What an action gave.
    private func response(toAction called: ReadResult) async throws -> ServiceResponse {
        call.request.isV2
            ? try await call.v2Response(toCalled: called) : try await call.response(toCalled: called)
    }

    /// The response to a change that has happened is not an error: what cannot be shown is left out.
    private func shown(_ response: () async throws -> ServiceResponse) async -> ServiceResponse {
        do { return try await response() } catch {
            call.service.configuration.logger.error(
                "A change was made, but its response could not be.", metadata: ["error": "\(error)"])
            return ServiceResponse(.noContent)
        }
    }

    private var hasRepresentation: Bool {
        switch request.operation {
        case .create, .createMedia, .update, .replace, .setValue, .setRawValue, .insertValue: true
        case .delete, .addReference, .removeReference, .replaceStream, .deleteStream, .call: false
        }
    }

    private func isPreferenceApplied(_ status: HTTPResponse.Status) -> Bool {
        switch request.returnPreference {
        case .minimal: status == .noContent && hasRepresentation
        case .representation: status != .noContent
        case nil: false
        }
    }

    /// The entity that the store gave, or its response to a read of it.
    private func representation(_ result: ChangeResult, status: HTTPResponse.Status) async throws -> ServiceResponse {
        if call.request.isV2 {
            guard status == .created, let path = result.path else { return ServiceResponse(.noContent) }
            var response = try await ReadV2Entity().respond(to: try call.reading(path))
            response.head.status = status
            return response
        }
        if case .property = request.target.target {
            // The entity of `$1/Name` is only known by its change.
            if case .contentID = request.target.root { return ServiceResponse(.noContent) }
            return try await ReadProperty().respond(to: try call.reading(request.target.resource))
        }
        let options = try call.query().options
        if let entity = result.entity, (options.select ?? []).isEmpty, options.expand.isEmpty, options.streams.isEmpty {
            return try written(entity, status: status)
        }
        guard let path = result.path else { return ServiceResponse(.noContent) }
        var response = try await ReadEntity().respond(to: try call.reading(path))
        response.head.status = status
        return response
    }

    private func written(_ entity: EdmEntity, status: HTTPResponse.Status) throws -> ServiceResponse {
        let format = try call.format()
        let path = entity.entitySet.map { ResourcePath($0, key: entity.key) } ?? request.target
        var shown = BoundQuery(path: path)
        shown.options.expand = expanded(in: entity)
        let context = ContextURL(call).entities(shown, suffix: "/$entity")
        let options = call.writerOptions(format, contextURL: context)
        let bytes = JSONPayload.bytes(entity: entity, model: call.model, options: options)
        var headers = HTTPFields()
        headers[.eTag] = entity.etag
        return ServiceResponse(status, headers: headers, contentType: format.contentType, body: ByteContent(bytes))
    }

    /// What was created with the entity, as the `$expand` that would show it.
    private func expanded(in entity: EdmEntity) -> [ExpandItem] {
        entity.type.navigationProperties.compactMap { navigation in
            guard let content = entity.expanded[navigation.name], let type = call.model.target(of: navigation) else {
                return nil
            }
            var item = ExpandItem(navigation: navigation, targetSet: nil, targetType: type)
            let first: EdmEntity? =
                switch content {
                case .one(let entity): entity
                case .many(let entities, _): entities.first
                }
            item.options.expand = first.map { expanded(in: $0) } ?? []
            return item
        }
    }

    /// The absolute id of the entity that was made.
    private func entityID(_ result: ChangeResult) -> String? {
        if call.request.isV2, let url = try? result.path?.legacyURL() { return call.root.absolute(url) }
        return (result.path?.url ?? result.entityID ?? result.entity?.id).map(call.root.absolute)
    }
}
