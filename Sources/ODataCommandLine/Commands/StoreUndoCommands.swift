import ArgumentParser
import OData

struct StoreUndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo waiting or failed requests, with their changes in the store.",
        discussion: """
            Of one request, of one entity, of a change set, of a category, or of all that waits. Undoing the \
            creation of an entity undoes what names it, too, and the requests of a change set go together. Prints \
            the requests that were dropped; with --dry-run also while another process has the store open.

            EXAMPLE:
              odata store undo field 'Photos(9000)' --dry-run
              odata store undo field --all
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(
        help: "A request's id, as 'odata store queue' shows it, or an entity, as Set(key).",
        completion: StoreCompletion.requests)
    var what: String?
    @Option(help: "The requests of the change set with this number.") var changeSet: Int64?
    @Option(help: "The requests of this category.") var category: String?
    @Flag(help: "All that waits.") var all = false
    @Flag(help: "Only print what would be dropped.") var dryRun = false
    @Flag(help: "Take requests back too that the service may have executed.") var force = false
    @OptionGroup var format: FormatOption

    func validate() throws {
        let scopes = [what != nil, changeSet != nil, category != nil, all].count { $0 }
        guard scopes == 1 || dryRun && scopes == 0 else {
            throw ValidationError("Give one of: a request or an entity, --change-set, --category, --all.")
        }
    }

    func run() async throws {
        let plan =
            if dryRun {
                try await StoreSession.viewing(folder) { store in try await store.undoPlan(await scope(in: store)) }
            } else {
                try await StoreSession.offline(folder) { store in
                    try await store.undo(await scope(in: store), force: force)
                }
            }
        UndoPrinter(format: format.resolved).print(plan)
    }

    private func scope(in store: OfflineStore) async throws -> UndoScope {
        if let changeSet { return .changeSet(changeSet) }
        if let category { return .category(category) }
        guard let what else { return .everything }
        if let id = Int64(what) { return .request(id) }
        return .entity(try await folder.path(what, in: store))
    }
}

/// Prints what an undo drops.
struct UndoPrinter {
    let format: OutputFormat

    func print(_ plan: UndoPlan) {
        let rows = plan.requests.map { request in
            [
                ListColumn("id", .integer(request.id)), ListColumn("method", request.method),
                ListColumn("url", request.url), ListColumn("state", request.state.rawValue),
            ]
        }
        ListPrinter(format: format).print(rows, columns: ["id", "method", "url", "state"], ifEmpty: "Nothing to undo.")
    }
}
