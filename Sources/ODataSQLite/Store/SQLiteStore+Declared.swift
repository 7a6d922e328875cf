import Foundation
import ODataModel
import ODataStores

extension SQLiteStore {
    /// Creates tables for a declared model and stores its entities in them.
    ///
    /// Each entity set, singleton and containment navigation property has a table, with all derived types in it.
    /// Complex values and collections are stored as JSON, enumeration values as numbers, decimals as text with all
    /// their digits, streams as BLOBs. Navigation properties are stored as the columns of their referential
    /// constraints, or without any in tables of pairs.
    ///
    /// A file that already has the tables keeps its entities; properties that are new in the model are added.
    ///
    /// - Parameters:
    ///   - model: The model of the tables.
    ///   - path: The file, which is created if it does not exist. Nil for a temporary file that is removed with the
    ///     store.
    ///   - rules: Rules that the model does not express: see ``TableRules``.
    ///   - configuration: How the file is served.
    /// - Throws: ``ODataError`` `unusableStore` if the file is not an SQLite database, or if its tables are not those
    ///   of the model.
    public convenience init(
        model: EdmModel, path: String? = nil, rules: TableRules = TableRules(), configuration: Configuration = .init()
    ) throws {
        let temporary = path == nil ? try TemporaryDatabase() : nil
        guard let file = path ?? temporary?.path else {
            throw ODataError(.unusableStore, "No temporary file can be created.")
        }
        if !FileManager.default.fileExists(atPath: file), !FileManager.default.createFile(atPath: file, contents: nil) {
            throw ODataError(.unusableStore, "\(file) cannot be created.")
        }
        try self.init(
            path: file, configuration: configuration, declared: DeclaredModel(model: model, rules: rules),
            temporary: temporary)
    }
}

/// A database file in its own folder, which is removed with the value.
final class TemporaryDatabase: Sendable {
    private let folder: URL
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("odata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("store.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
