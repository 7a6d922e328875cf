import Foundation
import ODataModel
import ODataStores

extension SQLiteStore {
    /// Makes tables for a declared model, and keeps its entities in them.
    ///
    /// Each entity set, singleton and containment has a table, with all derived types in it. Complex values and
    /// collections are kept as JSON, enumeration values as numbers, decimals as text with all their digits, streams as
    /// BLOBs. Relations are kept by referential constraints where there are any, else in tables of pairs.
    ///
    /// A file that has the tables already keeps its entities; properties that are new in the model are added to it.
    ///
    /// - Parameters:
    ///   - model: What the tables are made for.
    ///   - path: The file; it is made if there is none. Nil: a temporary one that goes with the store.
    ///   - rules: What the model does not say: see ``TableRules``.
    ///   - configuration: How the file is served.
    /// - Throws: ``ODataError`` `unusableStore` if the file is no SQLite database, or if its tables are not the model's.
    public convenience init(
        model: EdmModel, path: String? = nil, rules: TableRules = TableRules(), configuration: Configuration = .init()
    ) throws {
        let temporary = path == nil ? try TemporaryDatabase() : nil
        guard let file = path ?? temporary?.path else {
            throw ODataError(.unusableStore, "There is no place for a temporary file.")
        }
        if !FileManager.default.fileExists(atPath: file), !FileManager.default.createFile(atPath: file, contents: nil) {
            throw ODataError(.unusableStore, "\(file) cannot be made.")
        }
        try self.init(
            path: file, configuration: configuration, declared: DeclaredModel(model: model, rules: rules),
            temporary: temporary)
    }
}

/// A database file in a folder of its own, which goes with the value.
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
