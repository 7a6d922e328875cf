import ODataFormats
import ODataModel
import ODataQuery
import Synchronization

/// A model as the service publishes it.
final class PublishedMetadata: Sendable {
    let model: Model
    let parser: QueryParser
    private let newest: MetadataDocument
    private let version4: MetadataDocument

    init(_ model: Model) {
        self.model = model
        parser = QueryParser(model: model)
        let xml = CSDL.xml(model)
        newest = MetadataDocument(xml)
        version4 = MetadataDocument(Self.inVersion4(xml))
    }

    /// The metadata document for a client of `version`.
    func document(_ version: ProtocolVersion) -> MetadataDocument { version == .v4 ? version4 : newest }

    /// `<edmx:Edmx Version="4.01">` → `<edmx:Edmx Version="4.0">`: the models of stores need nothing newer.
    private static func inVersion4(_ xml: [UInt8]) -> [UInt8] {
        guard let found = xml.firstRange(of: Array("Version=\"4.01\"".utf8)) else { return xml }
        return xml[..<found.lowerBound] + Array("Version=\"4.0\"".utf8) + xml[found.upperBound...]
    }
}

/// A metadata document as it is sent.
struct MetadataDocument: Sendable {
    let xml: [UInt8]
    /// `W/"5f0c…"`: it changes when the document does.
    let etag: String

    init(_ xml: [UInt8]) {
        self.xml = xml
        etag = "W/\"\(String(Self.fingerprint(xml), radix: 16))\""
    }

    /// FNV-1a over 64 bits: the same for the same bytes in every process.
    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// Keeps what was made of a model until the store has another one.
final class MetadataCache: Sendable {
    private let current = Mutex<PublishedMetadata?>(nil)

    func published(_ model: Model) -> PublishedMetadata {
        current.withLock { current in
            if let current, current.model == model { return current }
            let made = PublishedMetadata(model)
            current = made
            return made
        }
    }
}
