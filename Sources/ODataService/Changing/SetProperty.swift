import ByteStreams
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// `PUT Products(1)/Name`: `{"value":"Tea"}`
///
/// [OData-Protocol, section 11.4.9]
struct SetProperty: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        let property = try call.property(of: path)
        let value = try JSONPayload.value(
            try await call.jsonBody(), type: property.type, model: call.model, name: path.valuePath)
        return try call.changeRequest(path, .setValue(value))
    }
}

/// `PATCH Products(1)/Address`: members that are not given keep their values.
///
/// [OData-Protocol, section 11.4.9.3]
struct UpdateComplexProperty: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        let property = try call.property(of: path)
        var value = try JSONPayload.value(
            try await call.jsonBody(), type: property.type, model: call.model, name: path.valuePath)
        guard !value.isNull else { throw ServiceFailure(.badRequest, "\(property.name) is updated by an object.") }
        var entity = path
        var name = ""
        while case .property(let property) = entity.segments.last {
            if !name.isEmpty { value = .complex(EdmComplexValue([.init(name: name, value: value)])) }
            name = property.name
            entity.segments.removeLast()
        }
        let payload = EntityPayload(EdmComplexValue([.init(name: name, value: value)]))
        return try call.changeRequest(entity, .update(payload))
    }
}

/// `POST Products(1)/Tags`: `{"value":"new"}` is added, at the end or where `$index` says.
///
/// [OData-Protocol, section 11.4.9.5 of 4.01]
struct InsertValue: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let query = try call.query()
        let property = try call.property(of: query.path)
        guard case .collection(let element) = property.type else {
            throw ServiceFailure(.badRequest, "\(property.name) is not a collection.")
        }
        let value = try JSONPayload.value(
            try await call.jsonBody(), type: element, model: call.model, name: query.path.valuePath)
        return try call.changeRequest(query.path, .insertValue(value, at: query.options.index))
    }
}

/// `DELETE Products(1)/Tags`: the collection is empty then.
struct ClearCollection: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        try call.changeRequest(try call.query().path, .setValue(.collection([])))
    }
}

/// `PUT Products(1)/Name/$value`
struct SetRawValue: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        let contentType = call.headers[.contentType]
        try call.request.checkContentEncoding()
        try call.checkContentType()
        guard MediaType(contentType)?.isUTF8 ?? true else {
            throw ServiceFailure(.unsupportedMediaType, "Text must be UTF-8, not \(contentType ?? "").")
        }
        return try call.changeRequest(path, .setRawValue(try await call.collectedBody(), contentType: contentType))
    }
}

/// `DELETE Products(1)/Name`: null
struct DeleteProperty: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path.resource
        let property = try call.property(of: path)
        guard property.isNullable else {
            let problem = ValueProblem(path.valuePath, ValueProblem.mustNotBeNull)
            throw ServiceFailure(.badRequest, problem.message, target: property.name)
        }
        return try call.changeRequest(path, .setValue(.null))
    }
}

extension ResourcePath {
    /// From the entity to the value: `Address/City`
    fileprivate var valuePath: String {
        segments.compactMap { if case .property(let property) = $0 { property.name } else { nil } }
            .joined(separator: "/")
    }
}

extension ServiceCall {
    func property(of path: ResourcePath) throws -> EdmProperty {
        guard case .property(let property) = path.target else {
            throw ServiceFailure(.notFound, "\(path.url) is not a property.")
        }
        return property
    }
}
