import ArgumentParser
import OData

struct StoreRekeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Change the key of an encrypted store.",
        discussion: """
            Afterwards the old key opens nothing any more. Keep both until the command has ended with status 0.

            EXAMPLE:
              head -c 32 /dev/urandom > new-key
              odata store rekey secret --key-file key --new-key-file new-key
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Option(help: "A file with the new key: 32 bytes, or 64 hexadecimal digits.", completion: .file())
    var newKeyFile: String

    func run() async throws {
        let key = try KeyFileOption.key(in: newKeyFile)
        try await StoreSession.offline(folder) { store in try await store.rekey(to: key) }
    }
}
