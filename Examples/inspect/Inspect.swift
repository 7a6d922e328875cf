import ArgumentParser
import Inspection

@main
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Inspections, with photos, where there is no network.",
        subcommands: [
            SyncCommand.self, ListCommand.self, NoteCommand.self, PhotoCommand.self, QueueCommand.self,
            ConflictsCommand.self, DecideCommand.self, MergeCommand.self,
        ])
}

/// Where the store is, and whose data it has.
struct Place: ParsableArguments {
    @Option(help: "The folder of the store.")
    var folder = "inspections"

    @Option(help: "The URL of the service.")
    var service = "http://127.0.0.1:8080/"

    /// Opens the store while `body` runs.
    func changing<Result>(_ body: (FieldWork) async throws -> Result) async throws -> Result {
        try await opened(isReadOnly: false, body)
    }

    /// The same for what changes nothing: another process may have the store open.
    func reading<Result>(_ body: (FieldWork) async throws -> Result) async throws -> Result {
        try await opened(isReadOnly: true, body)
    }

    private func opened<Result>(
        isReadOnly: Bool, _ body: (FieldWork) async throws -> Result
    ) async throws -> Result {
        let work = try FieldWork(folder: folder, service: service, isReadOnly: isReadOnly)
        do {
            try await work.open()
            let result = try await body(work)
            try work.close()
            return result
        } catch {
            try? work.close()
            throw error
        }
    }
}
