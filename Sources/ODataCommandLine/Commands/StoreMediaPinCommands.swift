import ArgumentParser
import OData

struct StoreMediaPinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Protect a stream from eviction beyond --media-quota.",
        discussion: """
            An evicted stream is fetched by the next download, if a query with streams holds it.

            EXAMPLE: odata store media pin field 'Photos(9000)'
            """)

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            try await store.pin(try await folder.path(stream, in: store))
        }
    }
}

struct StoreMediaUnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Unpin a stream so that it can be evicted.",
        discussion: "EXAMPLE: odata store media unpin field 'Photos(9000)'")

    @OptionGroup var folder: StoreFolderArgument
    @Argument(help: "The stream.", completion: StoreCompletion.sets) var stream: String

    func run() async throws {
        try await StoreSession.offline(folder) { store in
            try await store.unpin(try await folder.path(stream, in: store))
        }
    }
}
