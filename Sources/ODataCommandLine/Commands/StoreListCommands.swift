import ArgumentParser
import OData

struct StoreQueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List the requests that wait to be sent; failed and held ones too.",
        discussion: """
            The entity is the one that the request is about, also where the URL names its set or an action.

            EXAMPLE: odata store queue field --format json
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            ListPrinter(format: format.resolved)
                .print(
                    try store.queueEntries().map(\.columns),
                    columns: ["id", "method", "url", "entity", "state", "attempts", "changeSet", "category"])
        }
    }
}

extension QueueEntry {
    var columns: [ListColumn] {
        [
            ListColumn("id", .integer(id)), ListColumn("method", method), ListColumn("url", url),
            ListColumn("state", state.rawValue), ListColumn("attempts", .integer(Int64(attempts))),
            ListColumn("entity", entity), ListColumn("changeSet", changeSet.map(Value.integer) ?? .null),
            ListColumn("tag", tag), ListColumn("category", category),
            ListColumn("dependsOn", .collection(dependsOn.map(Value.integer))),
        ]
    }
}

struct StoreClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove the store's data, queries and media. Refused while requests or edits of attachments wait.",
        discussion: "EXAMPLE: odata store clear field")

    @OptionGroup var folder: StoreFolderArgument
    @Flag(help: "Clear although unsent requests and edits of attachments would be lost.") var force = false

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            let status = try store.status
            guard status.waitingRequests + status.attachmentEdits == 0 || force else {
                throw Failure(
                    "\(status.waitingRequests) requests wait to be sent, and \(status.attachmentEdits) attachments have "
                        + "edits. Upload and post them first, or give --force to lose them.")
            }
            try store.clear()
        }
    }
}
