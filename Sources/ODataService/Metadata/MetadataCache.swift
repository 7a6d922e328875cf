import ODataFormats
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
    }

    let model: EdmModel
    let parser: QueryParser
    let v2Parser: QueryParser
    private let described: EdmModel
    private let refersToVocabularies: Bool
    /// Those that `$schemaversion` can ask for.
    let schemaVersions: Set<String>
    private let documents = Mutex<[String: MetadataDocument]>([:])

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
        let name = "\(format) \(version)"
        if let known = documents.withLock({ $0[name] }) { return known }
        let made = MetadataDocument(try bytes(format, version))
        documents.withLock { $0[name] = made }
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

/// A metadata document as it is sent.
struct MetadataDocument: Sendable {
    let bytes: [UInt8]
    /// `W/"5f0c…"`: it changes when the document does.
    let etag: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        etag = "W/\"\(String(Self.fingerprint(bytes), radix: 16))\""
    }

    /// FNV-1a over 64 bits: the same for the same bytes in every process.
    static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// Keeps what was made of a model until the store has another one.
final class MetadataCache: Sendable {
    private let current = Mutex<PublishedMetadata?>(nil)

    func published(_ model: EdmModel, for service: ODataService) -> PublishedMetadata {
        current.withLock { current in
            if let current, current.model == model { return current }
            let made = PublishedMetadata(model, of: service)
            current = made
            return made
        }
    }
}
