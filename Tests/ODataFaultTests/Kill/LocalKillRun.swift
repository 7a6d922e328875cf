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

    /// A long series of orders, killed when one was printed and a part of the next is in the write-ahead log.
    func killSeries(_ random: inout SplitMix) async throws {
        let markers = (0..<60).map { "series-\($0)" }
        let input = site.path("orders.txt")
        try Data((markers.map(FieldWork.order).joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: input))
        let process = try RunningTool(["store", "create", site.store, "SalesOrders", "-"], inputFile: input)
        var accepted: [String] = []
        var (size, growth) = (logSize, 0)
        for _ in 0...(1 + random.number(below: 20)) {
            accepted.append(try #require(process.nextLine()))
            let newSize = logSize
            (size, growth) = (newSize, newSize - size)
        }
        // The next change writes about as much as the last one.
        let target = size + random.number(below: growth)
        while process.isRunning, logSize <= target {}
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
        try #require(accepted.count < markers.count, "All orders were made before the process was killed.")
        // The change that was under way happened as a whole or not at all; none after it.
        let next = try work.orderCount(markers[accepted.count])
        #expect(next == (0, 0) || next == (1, 2), "\(next)")
        let total = try site.file.count("SELECT count(*) FROM SalesOrders WHERE Note LIKE 'series-%'")
        #expect(total == accepted.count + next.orders)
    }

    /// One change, killed when so much of it is written. Where the process was through before the signal came, the
    /// next one gets it earlier.
    func killChange(_ random: inout SplitMix) async throws {
        let isCreation = random.number(below: 2) == 0
        var target = random.number(below: Self.pictureLength + 40_000)
        for attempt in 1...6 {
            let picture = SiteFile.picture(seed: random.next(), length: Self.pictureLength)
            let status = try await change(picture, isCreation, named: "x\(attempt)", killedAfter: target)
            try await complete()
            let sql = isCreation ? "Caption = 'x\(attempt)'" : "PhotoID = 9003"
            let changed = try site.file.count(
                "SELECT count(*) FROM Photos WHERE \(sql) AND Content = ?", [Data(picture)])
            let all = try site.file.count("SELECT count(*) FROM Photos")
            #expect(status == 0 ? changed == 1 : changed <= 1)
            #expect(all == SiteFile.photos + (isCreation ? attempt - 1 + changed : 0))
            if status == SIGKILL { return }
            target /= 2
        }
        Issue.record("The process was never killed.")
    }

    private static let pictureLength = 400_000

    /// - Returns: How the process ended.
    private func change(
        _ picture: [UInt8], _ isCreation: Bool, named caption: String, killedAfter target: Int
    ) async throws -> Int32 {
        let source = site.path("picture.png")
        try Data(picture).write(to: URL(fileURLWithPath: source))
        let arguments =
            isCreation
            ? [
                "media", "create", site.store, "Photos", source, "--type", "image/png", "--properties",
                #"{"Caption":"\#(caption)"}"#,
            ]
            : ["media", "put", site.store, "Photos(9003)", source, "--type", "image/png"]
        let process = try RunningTool(["store"] + arguments)
        while process.isRunning, written <= target {}
        process.send(SIGKILL)
        return await process.finish().status
    }

    private func complete() async throws { try await KillRun(site: site, phase: .change).complete() }

    /// The bytes of the picture that is coming in, or all of them and what the database was told then.
    private var written: Int {
        let folder = site.store + "/media/incoming"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return logSize > 0 ? Self.pictureLength + logSize : names.map { size(of: "\(folder)/\($0)") }.reduce(0, +)
    }

    private var logSize: Int { size(of: site.store + "/store.sqlite-wal") }

    private func size(of path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }
}
