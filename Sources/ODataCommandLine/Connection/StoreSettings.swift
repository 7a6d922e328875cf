import EncryptionKeys
import Foundation
import OData

/// What `odata store init` remembers beside the store: no secrets.
struct StoreSettings: Codable {
    var service: String
    var tokenCommand: String?
    /// An absolute path.
    var mediaFolder: String?
    /// In bytes.
    var mediaQuota: Int64?

    private static func path(in folder: String) -> String { folder + "/odata.json" }

    /// Of a store that was made by `odata store init`.
    static func read(from folder: String) throws -> StoreSettings {
        guard let settings = try readIfThere(from: folder) else {
            throw Failure(
                "\(folder) was created by an app and is read-only here: it has no odata.json, which names its service.",
                advice: "Let the app change, download and upload it.")
        }
        return settings
    }

    /// Nil for a store that was made by an app.
    static func readIfThere(from folder: String) throws -> StoreSettings? {
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || isFolder.boolValue else {
            throw Failure("\(folder) is a file, not the folder of a store.")
        }
        let path = path(in: folder)
        guard FileManager.default.fileExists(atPath: path) else {
            guard FileManager.default.fileExists(atPath: try OfflineStore.databasePath(in: folder)) else {
                throw Failure("\(folder) is not a store. Create one with: odata store init \(folder) --service <url>")
            }
            return nil
        }
        guard let data = FileManager.default.contents(atPath: path),
            let settings = try? JSONDecoder().decode(StoreSettings.self, from: data)
        else { throw Failure("\(path) cannot be read: it is not what 'odata store init' writes.") }
        return settings
    }

    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: Self.path(in: folder)), options: .atomic)
        OwnerAccess.restrict(Self.path(in: folder))
    }
}
