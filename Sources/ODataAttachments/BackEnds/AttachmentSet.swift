import ByteStreams
import ODataModel
import ODataQuery
import ODataStores

/// Where the attachments of one entity are, and of what type.
struct AttachmentSet: Sendable {
    /// The property that distinguishes one attachment from another, and whose value can be made here.
    struct Key: Sendable {
        let property: EdmProperty

        func member(_ key: EdmGuid) -> EdmComplexValue.Member {
            let isGuid = property.type == .primitive(.guid)
            return .init(name: property.name, value: isGuid ? .guid(key) : .string(key.description))
        }

        /// As ``AttachmentDraft/key``.
        func text(of entity: EdmEntity) -> String? {
            switch entity[property.name] {
            case .guid(let key)?: key.description.uppercased()
            case .string(let key)?: key.uppercased()
            default: nil
            }
        }
    }

    /// Content of a binary property is a value in memory, here and at the service.
    static let binaryLimit = 64 << 20

    let collection: ResourcePath
    let type: EdmStructuredType
    /// A stream property, or a binary one.
    let content: EdmProperty
    let key: Key
    /// What is read of the entities: not the content.
    let options: QueryOptions

    init(_ path: ResourcePath, _ names: AttachmentSetBackEnd.PropertyNames, _ model: EdmModel) throws(ODataError) {
        guard case .collection(.entity(let name))? = path.valueType, let type = model.structuredType(named: name) else {
            throw ODataError(.badRequest, "\(path.url) does not lead to a collection of entities.")
        }
        let content = try Self.content(of: type, named: names.content)
        // What relates an attachment to its owner comes from there.
        let related = Set(type.navigationProperties.flatMap(\.constraints).map(\.property))
        let own = type.key.filter { !related.contains($0) }.compactMap { type.property(named: $0) }
        guard let key = own.first, own.count == 1, !key.isTagged(EdmAnnotation.computed),
            [.primitive(.guid), .string].contains(key.type)
        else {
            throw ODataError(
                .badRequest,
                "The key of \(type.name.name) cannot be made here, so that additions might be made twice: it must be one "
                    + "GUID or string.")
        }
        (collection, self.type, self.content, self.key) = (path, type, content, Key(property: key))
        var options = QueryOptions()
        if !content.isStream {
            let read = [names.name, names.contentType, names.scanState, names.size, names.keywords].compactMap(\.self)
            let shown = type.properties.filter { type.key.contains($0.name) || read.contains($0.name) }
            options.select = shown.map { .property([$0]) }
        }
        self.options = options
    }

    private static func content(of type: EdmStructuredType, named name: String?) throws(ODataError) -> EdmProperty {
        let named = type.properties.filter { $0.name == name ?? $0.name }
        let streams = named.filter(\.isStream)
        let found =
            streams.isEmpty
            ? named.filter { $0.type == .primitive(.binary) && !type.key.contains($0.name) } : streams
        guard let content = found.first, found.count == 1 else {
            throw ODataError(
                .badRequest,
                "\(type.name.name) has \(found.count) stream properties or binary ones that may be the content: one must be "
                    + "named.")
        }
        return content
    }

    /// `attachments(0b1f…)/content`, of a binary property its raw value.
    func contentPath(of entity: ResourcePath) -> ResourcePath {
        let path = entity.appending(.property(content))
        return content.isStream ? path : path.appending(.value)
    }

    /// What takes the place of the content.
    ///
    /// - Throws: ``ODataError`` `tooLarge`, and what reading the content throws.
    func replacement(_ media: MediaContent) async throws -> ChangeRequest.Operation {
        guard !content.isStream else { return .replaceStream(media) }
        do {
            let bytes = try await media.content.collect(upTo: Self.binaryLimit)
            return .setRawValue(bytes, contentType: media.contentType)
        } catch let error as ByteStreamError where error.code == .tooLong {
            throw ODataError(.tooLarge, "\(content.name) takes \(Self.binaryLimit) bytes at most.", cause: error)
        }
    }

    /// Whether content has surely arrived: the service knows its version, or has begun to look at it. States other than
    /// those of a malware scan do not say so.
    func hasContent(_ attachment: RemoteAttachment) -> Bool {
        if content.isStream, attachment.contentTag != nil { return true }
        return attachment.scanState?.tellsOfContent ?? false
    }

    /// Of content that nothing else indicates the type of.
    var contentType: String {
        guard case .string(let type)? = content.annotation(EdmAnnotation.mediaType), type.contains("/") else {
            return "application/octet-stream"
        }
        return type
    }
}
