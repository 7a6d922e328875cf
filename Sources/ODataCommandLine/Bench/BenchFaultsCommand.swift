import ArgumentParser
import ODataTesting

/// Runs simulations to their end, and reports which seeds failed.
struct BenchFaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract:
            "Let random apps with offline stores work over bad connections, kill them, and look for what got lost.",
        discussion: """
            EXAMPLE: odata bench faults --seeds 300
            EXAMPLE: odata bench faults --seed 17

            The second one replays a run and prints its steps. The exit status is 1 if any run failed.
            """)

    @Option(help: "How many runs. (default: 100; 1 with --seed)")
    var seeds: Int?

    @Option(help: "The first seed. Without --seeds that run alone, with its steps.")
    var seed: UInt64?

    @Flag(name: .shortAndLong, help: "Print the steps of all runs.")
    var verbose = false

    private var isReplay: Bool { seed != nil && seeds == nil }
    private var count: Int { seeds ?? (isReplay ? 1 : 100) }

    func validate() throws {
        guard count > 0, !(seed ?? 1).addingReportingOverflow(UInt64(count)).overflow else {
            throw ValidationError("--seeds takes 1 or more, and the last seed must be less than \(UInt64.max).")
        }
    }

    func run() async throws {
        let first = seed ?? 1
        var totals = FaultTotals()
        for number in first..<first + UInt64(count) {
            let report = await report(of: number)
            totals.add(report)
            if verbose || isReplay { report.steps.forEach(Console.write) }
            for failure in report.failures { Console.write("seed \(number): \(failure)") }
            if !report.failures.isEmpty { Console.write("To replay it: odata bench faults --seed \(number)") }
        }
        Console.write(totals.line)
        if totals.failed > 0 { throw Failure("\(totals.failed) of \(count) runs failed.") }
    }

    /// A run that cannot begin has failed like any other.
    private func report(of seed: UInt64) async -> SimulationReport {
        do { return try await OfflineSimulation(seed: seed).run() } catch {
            return SimulationReport(seed: seed, failures: ["The run could not begin: \(error)"])
        }
    }
}

private struct FaultTotals {
    private var runs = 0
    private var steps = 0
    private var kills = 0
    private var faults: [String: Int] = [:]
    private(set) var failed = 0

    mutating func add(_ report: SimulationReport) {
        runs += 1
        steps += report.steps.count
        kills += report.kills
        faults.merge(report.faults, uniquingKeysWith: +)
        if !report.failures.isEmpty { failed += 1 }
    }

    /// `300 runs, 9000 steps, 210 kills, 1200 faults (401: 20, …), 0 failed`
    var line: String {
        let kinds = faults.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let total = faults.values.reduce(0, +)
        return "\(runs) runs, \(steps) steps, \(kills) kills, \(total) faults (\(kinds)), \(failed) failed"
    }
}
