import Foundation
import OData
import ODataTesting
import Testing
import ToolSupport

/// Kills the tool while it changes the store, without network.
struct LocalKillRun {
    let site: Site
    private var work: FieldWork { FieldWork(file: site.file) }

    init(site: Site) {
        self.site = site
    }

    /// A long series of orders, killed right after one was printed: somewhere in the next.
    func killSeries(_ random: inout SplitMix) async throws {
        let markers = (0..<60).map { "series-\($0)" }
        let input = site.path("orders.txt")
        try Data((markers.map(FieldWork.order).joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: input))
        let process = try RunningTool(["store", "create", site.store, "SalesOrders", "-"], inputFile: input)
        var accepted: [String] = []
        var (last, length) = (ContinuousClock.now, Duration.zero)
        for _ in 0...(1 + random.number(below: 20)) {
            accepted.append(try #require(process.nextLine()))
            (last, length) = (.now, last.duration(to: .now))
        }
        // Any moment of the next change, on any machine: it takes about as long as the last one.
        spin(length * Double(random.number(below: 1_000)) / 1_000)
        process.send(SIGKILL)
        let output = await process.finish()
        #expect(output.status == SIGKILL, "\(output.standardError)")
        accepted += output.standardOutput.split(separator: "\n").map(String.init)
        try await complete()
        for index in accepted.indices {
            #expect(accepted[index].contains(#""\#(markers[index])""#))
            let fault = try work.orderFault(markers[index])
            #expect(fault == nil, "\(fault ?? "")")
        }
        // The change that was under way happened as a whole or not at all; none after it.
        let next = try work.orderCount(markers[accepted.count])
        #expect(next == (0, 0) || next == (1, 2), "\(next)")
        let total = try site.file.count("SELECT count(*) FROM SalesOrders WHERE Note LIKE 'series-%'")
        #expect(total == accepted.count + next.orders)
    }

    /// One change, killed when the store begins to be written, or a little later.
    func killChange(_ random: inout SplitMix) async throws {
        let picture = SiteFile.picture(seed: random.next(), length: 400_000)
        let source = site.path("picture.png")
        try Data(picture).write(to: URL(fileURLWithPath: source))
        let create = random.number(below: 2) == 0
        let arguments =
            create
            ? [
                "media", "create", site.store, "Photos", source, "--type", "image/png", "--properties",
                #"{"Caption":"x1"}"#,
            ]
            : ["media", "put", site.store, "Photos(9003)", source, "--type", "image/png"]
        let process = try RunningTool(["store"] + arguments)
        while process.isRunning, !isBeingWritten {}
        spin(.microseconds(random.number(below: 12_000)))
        process.send(SIGKILL)
        let wasAccepted = await process.finish().status == 0
        try await complete()
        let sql = create ? "Caption = 'x1'" : "PhotoID = 9003"
        let changed = try site.file.count(
            "SELECT count(*) FROM Photos WHERE \(sql) AND Content = ?", [Data(picture)])
        let all = try site.file.count("SELECT count(*) FROM Photos")
        #expect(wasAccepted ? changed == 1 : changed <= 1)
        #expect(all == SiteFile.photos + (create ? changed : 0))
    }

    private func complete() async throws { try await KillRun(site: site, phase: .change).complete() }

    private var isBeingWritten: Bool {
        let incoming = try? FileManager.default.contentsOfDirectory(atPath: site.store + "/media/incoming")
        if incoming?.isEmpty == false { return true }
        let log = try? FileManager.default.attributesOfItem(atPath: site.store + "/store.sqlite-wal")
        return (log?[.size] as? Int ?? 0) > 0
    }

    /// Lets a moment pass that no scheduler makes longer than it is.
    private func spin(_ duration: Duration) {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {}
    }
}
