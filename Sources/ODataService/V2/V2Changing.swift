import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// `POST /v2/Products`; of a stream to a set of media entities.
struct CreateV2Entity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        let isMedia = path.entityType(in: call.model)?.hasStream == true
        if isMedia, call.v2BodyFormat == nil {
            let slug = call.headers[.slug].map { PercentEncoding.decoded($0) }
            return try call.changeRequest(path, .createMedia(try call.mediaContent(), slug: slug))
        }
        return try call.changeRequest(path, .create(try await call.v2Payload(at: path)))
    }
}

/// `MERGE /v2/Products(1)`, and `PATCH` as V3 has it: properties that are not given keep their values.
struct MergeV2Entity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        return try call.changeRequest(path, .update(try await call.v2Payload(at: path)))
    }
}

/// `PUT /v2/Products(1)`
struct ReplaceV2Entity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        return try call.changeRequest(path, .replace(try await call.v2Payload(at: path)))
    }
}

/// `PUT /v2/Products(1)/Name`: `{"Name":"Tea"}`
struct SetV2Property: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        let property = try call.property(of: path)
        let format = try call.requiredV2BodyFormat()
        var body = try await call.collectedBody()
        if format == .verboseJSON, let node = try? JSONParser.parse(body[...]), node["d"] == nil {
            // Requests have no “d” around what they say.
            body = Array(#"{"d":"#.utf8) + body + Array("}".utf8)
        }
        let value = try format.value(body, type: property.type, model: call.model)
        return try call.changeRequest(path, .setValue(value))
    }
}

/// `POST /v2/Categories(1)/$links/Products`, `PUT /v2/Products(1)/$links/Category`: `{"uri":"Categories(2)"}`
struct AddV2Link: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let format = try call.requiredV2BodyFormat()
        guard let id = try format.references(try await call.collectedBody()).references.first else {
            throw ServiceFailure(.badRequest, "The body names no entity.")
        }
        return try call.changeRequest(try call.query().path, .addReference(call.reference(id)))
    }
}

/// `POST /v2/Rename?name='Tea'`: a function import that changes something.
struct CallV2Action: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let query = try call.query()
        guard let operation = query.path.lastCall?.operation else {
            throw ServiceFailure(.notFound, "\(query.path.url) is not a function import.")
        }
        var arguments = EdmComplexValue()
        let form = RequestURL(call.request.url, isFormEncoded: true)
        for parameter in operation.arguments {
            guard let given = call.request.parts[parameter.name] else { continue }
            // As in the queries of V2: a `+` in a string is a blank, in a number it is a sign.
            let text = given.contains("'") ? form[parameter.name] ?? given : given
            arguments[parameter.name] = try call.v2Literal(text, of: parameter)
        }
        var change = try call.changeRequest(query.path, .call(arguments: arguments))
        change.resultOptions = query.options
        return change
    }
}

extension ServiceCall {
    /// The format of the body, by its `Content-Type`; nil where that is neither Atom nor JSON.
    var v2BodyFormat: LegacyFormat? { headers[.contentType].flatMap { LegacyFormat(contentType: $0) } }

    fileprivate func requiredV2BodyFormat() throws -> LegacyFormat {
        try request.checkContentEncoding()
        guard let format = v2BodyFormat else {
            throw ServiceFailure(
                .unsupportedMediaType, "The body must be Atom or JSON, not \(headers[.contentType] ?? "unnamed").")
        }
        return format
    }

    fileprivate func v2Payload(at path: ResourcePath) async throws -> EntityPayload {
        guard let type = path.entityType(in: model) else {
            throw ServiceFailure(.badRequest, "\(path.url) takes no entity.")
        }
        let format = try requiredV2BodyFormat()
        return try format.entity(try await collectedBody(), type: type, model: model) { reference($0) }
    }

    /// `datetime'2024-01-02T00:00:00'` in a URL as a value of the parameter's type.
    fileprivate func v2Literal(_ text: String, of parameter: EdmOperationDeclaration.Parameter) throws -> EdmValue {
        if let type = model.entitySets.first?.type,
            case .literal(let value, _)? = try? parser.expression(text, type: type, set: nil)
        {
            return value
        }
        guard let value = EdmValue(lexical: text, type: parameter.type) else {
            throw ServiceFailure(.badRequest, "\(text) is not a value for \(parameter.name).", target: parameter.name)
        }
        return value
    }

    /// What an action gave.
    func v2Response(toCalled result: ReadResult) async throws -> ServiceResponse {
        switch result.body {
        case .entities:
            return try query().path.target == .collection
                ? try await ReadV2Collection().response(to: result, call: self)
                : try await ReadV2Entity().response(to: result, call: self)
        case .value: return try ReadV2Value().response(to: result, call: self)
        case .count, .nothing, .notModified: return ServiceResponse(.noContent)
        }
    }
}
