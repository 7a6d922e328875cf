import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// A change as HTTP: for a request of its own, or a part of a batch.
struct OutgoingChange: Sendable {
    var method: HTTPRequest.Method
    /// Relative to the service root, percent-encoded.
    var path: String
    /// A link of the service that is used instead of ``path``.
    var link: String?
    var fields: HTTPFields = [:]
    var body: ByteContent?

    init(_ method: HTTPRequest.Method, path: String, link: String? = nil) {
        self.method = method
        self.path = path
        self.link = link
    }

    private init(_ method: HTTPRequest.Method, _ path: ResourcePath, link: String? = nil) {
        self.init(method, path: path.url, link: link)
    }

    private init(
        _ method: HTTPRequest.Method, _ path: ResourcePath, link: String? = nil, type: String, content: ByteContent
    ) {
        self.init(method, path, link: link)
        fields[.contentType] = type
        body = content
    }

    init(
        _ request: ChangeRequest, model: EdmModel, root: AbsoluteURL, dialect: ProtocolDialect, editLinks: EditLinks
    ) throws {
        let request = try request.withRemovedLinks(in: model)
        if case .create = request.operation, request.target.entityType(in: model)?.hasStream == true {
            throw ODataError.needsStream(request.target.url)
        }
        let references = EntityIDWriter(root: root, dialect: dialect)
        self =
            dialect.isLegacy
            ? try LegacyChange(request, model: model, references: references, dialect: dialect).outgoing()
            : try Self.operation(request, model: model, references: references)
        // A stream has a link of its own.
        let own = request.operation.isOfStream ? nil : request.editLink
        if link == nil || own != nil {
            link = try editLinks.url(path, of: request.target, dialect: dialect, link: own) ?? own
        }
        fields[.ifMatch] = request.ifMatch ?? (request.mustExist && !dialect.isLegacy ? "*" : nil)
        fields[.ifNoneMatch] = request.ifNoneMatch
        // Services refuse it of media entities: the body is the stream, and the response names the entity.
        let isMedia = if case .createMedia = request.operation { true } else { false }
        if let preference = request.returnPreference, !isMedia { fields.prefer(dialect.preference(preference)) }
        if request.operation.returnsEntity || request.returnPreference != nil {
            fields[.accept] = dialect.accept
        }
        if let repeatability = request.repeatability {
            fields[.repeatabilityRequestID] = repeatability.requestID
            fields[.repeatabilityFirstSent] = repeatability.firstSent
        }
        if dialect.isLegacy, dialect.tunnelsMethods { tunnel() }
        try fields.append(request.headers)
    }

    private static func operation(
        _ request: ChangeRequest, model: EdmModel, references: EntityIDWriter
    ) throws -> OutgoingChange {
        let target = request.target
        switch request.operation {
        case .create(let payload):
            return try entity(.post, target, payload, model: model, references: references)
        case .update(let payload):
            return try entity(.patch, target, payload, model: model, references: references)
        case .replace(let payload):
            return try entity(.put, target, payload, model: model, references: references)
        case .createMedia(let media, let slug):
            var change = OutgoingChange(.post, target, type: media.contentType, content: media.content)
            change.fields.setSlug(slug)
            return change
        case .delete:
            return OutgoingChange(.delete, target)
        case .setValue(let value):
            return try set(value, target: target, model: model)
        case .insertValue(let value, let index):
            return try insert(value, at: index, target: target, model: model)
        case .setRawValue(let bytes, let type):
            let path = target.ending(with: .value)
            return OutgoingChange(.put, path, type: type ?? "text/plain", content: ByteContent(bytes))
        case .addReference, .removeReference:
            return reference(request.operation, target: target, references: references)
        case .replaceStream(let media):
            let path = target.streamPath
            return OutgoingChange(
                .put, path, link: request.editLink, type: media.contentType, content: media.content)
        case .deleteStream:
            return OutgoingChange(.delete, target.streamPath, link: request.editLink)
        case .call(let arguments):
            let bytes = EdmValue.complex(arguments).jsonText
            return OutgoingChange(.post, target, type: "application/json", content: ByteContent(bytes))
        }
    }

    private static func entity(
        _ method: HTTPRequest.Method, _ target: ResourcePath, _ payload: EntityPayload, model: EdmModel,
        references: EntityIDWriter
    ) throws -> OutgoingChange {
        guard let type = target.entityType(in: model) else {
            throw ODataError.notEntities(target.url)
        }
        let bytes = JSONPayload.bytes(payload, type: type, model: model, url: references.text)
        return OutgoingChange(method, target, type: "application/json", content: ByteContent(bytes))
    }

    /// `PUT Products(1)/Name` with `{"value":"Tea"}`; `DELETE Products(1)/Name` for null.
    private static func set(_ value: EdmValue, target: ResourcePath, model: EdmModel) throws -> OutgoingChange {
        guard case .property(let property) = target.target else {
            throw ODataError.notAProperty(target.url)
        }
        guard !value.isNull else { return OutgoingChange(.delete, target) }
        let bytes = JSONPayload.bytes(value: value, type: property.type, model: model)
        return OutgoingChange(.put, target, type: "application/json", content: ByteContent(bytes))
    }

    /// `POST Products(1)/Tags?$index=0` with `{"value":"green"}`
    ///
    /// [OData-Protocol, section 11.4.9.4]
    private static func insert(
        _ value: EdmValue, at index: Int?, target: ResourcePath, model: EdmModel
    ) throws -> OutgoingChange {
        guard case .property(let property) = target.target, case .collection(let element) = property.type else {
            throw ODataError(.badRequest, "The path \(target.url) does not lead to a collection of values.")
        }
        let bytes = JSONPayload.bytes(value: value, type: element, model: model)
        var change = OutgoingChange(.post, target, type: "application/json", content: ByteContent(bytes))
        if let index { change.path += "?$index=\(index)" }
        return change
    }

    /// `POST Orders(1)/Items/$ref` with `{"@odata.id":"…"}`, `DELETE Orders(1)/Items/$ref?$id=…`
    private static func reference(
        _ operation: ChangeRequest.Operation, target: ResourcePath, references: EntityIDWriter
    ) -> OutgoingChange {
        let path = target.ending(with: .ref)
        switch operation {
        case .addReference(let reference):
            let bytes = JSONPayload.bytes(reference: references.text(reference))
            let method: HTTPRequest.Method = target.resource.target == .collection ? .post : .put
            return OutgoingChange(method, path, type: "application/json", content: ByteContent(bytes))
        case .removeReference(let reference?) where target.resource.target == .collection:
            var change = OutgoingChange(.delete, path)
            change.path += "?$id=" + references.queryText(reference)
            return change
        default:
            return OutgoingChange(.delete, path)
        }
    }
}

extension ChangeRequest.Operation {
    fileprivate var isOfStream: Bool {
        switch self {
        case .replaceStream, .deleteStream: true
        default: false
        }
    }
}

extension ChangeRequest {
    /// - Throws: ``ODataError`` `badRequest` for what takes more than one request.
    fileprivate func withRemovedLinks(in model: EdmModel) throws -> ChangeRequest {
        let parts = separatingRemovedLinks(in: model)
        guard parts.count == 1 else {
            throw ODataError(
                .badRequest,
                """
                The update of \(target.url) removes the link \(parts[1].target.url) too: make that a change of its own.
                """)
        }
        return parts[0]
    }
}

extension ResourcePath {
    fileprivate func ending(with segment: Segment) -> ResourcePath { resource.appending(segment) }
}

extension HTTPFields {
    /// `Slug: Caf%C3%A9 50%25.png`: the name of a file.
    ///
    /// [RFC 5023, section 9.7.1]
    package mutating func setSlug(_ slug: String?) {
        let allowed: Set<UInt8> = Set(0x20...0x7E).subtracting([UInt8(ascii: "%")])
        self[.slug] = slug?.fileName.map { percentEncoded($0, allowing: allowed) }
    }
}
