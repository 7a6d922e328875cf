import ODataConformance
import Testing

@Suite("Conformance of the stores", WithSampleFolder())
struct ConformanceTests {
    @Test("Reads", arguments: ConformanceRun.all(changingData: false))
    func read(_ run: ConformanceRun) async throws {
        let folder = try #require(SampleFolder.current)
        try await run.check.run(on: folder.shared(run.kind).store)
    }

    @Test("Changes", arguments: ConformanceRun.all(changingData: true))
    func change(_ run: ConformanceRun) async throws {
        let folder = try #require(SampleFolder.current)
        let served = try await folder.fresh(run.kind)
        await #expect(throws: Never.self) { try await run.check.run(on: served.store) }
        try await served.stop()
    }
}

@Suite("The conformance suite itself")
struct ConformanceSuiteTests {
    @Test("Every check has a name of its own and a section")
    func names() {
        let names = ConformanceSuite.checks.map(\.name)
        let twice = Dictionary(grouping: names, by: { $0 }).filter { $1.count > 1 }.keys.sorted()
        #expect(twice.isEmpty)
        #expect(ConformanceSuite.checks.allSatisfy { !$0.section.isEmpty })
    }
}
