import ODataModel

/// The XML representation of the Common Schema Definition Language, versions 4.0 and 4.01.
///
/// [OData-CSDLXML]
public enum CSDL {
    /// Reads a metadata document.
    ///
    /// Actions, functions and terms are passed over. What the document uses but does not declare, and elements the
    /// standard does not know, are left out and told as diagnostics.
    ///
    /// - Throws: ``FormatError`` if the XML is broken, has a document type declaration, is of another version or
    ///   declares types that contradict each other.
    public static func read(xml: [UInt8]) throws(FormatError) -> (model: Model, diagnostics: [Diagnostic]) {
        let root = try XMLTreeParser.parse(xml)
        guard root.name == "Edmx" else {
            throw FormatError("The document is no metadata: its root is “\(root.name)”, not “Edmx”.")
        }
        guard let version = root["Version"], version.hasPrefix("4.") else {
            throw FormatError("The metadata is of version \(root["Version"] ?? "unknown"); 4.0 and 4.01 can be read.")
        }
        let schemas = root.children(named: "DataServices").flatMap { $0.children(named: "Schema") }
        guard !schemas.isEmpty else { throw FormatError("The metadata has no schema.") }
        var reader = CSDLReader(names: CSDLNames(root: root, schemas: schemas))
        let read = reader.schemas(schemas)
        do {
            return (try Model(schemas: read), reader.diagnostics)
        } catch {
            throw FormatError(error.message, property: error.name)
        }
    }

    /// Writes `model` as a metadata document of version 4.01; the same model gives the same bytes.
    public static func xml(_ model: Model) -> [UInt8] {
        var writer = CSDLWriter()
        writer.write(model)
        return Array(writer.text.utf8)
    }
}
