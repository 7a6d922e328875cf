import Foundation
import Testing
import ToolSupport

/// Runs the tool, strikes, goes on, and compares.
struct MediaKillRun {
    let site: MediaSite

    /// - Parameter lag: How long after the moment the tool is killed, in turns of the tasks of this process.
    func strike(_ blow: MediaKillCase.Blow, at moment: Relay.Moment, lag: Int?) async throws {
        let victim = Victim()
        site.relay.arm(moment, lag: lag) { [site] in
            switch blow {
            case .toolKilled, .toolKilledSoon, .toolKilledAgain: await victim.kill()
            case .serviceKilled: await site.restartService()
            case .cut: break
            }
        }
        let process = try await victim.launch(site.command)
        let output = await process.finish()
        let hasCome = await site.relay.disarm()
        #expect(hasCome, "\(moment) did not come: \(output.standardError)")
        guard blow == .toolKilled || blow == .toolKilledAgain else { return }
        #expect(output.status == SIGKILL, "\(moment): \(output.standardError)")
    }

    /// Goes on without faults until all is through.
    func complete() async throws {
        // What the service was told is carried out before it is asked: nothing but its list tells of an attachment.
        if site.course == .attachments { try await site.renewService() }
        try await site.run(site.command)
        if site.course.sendsQueue { try await site.run(["store", "download", site.device]) }
        let problems = try await MediaVerdict(site: site).problems()
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}

/// What goes through in runs that nothing strikes, measured once, one after the other.
enum UsualTraffic {
    private static let all: Task<[MediaCourse: Relay.Traffic], any Error> = Task {
        var found: [MediaCourse: Relay.Traffic] = [:]
        for course in MediaCourse.allCases {
            let run = MediaKillRun(site: try await MediaSite(course))
            run.site.relay.arm(nil)
            try await run.site.run(run.site.command)
            found[course] = run.site.relay.traffic
            try await run.complete()
        }
        return found
    }

    static func of(_ course: MediaCourse) async throws -> Relay.Traffic {
        try #require(try await all.value[course])
    }
}
