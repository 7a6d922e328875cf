import Foundation
import Testing
import ToolSupport

@Suite("A process that is killed while it posts attachments doubles nothing", .serialized)
struct AttachmentKillTests {
    @Test(
        "Killed when the service has acted, then posted again: once at the service", arguments: AttachmentHome.allCases)
    func kill(home: AttachmentHome) async throws {
        let moments = try await Self.moments(home)
        #expect(moments.count >= 2)
        for moment in moments {
            try await AttachmentSite.open(home) { site in
                try await site.add()
                let victim = Victim()
                site.responder.arm(moment, victim)
                let output = try await victim.launch(site.arguments("post")).finish()
                #expect(output.status == SIGKILL, "\(moment) did not come: \(output.standardError)")
                let first = site.responder.traffic.lines
                site.responder.arm(nil)
                let posted = try await site.run("post")
                let log = Comment("\((first + ["killed"] + site.responder.traffic.lines).joined(separator: "\n"))")
                #expect(posted.rows.map { $0["state"] as? String } == ["original"], log)
                #expect(try await site.count() == [1, 1], log)
                #expect(try await site.run("post").rows.isEmpty)
            }
        }
    }

    /// Each request that changes something, and the last one of all: the service has the attachment then, and the journal
    /// does not know it yet.
    private static func moments(_ home: AttachmentHome) async throws -> [KillMoment] {
        var lines: [String] = []
        try await AttachmentSite.open(home) { site in
            try await site.add()
            site.responder.arm(nil)
            try await site.run("post")
            lines = site.responder.traffic.lines
            #expect(try await site.count() == [1, 1])
        }
        let edits = lines.indices.filter { !lines[$0].hasPrefix("GET") }
        return Set(edits + [lines.count - 1]).sorted().map { KillMoment.acted($0) }
    }
}
