import ArgumentParser
import OData

struct StoreQueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List the requests that wait to be sent, or show one of them whole.",
        discussion: """
            EXAMPLE:
              odata store queue field --format json
              odata store queue show field 3
            """,
        subcommands: [StoreQueueListCommand.self, StoreQueueShowCommand.self],
        defaultSubcommand: StoreQueueListCommand.self)
}

struct StoreQueueListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the requests that wait to be sent; failed and held ones too.",
        discussion: """
            The entity is the one that the request is about, also where the URL names its set or an action.

            EXAMPLE: odata store queue list field --format json
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            ListPrinter(format: format.resolved)
                .print(
                    try await store.queueEntries().map(\.columns),
                    columns: ["id", "method", "url", "entity", "state", "attempts", "changeSet", "category"],
                    ifEmpty: "No requests wait.")
        }
    }
}

struct StoreQueueShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a request of the queue whole: with the headers that the app gave, and its JSON body.",
        discussion: "EXAMPLE: odata store queue show field 3")

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The request's id, as 'odata store queue' shows it.") var id: Int64
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            guard let entry = try await store.queueEntries().first(where: { $0.id == id }) else {
                throw Failure(
                    "There is no request \(id) in the queue.", advice: "'odata store queue' shows what waits.")
            }
            EntryPrinter(format: format.resolved).print(entry.columns + entry.details)
        }
    }
}

extension QueueEntry {
    var columns: [ListColumn] {
        [
            ListColumn("id", .integer(id)), ListColumn("method", method), ListColumn("url", url),
            ListColumn("state", state.rawValue), ListColumn("attempts", .integer(Int64(attempts))),
            ListColumn("entity", entity), ListColumn("changeSet", changeSet.map(EdmValue.integer) ?? .null),
            ListColumn("tag", tag), ListColumn("category", category),
            ListColumn("dependsOn", .collection(dependsOn.map(EdmValue.integer))),
        ]
    }

    /// What only the request alone is shown with.
    fileprivate var details: [ListColumn] {
        [
            ListColumn("created", created), ListColumn("lastSent", lastSent), headerColumn, ListColumn("body", body),
        ]
    }

    var headerColumn: ListColumn {
        ListColumn("headers", .collection(headers.map { .string("\($0.name): \($0.value)") }))
    }
}
