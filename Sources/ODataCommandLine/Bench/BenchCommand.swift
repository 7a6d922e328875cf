import ArgumentParser

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure this machine's speed beside what else could do the same work.",
        discussion: "EXAMPLE: odata bench download --rows 180000",
        subcommands: [
            BenchDownloadCommand.self, BenchSourceCommand.self, BenchContenderCommand.self,
            BenchEncryptionCommand.self, BenchFaultsCommand.self,
        ])
}
