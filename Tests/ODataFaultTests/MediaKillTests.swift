import ODataTesting
import Testing
import ToolSupport

@Suite(
    "Streams that are struck on their way arrive once and whole, and nothing else stays", .serialized,
    WithMediaTemplate())
struct MediaKillTests {
    @Test("Small ones, struck at a moment drawn from a seed", arguments: MediaKillCase.all)
    func small(_ killCase: MediaKillCase) async throws {
        var random = killCase.random
        let usual = try await UsualTraffic.of(killCase.course)
        let run = MediaKillRun(site: try await MediaSite(killCase.course))
        let moment = Relay.Moment(usual, of: killCase.course, using: &random)
        try await run.strike(killCase.blow, at: moment, lag: lag(killCase.blow, &random))
        if killCase.blow == .toolKilledAgain {
            // What is left goes over the wire in any case: the list of queries, or of attachments.
            try await run.strike(.toolKilledSoon, at: .turn(0), lag: lag(.toolKilledSoon, &random))
        }
        try await run.complete()
    }

    @Test(
        "One of 1 GiB", .enabled(if: LargeFile.isWanted, Comment(rawValue: LargeFile.absence)),
        arguments: MediaKillCase.large)
    func large(_ killCase: MediaKillCase) async throws {
        var random = killCase.random
        let file = try LargeFile()
        let run = MediaKillRun(
            site: try await MediaSite(killCase.course, large: file, creates: random.number(below: 2) == 0))
        let moment = Relay.Moment(large: killCase.course, using: &random)
        try await run.strike(killCase.blow, at: moment, lag: lag(killCase.blow, &random))
        try await run.complete()
    }

    private func lag(_ blow: MediaKillCase.Blow, _ random: inout SplitMix) -> Int? {
        blow == .toolKilledSoon ? random.number(below: 2_000) : nil
    }
}
