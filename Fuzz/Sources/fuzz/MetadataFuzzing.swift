import ODataMetadata
import ODataModel

enum MetadataFuzzing {
    /// What is read is written; where nothing was wrong with it, that is read again.
    static func read(_ bytes: [UInt8]) {
        guard let document = try? CSDL.document(bytes) else { return }
        let model = document.model
        let documents = [try? CSDL.xml(model), try? CSDL.json(model)]
        for written in documents.compactMap(\.self) where document.diagnostics.isEmpty {
            precondition(
                (try? CSDL.document(written)) != nil,
                "\(String(decoding: written, as: UTF8.self)) is refused.")
        }
    }
}
