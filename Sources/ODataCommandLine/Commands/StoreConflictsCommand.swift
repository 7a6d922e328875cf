import ArgumentParser
import OData

struct StoreConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List changes that meet a newer version of their entity at the service, and decide them.",
        discussion: """
            A conflict is met at an upload (412, also 409, 428 or 404) or a download, and stays until it is decided; \
            the next upload sends what was decided.

            EXAMPLE:
              odata store conflicts field --format json
              odata store conflicts merge field 7 '{"State":"done"}'
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
            A table has of the three versions what differs. JSON has them whole: 'mine' is null of an entity that \
            was deleted here, 'theirs' of one that was deleted there, 'base' of one that was made here.

            EXAMPLE: odata store conflicts list field --format json
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        try await StoreSession.viewing(folder) { store in
            let format = format.resolved
            let rows = try await store.conflicts().map { conflict in
                let versions = [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)]
                let names = format == .json ? nil : conflict.differingProperties
                return [
                    ListColumn("request", conflict.requests.first.map { .integer($0.id) } ?? .null),
                    ListColumn("entity", conflict.path), ListColumn("occasion", conflict.occasion.rawValue),
                    ListColumn("requests", .collection(conflict.requests.map { .integer($0.id) })),
                    ListColumn("message", conflict.error?.message),
                ] + versions.map { version($0, $1, names) }
            }
            let columns = ["request", "entity", "occasion", "base", "mine", "theirs", "message"]
            ListPrinter(format: format).print(rows, columns: columns, ifEmpty: "No conflicts.")
        }
    }

    /// - Parameter names: The properties of a version to show, as text; nil for the whole version as a value.
    private func version(_ name: String, _ entity: EdmEntity?, _ names: [String]?) -> ListColumn {
        guard let entity else { return ListColumn(name, names.map { _ in "none" }) }
        guard let names else { return ListColumn(name, .complex(entity.properties)) }
        let properties = names.compactMap { name in
            entity[name].map { "\(name)=\($0.isNull ? "null" : $0.lexical)" }
        }
        return ListColumn(name, properties.joined(separator: " "))
    }
}

extension ChangeConflict {
    /// The properties that have another value here than at the service; all that were changed on the side that is there.
    fileprivate var differingProperties: [String] {
        let sides = [mine, theirs].compactMap { $0 }
        let others = sides.count == 2 ? theirs : base
        return sides.first?.properties.names.filter { sides[0][$0] != others?[$0] } ?? []
    }
}

/// The conflict that a command is about.
struct ConflictArgument: ParsableArguments {
    @OptionGroup var folder: StoreFolderArgument
    @Argument(
        help: "The id of one of its requests, as 'odata store conflicts' shows it.",
        completion: StoreCompletion.conflicts)
    var request: Int64
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
        abstract: "Discard the local changes: the entity becomes the service's version.",
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
        discussion: """
            EXAMPLE:
              odata store conflicts merge field 7 '{"State":"done"}'
              odata store upload field
            """)

    @OptionGroup var conflict: ConflictArgument
    @Argument(help: "The properties to change in the version of the service, as JSON; - reads it.") var json: String

    func run() async throws {
        try await StoreSession.offline(conflict.folder) { store in
            guard let found = try await store.conflict(requestID: conflict.request) else {
                throw Failure("The request \(conflict.request) is in no conflict.")
            }
            let payload = try await store.payload(try InputFile.text(json), for: try store.path(found.path))
            try await store.resolve(requestID: conflict.request, as: .merged(payload))
        }
    }
}
