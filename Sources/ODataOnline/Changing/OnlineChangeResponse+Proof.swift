import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// What proves that the service has carried out a change, in a response of its own and in a part of a batch alike.
extension OnlineChangeResponse {
    /// Whether only the service, which has carried out this operation, sends this: its version, another header of OData's,
    /// control information, or where the entity is that a creation has made.
    ///
    /// [OData-Protocol, sections 8.1.5, 8.2.8, 8.3.3, 8.3.4]
    func isProof(of request: ChangeRequest, model: EdmModel, address: ServiceAddress) -> Bool {
        if fields.tellsVersion || hasControlInformation || namesValue(of: request) { return true }
        if [.oDataEntityID, .repeatabilityResult, .preferenceApplied].contains(where: fields.contains) { return true }
        return status == 201 && namesCreated(by: request, model: model, address: address)
    }

    /// Whether `Location` is the path of an entity that the request may have made: one of its entity set, or of its type
    /// where the set is not known. Any gateway may send another.
    ///
    /// [OData-Protocol, section 8.3.2]
    private func namesCreated(by request: ChangeRequest, model: EdmModel, address: ServiceAddress) -> Bool {
        guard let location = fields[.location], let made = path(id: location, model: model, address: address),
            made.target == .entity, case .key? = made.segments.last
        else { return false }
        switch request.operation {
        case .create, .createMedia:
            guard let set = request.target.entitySet, let own = made.entitySet else {
                return made.entityType(in: model)?.name == request.target.entityType(in: model)?.name
            }
            return set.name == own.name
        case .update, .replace: return made == request.target
        default: return false
        }
    }

    /// Whether `Location` leads to what the service does not make of the request, as that of a login page does: for a
    /// creation to anything but an entity of the set, for other changes out of the service.
    func leadsElsewhere(than request: ChangeRequest, model: EdmModel, address: ServiceAddress) -> Bool {
        guard let location = fields[.location] else { return false }
        switch request.operation {
        case .create, .createMedia: return !namesCreated(by: request, model: model, address: address)
        default:
            guard let url = try? address.link(location, model: model) else { return true }
            return !url.path.hasPrefix(address.root.target)
        }
    }

    /// Whether the body is `{"d":{"Rate":5}}` for the call of `Rate` before V4.
    private func namesValue(of request: ChangeRequest) -> Bool {
        guard dialect.isLegacy, case .call = request.operation, let name = request.target.valueName else {
            return false
        }
        return compactStart.hasPrefix("{\"d\":{\"\(name)\":")
    }

    /// Whether the body is `{"d":{"x":5}}` for the call of `Rate` before V4.
    private func namesOtherValue(than request: ChangeRequest) -> Bool {
        guard dialect.isLegacy, compactStart.hasPrefix("{\"d\":{") else { return false }
        return !namesValue(of: request) && !compactStart.hasPrefix("{\"d\":{\"results\":")
    }

    /// The beginning of the body without blanks.
    private var compactStart: String { String(decoding: body.prefix(256), as: UTF8.self).filter { !$0.isWhitespace } }

    /// Whether the body describes itself what only OData does: a context URL, or before V4 metadata of an entity.
    private var hasControlInformation: Bool {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        guard dialect.isLegacy else {
            return text.contains("$metadata") && (text.contains("@odata.context\"") || text.contains("\"@context\""))
        }
        return text.contains("\"__metadata\"") || text.contains("schemas.microsoft.com/ado")
    }

    /// Whether a body without control information may be the service's: it has properties of the entity, and no key of
    /// another one.
    func isPlausible(_ result: ChangeResult, of request: ChangeRequest, model: EdmModel) async -> Bool {
        guard !body.isEmptyObject else { return true }
        if case .call = request.operation { return await isResult(of: request, model: model) }
        let entity: EdmEntity?
        if request.operation.returnsEntity {
            entity = result.entity
        } else {
            entity = await self.entity(of: request.changedType(in: model), set: nil, model: model)
        }
        guard let entity else { return false }
        guard request.isKey(entity.key) else { return false }
        return !entity.properties.members.isEmpty || entity.id != nil || entity.etag != nil
    }

    /// Whether the body has an id, as the item has that ends an upload at Microsoft Graph.
    var isItem: Bool {
        let start = String(decoding: body.prefix(4096), as: UTF8.self)
        return start.first == "{" && start.contains("\"id\"")
    }

    /// Whether the body is of the kind that the action gives.
    private func isResult(of request: ChangeRequest, model: EdmModel) async -> Bool {
        guard let called = called(by: request, model: model) else { return false }
        switch called.body {
        case .nothing: return false
        case .entities(let reader):
            guard let block = try? await reader.next() else { return false }
            return request.target.target == .collection
                || EntityAssembler(shape: reader.shape).entities(in: block).contains {
                    !$0.properties.members.isEmpty
                }
        case .value(_, .complex): return true
        case .value: return !namesOtherValue(than: request)
        default: return true
        }
    }

    private func entity(of type: EdmStructuredType?, set: EdmEntitySet?, model: EdmModel) async -> EdmEntity? {
        guard let type else { return nil }
        let shape = RowShape.shape(of: [], type: type, set: set, model: model)
        guard let block = try? await reader(shape, kind: .entity)?.next() else { return nil }
        return EntityAssembler(shape: shape).entities(in: block).first
    }
}

extension ChangeRequest {
    /// The type of the entity that is changed: also where a property of it, a stream or a reference is.
    fileprivate func changedType(in model: EdmModel) -> EdmStructuredType? {
        target.entityType(in: model) ?? target.rootSet?.type
    }

    /// Whether an entity with the key may be the one that is changed. A service may write a key otherwise than it was sent.
    fileprivate func isKey(_ key: EntityKey?) -> Bool {
        guard let key, let own = ownKey else { return true }
        return own.components.allSatisfy { component in key[component.name]?.isAlike(component.value) ?? true }
    }

    private var ownKey: EntityKey? {
        switch operation {
        case .create(let payload): target.entitySet.flatMap { EntityKey(of: $0.type, in: payload.properties) }
        case .update, .replace, .delete: if case .key(let key)? = target.segments.last { key } else { nil }
        default: nil
        }
    }
}

extension [UInt8] {
    /// `{}`
    fileprivate var isEmptyObject: Bool {
        prefix(64).filter { $0 > 0x20 }.elementsEqual(Array("{}".utf8)) && count < 64
    }
}
