import ArgumentParser
import Foundation

/// Measures what encryption at rest costs.
struct BenchEncryptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encryption", abstract: "Measure what encrypted databases and media cost beside plain ones.",
        discussion: "EXAMPLE: odata bench encryption --rows 200000")

    @Option(help: "How many rows the database has.") var rows = 200_000
    @Option(help: "The length of the stream in MiB.") var megabytes = 128
    @Option(help: "How often everything is measured; the median counts.") var rounds = 5

    func validate() throws {
        guard rows > 0, rounds > 0 else { throw ValidationError("The numbers must be above zero.") }
        // The stream is made in memory.
        guard (1...4096).contains(megabytes) else { throw ValidationError("--megabytes takes 1 to 4096.") }
    }

    func run() async throws {
        let folder = NSTemporaryDirectory() + "odata-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let measurement = EncryptionMeasurement(rows: rows, megabytes: megabytes, rounds: rounds, folder: folder)
        for line in try await measurement.run() {
            Console.write(
                String(
                    format: "%@: plain %.3f s, encrypted %.3f s, ratio %.2f", line.work, line.plain, line.encrypted,
                    line.encrypted / line.plain))
        }
    }
}
