import ArgumentParser
import ODataTesting

/// Runs simulations until they are through, and says which seeds failed.
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

    @Option(help: "How many runs.")
    var seeds = 100

    @Option(help: "One run with this seed, with its steps; with --seeds the first of them.")
    var seed: UInt64?

    @Flag(help: "Print the steps of all runs.")
    var verbose = false

    func run() async throws {
        let first = seed ?? 1
        let count = seed != nil && seeds == 100 ? 1 : seeds
        var totals = FaultTotals()
        for number in first..<first + UInt64(max(1, count)) {
            let report = try await Simulation(seed: number).run()
            totals.add(report)
            if verbose || (seed != nil && count == 1) { report.steps.forEach(Console.write) }
            for failure in report.failures { Console.write("seed \(number): \(failure)") }
            if !report.failures.isEmpty { Console.write("To replay it: odata bench faults --seed \(number)") }
        }
        Console.write(totals.line)
        if totals.failed > 0 { throw Failure("\(totals.failed) of \(count) runs failed.") }
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
