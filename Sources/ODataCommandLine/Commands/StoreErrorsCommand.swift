import ArgumentParser
import OData

struct StoreErrorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "List the error archive, and show, retry, edit, skip or undo what the service refused.",
        discussion: """
            EXAMPLE:
              odata store errors field --format json
              odata store errors show field 3
              odata store errors edit field 3 '{"Priority":1}'
              odata store upload field
            """,
        subcommands: [
            StoreErrorListCommand.self, StoreErrorShowCommand.self, StoreErrorRetryCommand.self,
            StoreErrorEditCommand.self,
            StoreErrorSkipCommand.self, StoreErrorUndoCommand.self,
        ],
        defaultSubcommand: StoreErrorListCommand.self)
}

struct StoreErrorListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the error archive: what the service refused, and why.",
        discussion: "EXAMPLE: odata store errors list field --format json")

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            let rows = try await store.errorEntries().map { entry in
                [
                    ListColumn("id", .integer(entry.id)), ListColumn("requestID", .integer(entry.requestID)),
                    ListColumn("status", entry.status.map { .integer(Int64($0)) } ?? .null),
                    ListColumn("code", entry.code), ListColumn("message", entry.message),
                    ListColumn("target", entry.target), ListColumn("method", entry.method),
                    ListColumn("url", entry.url), ListColumn("entity", entry.entity),
                    ListColumn("changeSet", entry.changeSet.map(EdmValue.integer) ?? .null),
                ]
            }
            ListPrinter(format: format.resolved)
                .print(
                    rows, columns: ["id", "requestID", "status", "code", "message", "method", "url"],
                    ifEmpty: "No errors.")
        }
    }
}

/// The entry of the error archive that a command is about.
struct ErrorArgument: ParsableArguments {
    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The entry's id, as 'odata store errors' shows it.", completion: StoreCompletion.errors)
    var id: Int64
}

struct StoreErrorRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Return a refused request to the queue: the next upload sends it unchanged.",
        discussion: """
            After a conflict (409, 412, 428) it is sent with the ETag of the version that was seen since, and so \
            overwrites that version, as 'odata store conflicts mine' does; where none was seen, download first.

            EXAMPLE: odata store errors retry field 3 && odata store upload field
            """)

    @OptionGroup var entry: ErrorArgument

    func run() async throws {
        try await StoreSession.offline(entry.folder) { store in try await store.retry(errorID: entry.id) }
    }
}

struct StoreErrorEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Replace the body of a refused create, update or action, and return it to the queue.",
        discussion: """
            After a conflict (409, 412, 428) it overwrites the version that was seen since: 'odata store conflicts' \
            shows both.

            EXAMPLE: odata store errors edit field 3 '{"Priority":1}'
            """)

    @OptionGroup var entry: ErrorArgument
    @Argument(
        help: """
            The whole body as JSON: properties, where @odata.bind is understood, or an action's arguments; - reads it.
            """)
    var json: String

    func run() async throws {
        try await StoreSession.offline(entry.folder) { store in
            try await store.edit(errorID: entry.id, json: try InputFile.text(json))
        }
    }
}

struct StoreErrorSkipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Discard one refused request: the values that it changed become the downloaded ones.",
        discussion: """
            The requests of a change set are discarded together. Refused if requests for other entities depend on it: \
            see 'odata store errors undo'.

            EXAMPLE: odata store errors skip field 3
            """)

    @OptionGroup var entry: ErrorArgument

    func run() async throws {
        try await StoreSession.offline(entry.folder) { store in try await store.skip(errorID: entry.id) }
    }
}

struct StoreErrorUndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take a refused request back, with what depends on it.",
        discussion: "EXAMPLE: odata store errors undo field 3 --dry-run")

    @OptionGroup var entry: ErrorArgument
    @Flag(help: "Only print what would be dropped.") var dryRun = false
    @Flag(help: "Take requests back too that the service may have executed.") var force = false
    @OptionGroup var format: FormatOption

    func run() async throws {
        let plan =
            if dryRun {
                try await StoreSession.viewing(entry.folder) { store in try await store.undoPlan(errorID: entry.id) }
            } else {
                try await StoreSession.offline(entry.folder) { store in
                    try await store.undo(errorID: entry.id, force: force)
                }
            }
        UndoPrinter(format: format.resolved).print(plan)
    }
}
