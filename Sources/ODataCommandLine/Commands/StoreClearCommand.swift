import ArgumentParser
import OData

struct StoreClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove the store's data, queries and media. Refused while requests or edits of attachments wait.",
        discussion: """
            On a terminal it asks first, unless --yes is given.

            EXAMPLE: odata store clear field --yes
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Flag(help: "Clear although unsent requests and edits of attachments would be lost.") var force = false
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let status = try await store.status
            guard status.waitingRequests + status.attachmentEdits == 0 || force else {
                throw Failure(
                    "What waits would be lost: \(status.waitingRequests.counted("request")), "
                        + "\(status.attachmentEdits.counted("attachment")) with edits.",
                    advice: "Upload and post them first, or give --force to lose them.")
            }
            let content = Self.content(of: status, queries: try await store.queries.count)
            guard yes || Confirmation.agrees(to: "Remove \(content) from \(folder.path)?") else {
                return Console.message("Nothing was removed.")
            }
            try store.clear()
            Console.message("\(folder.path) is empty: \(content) were removed.")
        }
    }

    /// `3 queries, 703 entities, 3 streams`
    private static func content(of status: StoreStatus, queries: Int) -> String {
        let entities = status.entities.values.reduce(0, +)
        return [
            queries.counted("query", "queries"), entities.counted("entity", "entities"),
            status.streams.counted("stream"),
        ].joined(separator: ", ")
    }
}
