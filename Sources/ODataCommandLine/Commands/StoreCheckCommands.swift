import ArgumentParser
import OData

struct StoreCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for damage in the store's database and streams.",
        discussion: """
            Lists what is damaged, with exit status 3. Streams are named by their digest; the next download fetches \
            them again, but for those that were lost before they were sent. For that damaged ones are noted in the \
            store, unless another process has it open; nothing else is changed.

            EXAMPLE: odata store check field --lengths-only
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Flag(help: "Compare only the lengths of streams; else all are read.") var lengthsOnly = false
    @OptionGroup var format: FormatOption

    func run() async throws {
        let check = try await StoreSession.reading(folder) { store in
            let check = try await store.check(readsStreams: !lengthsOnly)
            let rows: [[ListColumn]] =
                check.database.map { row("database", $0) }
                + check.missingStreams.sorted().map { row("missing stream", $0) }
                + check.damagedStreams.sorted().map { row("damaged stream", $0) }
                + check.lostStreams.sorted().map { row("stream lost before it was sent", $0) }
            ListPrinter(format: format.resolved)
                .print(rows, columns: ["what", "value"], ifEmpty: "The store is sound.")
            return check
        }
        try await StoreSession.noteDamage(check, in: folder)
        guard check.isSound else { throw PartialSuccess(message: "The store is damaged.") }
    }

    private func row(_ what: String, _ value: String) -> [ListColumn] {
        [ListColumn("what", what), ListColumn("value", value)]
    }
}

struct StoreRescueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescue",
        abstract: "List the unsent requests of a damaged store, with their bodies, as far as they can be read.",
        discussion: """
            For a store that can no longer be opened. No process may have it open. Make the changes again in a new \
            store.

            EXAMPLE: odata store rescue field --format json
            """)

    @OptionGroup var folder: StoreFolderArgument
    @OptionGroup var format: FormatOption

    func run() async throws {
        let entries = try OfflineStore.rescueQueue(folder: folder.path, key: folder.key.read())
        ListPrinter(format: format.resolved)
            .print(
                entries.map { $0.columns + [ListColumn("body", $0.body)] },
                columns: ["id", "method", "url", "state", "body"], ifEmpty: "No requests wait.")
    }
}
