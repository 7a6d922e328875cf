import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import Synchronization

/// A model as the service publishes it.
final class PublishedMetadata: Sendable {
    enum Format: Sendable {
        case xml
        case json
        /// XML of V2
        case v2

        fileprivate var contentType: String {
            switch self {
            case .xml: "application/xml"
            case .json: "application/json"
            case .v2: "application/xml;charset=utf-8"
            }
        }
    }

    let model: EdmModel
    let parser: QueryParser
    let v2Parser: QueryParser
    private let described: EdmModel
    private let refersToVocabularies: Bool
    /// Those that `$schemaversion` can ask for.
    let schemaVersions: Set<String>
    private let documents = Mutex<[DocumentKey: MetadataDocument]>([:])
    /// By the root that they name; clients choose it with `Host`.
    private let serviceDocuments = BoundedCache<ServiceDocumentKey, MetadataDocument>(limit: 16)
    /// What URLs stand for in this model.
    let boundURLs = BoundedCache<BoundURL.Key, BoundURL>(limit: 128)
    private let layouts = BoundedCache<LayoutKey, JSONLayout>(limit: 64)

    private struct DocumentKey: Hashable {
        var format: Format
        var version: ProtocolVersion
    }

    /// A layout holds its shape, so that no other one has the same identifier while the layout is kept.
    private struct LayoutKey: Hashable {
        var shape: ObjectIdentifier
        var form: JSONWriterOptions.Form
    }

    private struct ServiceDocumentKey: Hashable {
        var root: String?
        var contentType: String
        var version: ProtocolVersion
    }

    init(_ model: EdmModel, of service: ODataService) {
        self.model = model
        parser = QueryParser(model: model)
        v2Parser = QueryParser(model: model, conventions: .legacy)
        refersToVocabularies = service.configuration.refersToVocabularies
        described = ServiceCapabilities.annotated(model, service)
        schemaVersions = Set(described.schemas.compactMap { $0.annotation(SchemaVersion.term)?.string })
    }

    /// The metadata document for a client of `version`, made when it is first asked for.
    ///
    /// - Throws: ``ServiceFailure`` where the format has no place for what the model has.
    func document(_ format: Format, _ version: ProtocolVersion) throws -> MetadataDocument {
        let key = DocumentKey(format: format, version: version)
        if let known = documents.withLock({ $0[key] }) { return known }
        let made = MetadataDocument(
            try bytes(format, version), contentType: format.contentType, version: version)
        documents.withLock { $0[key] = made }
        return made
    }

    /// The service document in `format`, made when it is first asked for at `root`.
    func serviceDocument(_ format: ResponseFormat, _ version: ProtocolVersion, root: String) -> MetadataDocument {
        let key = Self.key(format, version, root: root)
        if let known = serviceDocuments[key] { return known }
        let made = MetadataDocument(
            JSONPayload.serviceDocument(model: model, serviceRoot: key.root), contentType: key.contentType,
            version: version)
        serviceDocuments.insert(made, for: key)
        return made
    }

    /// The metadata document for a client of `version`; nil before it is first asked for.
    func keptDocument(_ format: Format, _ version: ProtocolVersion) -> MetadataDocument? {
        documents.withLock { $0[DocumentKey(format: format, version: version)] }
    }

    /// The service document; nil before it is first asked for at `root`.
    func keptServiceDocument(
        _ format: ResponseFormat, _ version: ProtocolVersion, root: String
    ) -> MetadataDocument? { serviceDocuments[Self.key(format, version, root: root)] }

    private static func key(
        _ format: ResponseFormat, _ version: ProtocolVersion, root: String
    ) -> ServiceDocumentKey {
        ServiceDocumentKey(
            root: format.metadata == .none ? nil : root, contentType: format.contentType, version: version)
    }

    /// How rows of `shape` are written, made when such rows are first written so.
    func layout(_ shape: RowShape, _ options: JSONWriterOptions) -> JSONLayout {
        let key = LayoutKey(shape: ObjectIdentifier(shape), form: options.form)
        if let known = layouts[key] { return known }
        let made = JSONLayout(shape: shape, options: options)
        layouts.insert(made, for: key)
        return made
    }

    private func bytes(_ format: Format, _ version: ProtocolVersion) throws -> [UInt8] {
        let edition: ODataVersion = version == .v4 ? .v4 : .v401
        do {
            switch format {
            case .xml: return try CSDL.xml(described, version: edition, refersToVocabularies: refersToVocabularies)
            case .json: return try CSDL.json(described, version: edition, refersToVocabularies: refersToVocabularies)
            case .v2: return CSDL.v2(model)
            }
        } catch {
            throw ServiceFailure(format == .json ? .notAcceptable : .notImplemented, error.message)
        }
    }
}

/// Keeps what was made of a model until the store has another one.
final class MetadataCache: Sendable {
    private let current = Mutex<PublishedMetadata?>(nil)
    /// Held while a model is published, which takes time: the latest one is readable meanwhile.
    private let publication = Mutex(())

    func published(_ model: EdmModel, for service: ODataService) -> PublishedMetadata {
        if let latest, latest.model == model { return latest }
        return publication.withLock { _ in
            if let latest, latest.model == model { return latest }
            let made = PublishedMetadata(model, of: service)
            current.withLock { $0 = made }
            return made
        }
    }

    /// What was made of the model that the store had last; nil before the first request.
    var latest: PublishedMetadata? { current.withLock { $0 } }
}
