import ODataFormats
import ODataModel
import ODataQuery
import Synchronization

/// A model as the service publishes it.
final class PublishedMetadata: Sendable {
    let model: Model
    let parser: QueryParser
    /// The metadata document in XML.
    let xml: [UInt8]
    /// `W/"5f0c…"`: it changes when the document does.
    let etag: String

    init(_ model: Model) {
        self.model = model
        parser = QueryParser(model: model)
        xml = CSDL.xml(model)
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
