import ByteStreams
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores

/// A change as V1 to V3 write it.
///
/// [OData V2: Operations; OData V3 Core]
struct LegacyChange {
    let request: ChangeRequest
    let model: EdmModel
    let references: EntityIDWriter
    let dialect: ProtocolDialect

    init(_ request: ChangeRequest, model: EdmModel, references: EntityIDWriter, dialect: ProtocolDialect) {
        self.request = request
        self.model = model
        self.references = references
        self.dialect = dialect
    }

    private var target: ResourcePath { request.target }

    func outgoing() throws -> OutgoingChange {
        switch request.operation {
        case .create(let payload): return try entity(.post, payload)
        case .update(let payload): return try entity(HTTPRequest.Method(dialect.updateMethod) ?? .patch, payload)
        case .replace(let payload): return try entity(.put, payload)
        case .createMedia(let media, let slug):
            var change = try change(.post, target, type: media.contentType, content: media.content)
            change.fields.setSlug(slug)
            return change
        case .delete: return try change(.delete, target)
        case .setValue(let value): return try set(value)
        case .setRawValue(let bytes, let type):
            let path = target.resource.appending(.value)
            return try change(.put, path, type: type ?? "text/plain", content: ByteContent(bytes))
        case .insertValue:
            throw ODataError(.notImplemented, "Members of \(target.url) cannot be inserted one by one; set the whole.")
        case .addReference(let reference): return try add(reference)
        case .removeReference(let reference): return try remove(reference)
        case .replaceStream(let media):
            return try change(.put, target.streamPath, type: media.contentType, content: media.content)
        case .deleteStream: return try change(.delete, target.streamPath)
        case .call(let arguments): return try call(arguments)
        }
    }

    private func change(
        _ method: HTTPRequest.Method, _ path: ResourcePath, type: String? = nil, content: ByteContent? = nil
    ) throws -> OutgoingChange {
        var change = OutgoingChange(method, path: try dialect.url(of: path), link: request.editLink)
        change.fields[.contentType] = type
        change.body = content
        return change
    }

    private func entity(_ method: HTTPRequest.Method, _ payload: EntityPayload) throws -> OutgoingChange {
        guard let type = target.entityType(in: model) else {
            throw ODataError.notEntities(target.url)
        }
        var options = LegacyWriterOptions(serviceRoot: references.root.description)
        options.version = dialect.version
        let bytes = try writable {
            try dialect.format.bytes(payload, type: type, model: model, options: options, url: references.text)
        }
        return try change(method, target, type: dialect.contentType, content: ByteContent(bytes))
    }

    /// - Throws: ``ODataError`` `badRequest` for text that the format has no spelling for: it is not sent without it.
    private func writable(_ write: () throws -> [UInt8]) throws -> [UInt8] {
        do { return try write() } catch let error as FormatError {
            throw ODataError(.badRequest, error.message, cause: error)
        }
    }

    /// `PUT Products(1)/Name` with `<d:Name>Tea</d:Name>`; `DELETE Products(1)/Name/$value` for null.
    private func set(_ value: EdmValue) throws -> OutgoingChange {
        guard case .property(let property) = target.target else {
            throw ODataError.notAProperty(target.url)
        }
        guard !value.isNull else { return try change(.delete, target.resource.appending(.value)) }
        var bytes = try writable {
            try dialect.format.bytes(
                value: value, name: property.name, type: property.type, annotations: property.annotations, model: model,
                version: dialect.version)
        }
        // In a request the value stands without `d`.
        if dialect.format == .verboseJSON { bytes = Array(bytes.dropFirst(#"{"d":"#.utf8.count).dropLast()) }
        return try change(.put, target, type: dialect.contentTypeSmall, content: ByteContent(bytes))
    }

    // MARK: Links

    /// `POST Categories(1)/$links/Products`, `PUT Products(1)/$links/Category`
    private func add(_ reference: EntityReference) throws -> OutgoingChange {
        let bytes = dialect.format.bytes(reference: references.text(reference))
        let method: HTTPRequest.Method = target.resource.target == .collection ? .post : .put
        return try change(
            method, target.resource.appending(.ref), type: dialect.contentTypeSmall, content: ByteContent(bytes))
    }

    /// `DELETE Categories(1)/$links/Products(5)`, `DELETE Products(1)/$links/Category`
    private func remove(_ reference: EntityReference?) throws -> OutgoingChange {
        var change = try change(.delete, target.resource.appending(.ref))
        guard target.resource.target == .collection, let reference else { return change }
        let id = dialect.url(of: reference)
        guard let open = id.lastIndex(of: "("), id.hasSuffix(")") else {
            throw ODataError(.badRequest, "The id \(id) has no key, which the service requires in the link's address.")
        }
        change.path += id[open...]
        return change
    }

    // MARK: Function imports

    /// `POST Rate?ID=1&stars=5`: arguments stand in the query.
    private func call(_ arguments: EdmComplexValue) throws -> OutgoingChange {
        guard case .operation(var call) = target.root, target.segments.isEmpty else {
            throw ODataError(.notImplemented, "Bound actions cannot be called in OData V2.")
        }
        call.arguments = call.operation.arguments.compactMap { parameter in
            guard let value = arguments[parameter.name], !value.isNull else { return nil }
            return OperationCall.Argument(name: parameter.name, value: .literal(value, parameter.type))
        }
        let query = BoundQuery(path: ResourcePath(root: .operation(call)))
        let method = call.importName.flatMap { model.operationImport(named: $0)?.httpMethod }
        var change = OutgoingChange(
            method.flatMap { HTTPRequest.Method($0) } ?? .post, path: try dialect.url(of: query))
        change.fields[.accept] = dialect.accept
        return change
    }
}

extension OutgoingChange {
    /// `POST` with `X-HTTP-Method: MERGE`.
    mutating func tunnel() {
        guard method != .post else { return }
        fields[.methodOverride] = method.rawValue
        method = .post
    }
}
