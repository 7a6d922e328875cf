import ArgumentParser
import OData

struct StoreUndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take a waiting or failed request back, with what it has changed in the store.",
        discussion: """
            Undoing the creation of an entity undoes what names it, too.

            EXAMPLE: odata store undo field 7
            """)

    @Argument(help: "The store's folder.") var folder: String
    @Argument(help: "The request's id, as 'odata store queue' shows it.") var request: Int64

    func run() async throws {
        try await StoreSession.offline(folder) { store in try store.undo(requestID: request) }
    }
}

struct StoreOverwriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overwrite",
        abstract: "Let a request that failed with 412 replace the version that the last download brought.",
        discussion: "EXAMPLE: odata store download field && odata store overwrite field 7 && odata store upload field")

    @Argument(help: "The store's folder.") var folder: String
    @Argument(help: "The request's id, as 'odata store errors' shows it.") var request: Int64

    func run() async throws {
        try await StoreSession.offline(folder) { store in try store.overwrite(requestID: request) }
    }
}
