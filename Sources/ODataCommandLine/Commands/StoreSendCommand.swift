import ArgumentParser
import OData

struct StoreSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Make a copy of the store for support: without streams, and without the values of properties.",
        discussion: """
            The copy can be read like a store, and only read: changes, downloads and uploads are refused. It has all \
            other data, the request queue, the error archive and the events; no passwords or tokens. Keys and URLs \
            cannot be left out. The key of an encrypted store opens its copy too, unless that has a key of its own \
            or none. Another process may have the store open.

            EXAMPLE:
              odata store send field copy \\
                --without BusinessPartners/Name,BusinessPartners/Email
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "A new or empty folder for the copy.", completion: .directory) var copy: String
    @Option(help: "Properties whose values are left out, as Set/Property, with commas between them. May be repeated.")
    var without: [String] = []
    @Option(help: "A file with a key of its own for the copy.", completion: .file()) var copyKeyFile: String?
    @Flag(help: "Do not encrypt the copy of an encrypted store.") var plain = false

    func validate() throws {
        if plain, copyKeyFile != nil { throw ValidationError("Give --copy-key-file or --plain, not both.") }
    }

    func run() async throws {
        let settings = try StoreSettings.readIfThere(from: folder.path)
        let properties = without.flatMap { $0.split(separator: ",").map(String.init) }
        let key = try copyKeyFile.map(KeyFileOption.key)
        let protection = plain ? OfflineStore.CopyProtection.none : key.map { .key($0) } ?? .asStore
        try await StoreSession.viewing(folder) { store in
            try await store.export(to: copy, omitting: properties, protection: protection)
        }
        // A command that gives tokens is no one else's.
        if let settings { try StoreSettings(service: settings.service).write(to: copy) }
        Console.message("The copy is in \(copy).")
    }
}
