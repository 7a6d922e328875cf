import ByteStreams
import Foundation
import OData
import Testing
import ToolSupport

@testable import ODataCommandLine

/// Drawings are at least a tenth of a second apart, and a rate needs half a second: it is there after a few of them,
/// however fast the machine is. What a service holds back goes on only when the drawing before was seen.
@Suite("Bars on a terminal", .timeLimit(.minutes(5)))
struct TerminalProgressTests {
    private static let columns = 100

    private func prepare(_ scratch: borrowing Scratch, _ service: HeldService, _ query: String...) async throws {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", service.root).status == 0)
        let add = ["store", "query", "add", scratch.store] + query
        #expect(try await Tool.run(add).status == 0)
    }

    /// Lets the tool end.
    ///
    /// - Returns: All that it has drawn: over what was there, no line so wide that it goes on in the next one, and none
    ///   left in the end.
    private func drawings(on terminal: PseudoTerminal, _ service: HeldService) async throws -> Drawings {
        service.goOn()
        let output = await terminal.finish()
        try await service.stop()
        #expect(output.status == 0)
        #expect(!output.standardError.contains("\u{1B}[2J"))
        let drawings = try Drawings(output.standardError)
        #expect(drawings.lines.allSatisfy { lines in lines.allSatisfy { $0.columns < Self.columns } })
        #expect(drawings.lines.last == [""])
        #expect(!drawings.rest.contains("\u{1B}"))
        return drawings
    }

    /// Whether one of the drawings has such a bar, with some marks, a rate and the time that is left.
    private func hasBar(_ drawings: Drawings, of part: String, named name: String) -> Bool {
        drawings.lines.joined().contains { line in
            line.hasPrefix("[#") && line.contains(part) && line.contains("/s  ") && line.hasSuffix(" left" + name)
        }
    }

    @Test("A stream has a bar with its rate and what is left")
    func stream() async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(
            try scratch.sample(), holding: "GET /Photos(9000)/$value", parts: 40)
        try await prepare(scratch, service, "photos", "Photos", "--streams")
        let terminal = try PseudoTerminal(["store", "download", scratch.store], columns: Self.columns)
        var shown = await terminal.read(until: "5 of 6 streams")
        while !hasBar(try Drawings(shown), of: "% of 7.0 kB  ", named: "  Photos(9000)") {
            let count = Drawings.count(in: shown)
            service.next()
            shown = await terminal.read { Drawings.count(in: $0) > count }
            guard Drawings.count(in: shown) > count else { break }
        }
        let drawings = try await drawings(on: terminal, service)
        #expect(hasBar(drawings, of: "% of 7.0 kB  ", named: "  Photos(9000)"), "\(drawings.lines)")
        #expect(drawings.rest.hasPrefix("1 query, 6 entities, 6 streams"), "\(drawings.rest)")
    }

    @Test("A query has a bar with its rate and what is left, though nobody wrote $count into it")
    func query() async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(
            try scratch.sample(), holding: "GET /SalesOrders?", parts: 1, pageSize: 1)
        try await prepare(scratch, service, "orders", "SalesOrders")
        let terminal = try PseudoTerminal(["store", "download", scratch.store], columns: Self.columns)
        let wait = "waiting for \(service.host)…  orders"
        #expect(await terminal.read(until: wait).contains(wait))
        for number in 1...8 {
            service.next()
            let text = "] \(number) of 30 entities"
            #expect(await terminal.read(until: text).contains(text))
        }
        let drawings = try await drawings(on: terminal, service)
        #expect(hasBar(drawings, of: "-] 8 of 30 entities  ", named: "  orders"), "\(drawings.lines)")
        #expect(drawings.rest.hasPrefix("1 query, 30 entities"), "\(drawings.rest)")
    }

    @Test("A page that arrives slowly has its bytes before its first entity", arguments: ["download", "sync"])
    func slowPage(command: String) async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(try scratch.sample(), holding: "GET /SalesOrders?", parts: 400)
        try await prepare(scratch, service, "orders", "SalesOrders")
        let terminal = try PseudoTerminal(["store", command, scratch.store], columns: Self.columns)
        let shown = await terminal.read(until: "0 entities  received ")
        #expect(shown.contains("0 entities  received "), "\(shown)")
        let drawings = try await drawings(on: terminal, service)
        #expect(drawings.rest.contains("1 query, 30 entities"), "\(drawings.rest)")
    }

    @Test("A synchronization has a bar of its requests, then one of each query")
    func synchronization() async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(
            try scratch.sample(), holding: "GET /SalesOrders?", parts: 1, pageSize: 10)
        try await prepare(scratch, service, "orders", "SalesOrders")
        #expect(try await Tool.run("store", "query", "add", scratch.store, "photos", "Photos").status == 0)
        #expect(try await Tool.run("store", "download", scratch.store, "photos").status == 0)
        try await replaceStreams(9000..<9002, in: scratch.store)
        let terminal = try PseudoTerminal(["store", "sync", scratch.store], columns: Self.columns)
        #expect(await terminal.read(until: "of 2 requests").contains("] "))
        let wait = "waiting for \(service.host)…  orders"
        #expect(await terminal.read(until: wait).contains(wait))
        for number in [10, 20] {
            service.next()
            let text = "] \(number) of 30 entities"
            #expect(await terminal.read(until: text).contains(text))
        }
        let drawings = try await drawings(on: terminal, service)
        #expect(drawings.rest.hasPrefix("2 requests sent in "), "\(drawings.rest)")
        #expect(drawings.rest.contains("2 queries, "), "\(drawings.rest)")
    }

    @Test("An upload has a bar of its requests with their rate and what is left, and one of the stream on its way")
    func upload() async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(
            try scratch.sample(photos: 10), holding: "PUT /Photos(", parts: 1)
        try await prepare(scratch, service, "photos", "Photos")
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        try await replaceStreams(9000..<9010, in: scratch.store)
        let terminal = try PseudoTerminal(["store", "upload", scratch.store], columns: Self.columns)
        #expect(await terminal.read(until: "] 0 of 10 requests").contains("] 0 of 10 requests"))
        for number in 1...8 {
            service.next()
            let text = "] \(number) of 10 requests"
            #expect(await terminal.read(until: text).contains(text))
        }
        // All that there is has been sent.
        let sent = "#] 100% of 5 B  waiting for \(service.host)…  Photos(9008)"
        #expect(await terminal.read(until: sent).contains(sent))
        let drawings = try await drawings(on: terminal, service)
        #expect(hasBar(drawings, of: "-] 8 of 10 requests  ", named: ""), "\(drawings.lines)")
        #expect(drawings.rest.hasPrefix("10 requests sent."), "\(drawings.rest)")
    }

    @Test("The first response is waited for in a line that goes when it comes")
    func waiting() async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(try scratch.sample(), holding: "GET /Photos(9000)", parts: 1)
        let terminal = try PseudoTerminal(["get", service.root + "Photos(9000)"], columns: Self.columns)
        let wait = "\rwaiting for \(service.host)…\u{1B}[J"
        #expect(await terminal.read(until: wait).contains(wait))
        service.goOn()
        let output = await terminal.finish()
        try await service.stop()
        #expect(output.status == 0 && output.standardOutput.contains("9000"))
        #expect(output.standardError.hasPrefix(wait + "\r\u{1B}[J"), "\(output.standardError)")
        let drawings = try Drawings(output.standardError)
        #expect(drawings.lines.last == [""] && drawings.rest.isEmpty)
    }

    @Test("A signal ends the line that was drawn, then the process", arguments: [SIGINT, SIGTERM])
    func interrupted(by signal: Int32) async throws {
        let scratch = try Scratch()
        let service = try await HeldService.start(
            try scratch.sample(), holding: "GET /Photos(9000)/$value", parts: 40)
        try await prepare(scratch, service, "photos", "Photos", "--streams")
        let terminal = try PseudoTerminal(["store", "download", scratch.store], columns: Self.columns)
        #expect(await terminal.read(until: "5 of 6 streams").contains("5 of 6 streams"))
        terminal.send(signal)
        let output = await terminal.finish()
        try await service.stop()
        #expect(output.status == signal)
        let drawings = try Drawings(output.standardError)
        // Ended, and not taken away; the cursor was never hidden.
        #expect(drawings.rest == "\n" && drawings.lines.last != [""], "\(output.standardError)")
        #expect(!output.standardError.contains("\u{1B}[?25"))
    }

    private func replaceStreams(_ keys: Range<Int>, in folder: String) async throws {
        let store = try OfflineStore(folder: folder, remote: nil)
        try await store.open()
        for key in keys {
            let content = MediaContent(ByteContent(Array("other".utf8)), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos(\(key))"), .replaceStream(content)))
        }
        try store.close()
    }
}
