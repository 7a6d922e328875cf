import Foundation
import ODataTesting
import Testing

@Suite("Random apps over bad connections, in processes that are killed", .timeLimit(.minutes(60)))
struct SimulationTests {
    /// To replay one: `odata bench faults --seed 17`
    static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["ODATA_LONG_TESTS"] == "1" ? 1..<2001 : 1..<40

    @Test("Nothing is lost, nothing is doubled", arguments: seeds)
    func run(seed: UInt64) async throws {
        let report = try await Simulation(seed: seed).run()
        #expect(
            report.failures.isEmpty, "odata bench faults --seed \(seed)\n\(report.failures.joined(separator: "\n"))")
    }
}
