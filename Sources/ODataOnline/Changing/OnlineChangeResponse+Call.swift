import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

extension OnlineChangeResponse {
    /// What an action gave; nil if the body is not that.
    ///
    /// [OData-Protocol, section 11.5.5.1]
    func called(by request: ChangeRequest, model: EdmModel) -> ReadResult? {
        guard !body.isEmpty else { return ReadResult(.nothing, etag: fields.entityTag) }
        let query = BoundQuery(path: request.target, options: request.resultOptions)
        switch request.target.target {
        case .collection, .entity:
            let kind: PayloadKind = request.target.target == .collection ? .collection : .entity
            guard let shape = try? RowShape.shape(of: query, model: model), let reader = reader(shape, kind: kind)
            else { return nil }
            return ReadResult(.entities(reader), etag: fields.entityTag)
        case .value(let type):
            let value: EdmValue? =
                if dialect.isLegacy {
                    try? format?.value(body, type: type, name: request.target.valueName, model: model)
                } else {
                    try? JSONPayload.value(body, type: type, model: model)
                }
            return value.map { ReadResult(.value($0, type), etag: fields.entityTag) }
        case .nothing, .property, .stream: return ReadResult(.nothing, etag: fields.entityTag)
        }
    }
}

extension ResourcePath {
    /// The name under which verbose JSON has the value that the path leads to: of the property or the operation.
    var valueName: String? {
        switch segments.last {
        case .property(let property)?: return property.name
        case .operation(let call)?: return call.importName ?? call.operation.name.name
        default:
            guard segments.isEmpty, case .operation(let call) = root else { return nil }
            return call.importName ?? call.operation.name.name
        }
    }
}
