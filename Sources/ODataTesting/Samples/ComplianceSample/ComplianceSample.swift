import ODataFormats
import ODataMetadata
import ODataModel
import ODataSQLite
import ODataStores

/// A service to test clients and protocols against: all primitive types, derived types, complex values, flags, streams,
/// a media set, a singleton, many-to-many relationships, a set that takes no changes, and operations with overloads.
///
/// Change tracking is on. The action `Reseed` puts everything back.
public struct ComplianceSample: Sendable {
    /// The sample without operations.
    public let tables: SQLiteStore
    /// The whole sample.
    public let store: any ODataStore

    /// Opens the sample, and fills it if it is empty.
    ///
    /// - Parameters:
    ///   - path: The file; it is created if it does not exist. Nil: a temporary one that is removed with the store.
    ///   - mediaFolder: The folder of uploaded streams; it belongs to the file. Nil: in the file.
    /// - Throws: ``OData/ODataError`` if the file or the folder cannot be used.
    public static func make(path: String? = nil, mediaFolder: String? = nil) async throws -> ComplianceSample {
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = true
        configuration.mediaFolder = mediaFolder
        let model = try model()
        let tables = try SQLiteStore(model: model, path: path, rules: rules, configuration: configuration)
        if try await tables.isEmpty() { try await tables.load(entities) }
        let operations = ComplianceOperations(model: model, tables: tables)
        return ComplianceSample(tables: tables, store: OperationStore(tables, operations: operations.all))
    }

    /// - Throws: ``FormatError`` if ``metadata`` is not valid.
    static func model() throws -> EdmModel { try CSDL.read(xml: Array(metadata.utf8)).model }

    static var rules: TableRules {
        var rules = TableRules()
        rules.computed = [
            "Products/Version": .version, "Products/CreatedAt": .creationTime, "Products/ProductType": .typeName,
            "Company/Version": .version, "Company/UpdatedAt": .changeTime, "MediaItems/Name": .slug,
            "MediaItems/ContentType": .mediaType, "MediaItems/Size": .mediaLength,
            "MediaItems/CreatedAt": .creationTime, "MediaItems/ModifiedAt": .changeTime,
        ]
        rules.searchable = [
            "Products": ["Name", "Description", "ShippingAddress/City"], "Categories": ["Name", "Description"],
            "ProductDescriptions": ["Description", "LongText"], "MediaItems": ["Name"], "ReadOnlyItems": ["Name"],
            "DecimalSamples": ["Name"],
        ]
        rules.unique = ["Categories": [["Name"]]]
        return rules
    }
}
