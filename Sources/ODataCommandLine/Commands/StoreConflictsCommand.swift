import ArgumentParser
import OData

struct StoreConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List changes that meet a newer version of their entity at the service, and decide them.",
        discussion: """
            A conflict is met at an upload (412, also 409, 428 or 404) or a download, and stays until it is decided; the
            next upload sends what was decided.

            EXAMPLE:
              odata store conflicts field --format json
              odata store conflicts merge field 7 '{"Quantity":5}'
              odata store upload field
            """,
        subcommands: [
            StoreConflictListCommand.self, StoreConflictMineCommand.self, StoreConflictTheirsCommand.self,
            StoreConflictMergeCommand.self,
        ],
        defaultSubcommand: StoreConflictListCommand.self)
}

struct StoreConflictListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List conflicts: each entity as it was, as it is here and as the service had it last.",
        discussion: """
            JSON has the three versions: 'mine' is null of an entity that was deleted here, 'theirs' of one that was deleted
            there.

            EXAMPLE: odata store conflicts list field --format json
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            let rows = try await store.conflicts().map { conflict in
                [
                    ListColumn("request", conflict.requests.first.map { .integer($0.id) } ?? .null),
                    ListColumn("entity", conflict.path), ListColumn("occasion", conflict.occasion.rawValue),
                    ListColumn("requests", .collection(conflict.requests.map { .integer($0.id) })),
                    ListColumn("message", conflict.error?.message), version("base", conflict.base),
                    version("mine", conflict.mine), version("theirs", conflict.theirs),
                ]
            }
            ListPrinter(format: format.resolved).print(rows, columns: ["request", "entity", "occasion", "message"])
        }
    }

    private func version(_ name: String, _ entity: Entity?) -> ListColumn {
        ListColumn(name, entity.map { .complex($0.properties) } ?? .null)
    }
}

extension OfflineStore {
    /// Each conflict that waits for a decision, in the order of the queue.
    func conflicts() async throws -> [Conflict] {
        var listed: Set<Int64> = []
        var conflicts: [Conflict] = []
        for entry in try queueEntries() where !listed.contains(entry.id) {
            guard let conflict = try await conflict(of: entry) else { continue }
            listed.formUnion(conflict.requests.map(\.id))
            conflicts.append(conflict)
        }
        return conflicts
    }

    /// Nil also if the request is done meanwhile: another process may upload.
    private func conflict(of entry: QueueEntry) async throws -> Conflict? {
        do {
            return try await conflict(requestID: entry.id)
        } catch let error as ODataError where error.code == .notFound {
            return nil
        }
    }
}

/// The conflict that a command is about.
struct ConflictArgument: ParsableArguments {
    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The id of one of its requests, as 'odata store conflicts' shows it.") var request: Int64
}

struct StoreConflictMineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mine",
        abstract: "Keep the changes made here: the next upload sends them over the version of the service.",
        discussion: "EXAMPLE: odata store conflicts mine field 7 && odata store upload field")

    @OptionGroup var conflict: ConflictArgument

    func run() async throws {
        try await StoreSession.offline(conflict.folder) { store in
            try await store.resolve(requestID: conflict.request, as: .mine)
        }
    }
}

struct StoreConflictTheirsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theirs",
        abstract: "Give the changes made here up: the entity is what the service has.",
        discussion: "EXAMPLE: odata store conflicts theirs field 7")

    @OptionGroup var conflict: ConflictArgument

    func run() async throws {
        try await StoreSession.offline(conflict.folder) { store in
            try await store.resolve(requestID: conflict.request, as: .theirs)
        }
    }
}

struct StoreConflictMergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Send other properties in the place of all changes made here to the entity.",
        discussion: "EXAMPLE: odata store conflicts merge field 7 '{\"Quantity\":5}' && odata store upload field")

    @OptionGroup var conflict: ConflictArgument
    @Argument(help: "The properties to change in the version of the service, as JSON.") var json: String

    func run() async throws {
        try await StoreSession.offline(conflict.folder) { store in
            guard let found = try await store.conflict(requestID: conflict.request) else {
                throw Failure("The request \(conflict.request) is in no conflict.")
            }
            let payload = try await store.payload(json, for: try store.path(found.path))
            try await store.resolve(requestID: conflict.request, as: .merged(payload))
        }
    }
}
