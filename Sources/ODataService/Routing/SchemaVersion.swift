import ODataFormats
import ODataMetadata
import ODataModel

/// `$schemaversion=1.0`: the version that the client knows, `Core.SchemaVersion` in the metadata.
///
/// [OData-Protocol, section 11.2.12]
enum SchemaVersion {
    static let term = "Org.OData.Core.V1.SchemaVersion"

    /// - Throws: 404 for a version that is not that of the model.
    static func check(_ call: ServiceCall) throws {
        guard let wanted = call.request.parts["$schemaversion"], wanted != "*" else { return }
        let current = call.metadata.schemaVersions
        guard current.contains(wanted) else {
            throw ServiceFailure(
                .notFound,
                "The schema version \(wanted) is not published here; \(current.sorted().joined(separator: ", ")) is.",
                target: "$schemaversion")
        }
    }

    /// A version for a model that has none: it changes when the model does.
    static func made(of model: EdmModel) -> String {
        String(MetadataDocument.fingerprint((try? CSDL.xml(model)) ?? []), radix: 16)
    }
}
