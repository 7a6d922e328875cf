import ODataTesting
import Testing
import ToolSupport

import enum TestSupport.LongTests

@Suite("Random apps over bad connections, in processes that are killed", .timeLimit(.minutes(60)))
struct SimulationTests {
    /// To replay one: `odata bench faults --seed 17`
    static let seeds: Range<UInt64> = LongTests.areWanted ? 1..<901 : 1..<31

    @Test("Nothing is lost, nothing is doubled", arguments: seeds)
    func run(seed: UInt64) async throws {
        let report = try await OfflineSimulation(seed: seed).run()
        #expect(
            report.failures.isEmpty, "odata bench faults --seed \(seed)\n\(report.failures.joined(separator: "\n"))")
    }

    @Test("The same seed is the same run, in this process and in others")
    func replay() async throws {
        let seeds: [UInt64] = LongTests.areWanted ? [1, 2, 3] : [1]
        var steps: [String] = []
        for seed in seeds {
            let report = try await OfflineSimulation(seed: seed).run()
            let again = try await OfflineSimulation(seed: seed).run()
            #expect(report.steps == again.steps)
            #expect(report.faults == again.faults)
            steps += report.steps
        }
        let arguments = ["bench", "faults", "--seed", "1", "--seeds", "\(seeds.count)", "--verbose"]
        let tool = try await Tool.run(arguments)
        #expect(tool.status == 0, "\(tool.standardError)")
        let lines: [String] = tool.standardOutput.split(separator: "\n").map(String.init)
        #expect(Array(lines.dropLast()) == steps)
        #expect(tool.standardOutput.contains("\n\(seeds.count) run"))
    }
}
