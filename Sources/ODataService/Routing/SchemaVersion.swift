import ODataModel

/// `$schemaversion=1.0`: the version that the client knows, `Core.SchemaVersion` in the metadata.
///
/// [OData-Protocol, section 11.2.12]
enum SchemaVersion {
    static let term = "Org.OData.Core.V1.SchemaVersion"

    /// - Throws: 404 for a version that is not that of the model.
    static func check(_ call: ServiceCall) throws {
        guard let wanted = call.request.parts["$schemaversion"], wanted != "*" else { return }
        let current = call.model.schemas.compactMap { $0.annotation(term)?.string }
        guard current.contains(wanted) else {
            throw ServiceFailure(
                .notFound, "The schema version \(wanted) is not published here.", target: "$schemaversion")
        }
    }
}
