import ArgumentParser
import Foundation
import OData

struct StoreInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create an offline store for a service in a folder. The service must be reachable.",
        discussion: """
            Passwords and headers are not kept: give them again to download and upload. A token command is kept. \
            With --key-file the store is encrypted, and every command on it needs the key. With --media-folder its \
            streams are in a folder that other stores may share, with --media-quota only so many bytes of them: both \
            are kept.

            EXAMPLE:
              odata store init field --service http://127.0.0.1:8080/
              head -c 32 /dev/urandom > key
              odata store init secret --service http://127.0.0.1:8080/ --key-file key
            """)

    @Argument(help: "A new or empty folder.", completion: .directory)
    var folder: String

    @Option(help: "The service root URL.")
    var service: String

    @OptionGroup var quiet: QuietOption
    @OptionGroup var key: KeyFileOption
    @OptionGroup(title: "Media") var media: MediaOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run() async throws {
        let missing = missingFolder
        let (key, configuration) = (try key.read(), try media.configuration(nil))
        let content = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let isFree = if content.isEmpty { true } else { await isHalfMade(content, configuration, key) }
        guard isFree else {
            throw Failure("\(folder) is not empty. Choose another one; 'odata store status' describes a store in it.")
        }
        let settings = StoreSettings(
            service: service, tokenCommand: connection.tokenCommand, mediaFolder: configuration.mediaFolder,
            mediaQuota: configuration.mediaQuota)
        let hadMediaFolder = configuration.mediaFolder.map { FileManager.default.fileExists(atPath: $0) } ?? true
        let lines = ProgressLines(host: try AbsoluteURL(typed: service).authority)
        do {
            try await connection.withStore(service) { remote in
                let store = try OfflineStore(folder: folder, remote: remote, configuration: configuration, key: key)
                do {
                    // If the process ends from here on, the store gets the metadata with its first download.
                    try settings.write(to: folder)
                    let sets = try await lines.waiting {
                        try await store.open()
                        return try await remote.model().entitySets.count { $0.kind == .entitySet }
                    }
                    try store.close()
                    Console.message(
                        "\(folder) is a store of \(sets.counted("entity set")); 'odata store query add \(folder) <name> <query>' says what it "
                            + "keeps.")
                } catch {
                    // What another store shares meanwhile stays.
                    if (try? store.abandon()) == true, !hadMediaFolder, let shared = configuration.mediaFolder {
                        try? FileManager.default.removeItem(atPath: shared)
                    }
                    throw error
                }
            }
        } catch {
            leaveNothing(above: missing)
            throw explained(error)
        }
    }

    /// If the response is not metadata, the URL is probably not the service root.
    private func explained(_ error: any Error) -> any Error {
        guard let error = error as? ODataError, let status = error.status, (400..<500).contains(status),
            Advice.credentialsOnly(forStatus: status) == nil
        else { return error }
        return Failure(error.summary, advice: Advice.serviceRoot)
    }

    /// Whether the folder is what a process has left that ended while it made the store: it has no metadata yet, and
    /// nothing was put into it.
    private func isHalfMade(
        _ content: [String], _ configuration: OfflineStore.Configuration, _ key: EncryptionKey?
    ) async -> Bool {
        let databases = ["", "-wal", "-shm", "-journal"].map { "store.sqlite\($0)" }
        guard Set(content).isSubset(of: databases + ["lock", "media", "keys", "keys.new", "odata.json"]),
            let store = try? OfflineStore(folder: folder, remote: nil, configuration: configuration, key: key)
        else { return false }
        defer { try? store.close() }
        // The status needs metadata, which such a store has not.
        guard (try? await store.status) == nil, let queries = try? await store.queries,
            let queue = try? await store.queueEntries()
        else { return false }
        return queries.isEmpty && queue.isEmpty
    }

    /// The outermost folder of the path that is not there yet; nil if all are.
    private var missingFolder: String? {
        var url = URL(fileURLWithPath: folder)
        var missing: String?
        while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
            missing = url.path
            url.deleteLastPathComponent()
        }
        return missing
    }

    private func leaveNothing(above missing: String?) {
        let files = FileManager.default
        if let missing {
            try? files.removeItem(atPath: missing)
            return
        }
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            try? files.removeItem(atPath: "\(folder)/\(name)")
        }
    }
}
