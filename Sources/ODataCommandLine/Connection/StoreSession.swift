import Foundation
import OData

/// What `odata store init` remembers beside the store: no secrets.
struct StoreSettings: Codable {
    var service: String
    var tokenCommand: String?

    private static func path(in folder: String) -> String { folder + "/odata.json" }

    static func read(from folder: String) throws -> StoreSettings {
        guard let data = FileManager.default.contents(atPath: path(in: folder)) else {
            throw Failure("\(folder) is no store. Make one with: odata store init \(folder) --service <url>")
        }
        do {
            return try JSONDecoder().decode(StoreSettings.self, from: data)
        } catch {
            throw Failure("\(path(in: folder)) cannot be read: it is not what 'odata store init' writes.")
        }
    }

    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: Self.path(in: folder)), options: .atomic)
    }
}

/// Opens the offline store of a folder for the length of a command.
enum StoreSession {
    /// Without network: reads and local changes.
    static func offline<Result>(_ folder: String, _ body: (OfflineStore) async throws -> Result) async throws -> Result
    {
        _ = try StoreSettings.read(from: folder)
        try checkDatabase(of: folder)
        return try await run(OfflineStore(folder: folder, remote: nil), body)
    }

    /// With the service at hand: download and upload.
    static func online<Result>(
        _ folder: String, _ connection: ConnectionOptions, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        let settings = try StoreSettings.read(from: folder)
        try checkDatabase(of: folder)
        return try await connection.withTransport(tokenCommand: settings.tokenCommand) { transport in
            let remote = try OnlineStore(serviceRoot: settings.service, transport: transport)
            return try await run(OfflineStore(folder: folder, remote: remote), body)
        }
    }

    /// A store that was made has a database: an empty one in its place would hide that requests are lost.
    private static func checkDatabase(of folder: String) throws {
        let path = folder + "/store.sqlite"
        let start = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 1)
        guard let start, !start.isEmpty else {
            throw Failure("\(path) is missing or empty: the store's data and unsent changes are not there. Restore it.")
        }
    }

    static func run<Result>(
        _ store: OfflineStore, _ body: (OfflineStore) async throws -> Result
    ) async throws -> Result {
        do {
            try await store.open()
            let result = try await body(store)
            try store.close()
            return result
        } catch {
            try? store.close()
            throw error
        }
    }
}
