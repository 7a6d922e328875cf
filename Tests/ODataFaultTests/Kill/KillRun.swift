import Foundation
import OData
import ODataTesting
import Testing
import ToolSupport

/// Runs the tool, kills it, goes on, and compares.
struct KillRun {
    let site: Site
    let phase: KillCase.Phase

    /// What the phase needs before it begins.
    func prepare() async throws {
        try await site.prepare()
        guard phase != .download else { return }
        try await site.open { store in
            try await store.download()
            if phase == .upload { try await FieldWork(file: site.file).make(in: store) }
        }
        if phase == .refresh { try changeService() }
    }

    /// Another client's changes: new, changed and deleted rows, and a changed stream.
    private func changeService() throws {
        try site.file.execute("UPDATE Products SET Price = Price + 1 WHERE ProductID < 'P-0015'")
        try site.file.execute("UPDATE SalesOrders SET Note = 'seen' WHERE SalesOrderID < 1020")
        try site.file.execute("DELETE FROM Photos WHERE PhotoID = 9004")
        try site.file.execute(
            "UPDATE Photos SET Content = ? WHERE PhotoID = 9001", [Data(SiteFile.picture(seed: 9, length: 190_000))])
        try site.file.execute(
            "INSERT INTO BusinessPartners (BusinessPartnerID, Name) VALUES (900, 'New'), (901, 'Newer')")
    }

    var command: String { phase == .upload ? "upload" : "download" }

    /// The traffic of a run that nobody disturbs.
    static func traffic(of phase: KillCase.Phase) async throws -> Traffic {
        let site = try await Site()
        let run = KillRun(site: site, phase: phase)
        try await run.prepare()
        site.responder.arm(nil)
        try await site.run(run.command)
        let traffic = site.responder.traffic
        try await run.compare()
        try await site.stop()
        return traffic
    }

    /// Kills the command at `moment` and says what went over the wire until then.
    func kill(at moment: KillMoment) async throws -> Traffic {
        let victim = Victim()
        site.responder.arm(moment, victim)
        let process = try await victim.launch(["store", command, site.store])
        let output = await process.finish()
        #expect(output.status == SIGKILL, "The moment did not come: \(output.standardError)")
        let traffic = site.responder.traffic
        site.responder.arm(nil)
        return traffic
    }

    /// Opens the store again with the tool, completes both transfers, and compares both sides.
    func complete() async throws {
        try await site.run("upload")
        try await site.run("download")
        try await compare()
    }

    func compare() async throws {
        try await site.open { store in
            #expect(try await store.queueEntries().isEmpty)
            let differences = try await Comparison(store, site.service).differences
            #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
            #expect(try await store.check().isSound)
            #expect(try await StreamFileAudit(folder: site.store).problems == [])
        }
    }
}

/// The traffic of undisturbed runs, measured once.
enum UndisturbedRun {
    private static let download = Task { try await KillRun.traffic(of: .download) }
    private static let refresh = Task { try await KillRun.traffic(of: .refresh) }
    private static let upload = Task { try await KillRun.traffic(of: .upload) }

    static func traffic(of phase: KillCase.Phase) async throws -> Traffic {
        switch phase {
        case .refresh: try await refresh.value
        case .upload: try await upload.value
        case .download, .series, .change: try await download.value
        }
    }
}
