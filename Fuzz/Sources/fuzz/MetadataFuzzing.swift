import ODataFormats
import ODataModel

enum MetadataFuzzing {
    /// What is read is written, and that is read again as the same model.
    static func read(_ bytes: [UInt8]) {
        guard let document = try? CSDL.document(bytes) else { return }
        let model = document.model
        for written in [CSDL.xml(model), CSDL.json(model)] {
            precondition(
                (try? CSDL.document(written)) != nil,
                "\(String(decoding: written, as: UTF8.self)) is refused.")
        }
    }
}
