import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// A service's success, from a response of its own or from a part of a batch.
struct OnlineChangeResponse: Sendable {
    var status: Int
    var fields: HTTPFields
    /// The entity, or what else the service sent; empty if there is none.
    var body: [UInt8]
    var dialect: ProtocolDialect

    /// What it means: `201 Created` with `Location`, `OData-EntityId`, `ETag` and perhaps the entity, or `204`.
    func result(of request: ChangeRequest, model: EdmModel, address: ServiceAddress) async -> ChangeResult {
        var result = ChangeResult(outcome(of: request.operation))
        result.isRepeatable = fields.tellsRepeatable
        result.entityID = fields[.oDataEntityID] ?? fields[.location]
        result.entity = await entity(of: request, model: model)
        if case .call = request.operation { result.called = called(by: request, model: model) }
        result.etag = fields.entityTag ?? result.entity?.etag
        result.path = path(of: request, result: result, model: model, address: address)
        return result
    }

    /// The error in the body of a success: what the service has done is not known then.
    func error(beside result: ChangeResult) -> ServiceError? {
        guard !body.isEmpty, result.entity == nil, result.called == nil else { return nil }
        return ServiceError(body: body)
    }

    private func outcome(of operation: ChangeRequest.Operation) -> ChangeResult.Outcome {
        switch operation {
        case .create, .createMedia: .created
        case .delete, .deleteStream: .deleted
        case .call: .called
        default: status == 201 ? .created : .updated
        }
    }

    private func entity(of request: ChangeRequest, model: EdmModel) async -> EdmEntity? {
        if case .call = request.operation { return nil }
        guard !body.isEmpty, request.operation.returnsEntity, let type = request.target.entityType(in: model) else {
            return nil
        }
        let payload: EntityPayload? =
            switch request.operation {
            case .create(let payload), .update(let payload), .replace(let payload): payload
            default: nil
            }
        let shape = RowShape.shape(
            of: payload.map { [$0] } ?? [], type: type, set: request.target.entitySet, model: model)
        guard let block = try? await reader(shape, kind: .entity)?.next() else { return nil }
        return EntityAssembler(shape: shape).entities(in: block).first
    }

    func reader(_ shape: RowShape, kind: PayloadKind) -> (any EntityReader)? {
        let content = ByteContent(body)
        guard dialect.isLegacy else { return JSONEntityReader(content, shape: shape, kind: kind) }
        return format?.reader(content, shape: shape, kind: kind)
    }

    private func path(
        of request: ChangeRequest, result: ChangeResult, model: EdmModel, address: ServiceAddress
    ) -> ResourcePath? {
        // Before V4 the key in the body is surer than the spelling of an id.
        if dialect.isLegacy, let path = keyPath(of: request, result: result) { return path }
        if let id = result.entityID, let path = path(id: id, model: model, address: address) { return path }
        if let path = keyPath(of: request, result: result) { return path }
        let target = request.target
        guard case .entitySet = target.root, target.segments.count == 1, case .key = target.segments[0] else {
            return nil
        }
        return target
    }

    /// What the body is written in before V4.
    var format: LegacyFormat? {
        guard dialect.isLegacy else { return nil }
        return fields[.contentType].map { LegacyFormat(contentType: $0) } ?? dialect.format
    }

    private func keyPath(of request: ChangeRequest, result: ChangeResult) -> ResourcePath? {
        guard let key = result.entity?.key, let set = request.target.entitySet else { return nil }
        return ResourcePath(set, key: key)
    }

    /// The path of an id that may be relative, or name the service by another host than the one it is reached at.
    func path(id: String, model: EdmModel, address: ServiceAddress) -> ResourcePath? {
        guard let url = try? address.link(id, model: model) else { return nil }
        let parser = QueryParser(model: model)
        return parser.entityPath(ofAnyVersion: url.description, serviceRoot: address.root.description)
    }
}

extension RowShape {
    /// The shape of an entity as it was sent, so that what was created with it is read too.
    static func shape(
        of payloads: [EntityPayload], type: EdmStructuredType, set: EdmEntitySet?, model: EdmModel
    ) -> RowShape {
        var nested: [(name: String, entities: [EntityPayload])] = []
        for item in payloads.flatMap(\.nested) {
            if let index = nested.firstIndex(where: { $0.name == item.navigation }) {
                nested[index].entities += item.entities
            } else {
                nested.append((item.navigation, item.entities))
            }
        }
        let children: [Child] = nested.compactMap { item in
            guard let navigation = type.navigationProperty(named: item.name),
                let target = model.target(of: navigation)
            else { return nil }
            let targetSet = model.targetSet(of: navigation, from: set)
            return Child(
                navigation: navigation,
                shape: shape(of: item.entities, type: target, set: targetSet, model: model))
        }
        return shape(type: type, set: set, model: model, children: children)
    }
}
