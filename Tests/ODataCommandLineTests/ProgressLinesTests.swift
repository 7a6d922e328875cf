import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import OData
import ODataTransport
import Synchronization
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("Lines of what is on its way", .timeLimit(.minutes(5)))
struct ProgressLinesTests {
    private static let wide = TerminalSize(told: (80, 24), environment: [:])

    /// Draws at once what changes.
    private func lines(_ written: Written, canWriteOver: Bool = true, rows: Int = 24) -> ProgressLines {
        ProgressLines(
            host: "example.org", canWriteOver: canWriteOver, size: { TerminalSize(told: (80, rows), environment: [:]) },
            interval: .zero, write: written.add)
    }

    @Test("Where lines cannot be written over, waiting is told once it takes long")
    func longWait() async throws {
        let written = Written()
        let lines = ProgressLines(host: "example.org", canWriteOver: false, patience: .zero, write: written.add)
        let text = try await lines.waiting {
            var text = ""
            while text.isEmpty {
                await Task.yield()
                text = written.take()
            }
            return text
        }
        #expect(text == "Waiting for example.org…\n")
    }

    private func transfer(_ name: String, _ bytes: Int64, _ state: TransferSnapshot.State) -> TransferSnapshot {
        var transfer = TransferSnapshot(id: .init(name), direction: .download, path: name, priority: 0)
        (transfer.acknowledged, transfer.total, transfer.state) = (bytes, 10, state)
        return transfer
    }

    @Test("Lines are written over, each time at once, and are gone in the end")
    func drawing() {
        let written = Written()
        let lines = lines(written)
        lines.show(5, of: nil)
        #expect(written.take() == "\r5 B\u{1B}[J")
        let bar = "[---------------"
        lines.show(transfer("a", 0, .running))
        #expect(written.take() == "\r5 B\u{1B}[K\n\(bar)---------------]   0% of 10 B  a\u{1B}[J")
        lines.show(transfer("a", 0, .running))
        #expect(written.take() == "")
        lines.show(transfer("b", 0, .running))
        #expect(written.take().hasPrefix("\r\u{1B}[1A5 B\u{1B}[K\n[-"))
        lines.show(transfer("a", 10, .finished))
        #expect(written.take() == "\r\u{1B}[2A5 B\u{1B}[K\n\(bar)---------------]   0% of 10 B  b\u{1B}[J")
        lines.finish()
        #expect(written.take() == "\r\u{1B}[1A\u{1B}[J")
        lines.finish()
        #expect(written.take() == "")
    }

    @Test("A query that asks for the number of its entities has a bar")
    func countedQuery() async throws {
        let scratch = try Scratch()
        let service = try SQLiteStore(path: try scratch.sample())
        let store = try OfflineStore(folder: scratch.store, remote: service)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "products", query: "Products?$count=true"))
        let written = Written()
        let lines = lines(written)
        try await store.download { lines.show($0) }
        try store.close()
        try service.close()
        let text = written.take()
        #expect(text.contains("##] 20 of 20 entities"))
        #expect(text.hasPrefix("\rwaiting for example.org…\u{1B}[J\rwaiting for example.org…  products\u{1B}[J"))
    }

    @Test("A synchronization shows its queries, then its requests where some wait, and its own text elsewhere")
    func synchronization() async throws {
        let scratch = try Scratch()
        let service = try SQLiteStore(path: try scratch.sample())
        let store = try OfflineStore(folder: scratch.store, remote: service)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "products", query: "Products?$count=true"))
        let written = Written()
        let drawn = lines(written)
        try await store.sync { drawn.show($0) }
        let first = written.take()
        #expect(first.hasPrefix("\rwaiting for example.org…\u{1B}[J"), "\(first)")
        #expect(first.contains("waiting for example.org…  products"), "\(first)")
        #expect(first.contains("##] 20 of 20 entities"), "\(first)")
        #expect(first.hasSuffix("\r\u{1B}[J"), "no line is left: \(first)")

        let path = try store.path("Products('P-0001')")
        let update = { (category: String) in
            ChangeRequest(path, .update(EntityPayload(["Category": .string(category)])))
        }
        _ = try await store.change(update("new"))
        try await store.sync { drawn.show($0) }
        let second = written.take()
        #expect(second.contains("] 0 of 1 requests") && second.hasSuffix("\r\u{1B}[J"), "\(second)")

        _ = try await store.change(update("newer"))
        let plain = lines(written, canWriteOver: false)
        try await store.sync { plain.show($0) }
        let told = written.take()
        #expect(told.hasPrefix("Sending 0 of 1 request\n"), "\(told)")
        #expect(told.contains("\nproducts: ") && !told.contains("\u{1B}"), "\(told)")
        try store.close()
        try service.close()
    }

    @Test("No more lines are shown than the terminal has")
    func height() {
        let written = Written()
        let lines = lines(written, rows: 4)
        for number in 0..<10 { lines.show(transfer("Photos(\(number))", 0, .running)) }
        let text = written.take()
        #expect(text.contains("Photos(2)"))
        #expect(!text.contains("Photos(3)"))
    }

    @Test("Changes that come fast are drawn together, and the last one is drawn")
    func pace() {
        let start = ContinuousClock.now
        var pace = RedrawInterval(interval: .milliseconds(100))
        #expect(pace.change(at: start) == .now)
        #expect(pace.change(at: start + .milliseconds(30)) == .later(start + .milliseconds(100)))
        #expect(pace.change(at: start + .milliseconds(60)) == .never)
        pace.drawn(at: start + .milliseconds(101))
        #expect(pace.change(at: start + .milliseconds(150)) == .later(start + .milliseconds(201)))
        #expect(pace.change(at: start + .milliseconds(300)) == .now)
    }

    @Test("A drawing that had to wait comes by itself")
    func promised() async {
        let (shown, giver) = AsyncStream.makeStream(of: String.self)
        let lines = ProgressLines(
            canWriteOver: true, size: { Self.wide }, interval: .milliseconds(20),
            write: { text, _ in giver.yield(text) })
        lines.show(1, of: nil)
        lines.show(2, of: nil)
        lines.show(3, of: nil)
        for await text in shown where text == "\r3 B\u{1B}[J" { break }
    }

    @Test("What has come to a stop is drawn on, so that its rate becomes less")
    func stopped() async {
        let (shown, giver) = AsyncStream.makeStream(of: String.self)
        let lines = ProgressLines(
            canWriteOver: true, size: { Self.wide }, interval: .zero, write: { text, _ in giver.yield(text) })
        lines.show(0, of: 1000)
        lines.show(500, of: 1000)
        var rates: [String] = []
        for await text in shown where text.contains("B/s") {
            rates.append(text)
            if rates.count == 2 { break }
        }
        lines.finish()
        #expect(Set(rates).count == 2)
    }

    @Test("Whose response is waited for is told, on a terminal only")
    func waiting() async throws {
        let written = Written()
        try await lines(written).waiting { #expect(written.take() == "\rwaiting for example.org…\u{1B}[J") }
        #expect(written.take() == "\r\u{1B}[J")
        #expect(written.areOpen == [true, false])
        try await lines(written, canWriteOver: false).waiting {}
        #expect(written.take() == "")
    }

    @Test("A stream of which nothing has come waits, and one that is sent as a whole")
    func waitingStreams() {
        let written = Written()
        var stream = TransferSnapshot(id: .init("a"), direction: .download, path: "a", host: "media.test", priority: 0)
        let down = lines(written)
        stream.state = .running
        down.show(stream)
        #expect(written.take() == "\rwaiting for media.test…  a\u{1B}[J")
        stream.acknowledged = 5
        down.show(stream)
        #expect(written.take() == "\r5 B  a\u{1B}[J")
        stream = TransferSnapshot(id: .init("a"), direction: .upload, path: "a", priority: 0)
        let up = lines(written)
        (stream.state, stream.sent, stream.total) = (.running, 9, 10)
        up.show(stream)
        #expect(written.take().hasSuffix("##---]  90% of 10 B  a\u{1B}[J"))
        stream.sent = 10
        up.show(stream)
        #expect(written.take().hasSuffix("##] 100% of 10 B  waiting for example.org…  a\u{1B}[J"))
    }

    @Test("Where lines cannot be written over, each is a line: milestones, and others now and then")
    func plain() {
        let written = Written()
        let often = lines(written, canWriteOver: false)
        often.show(transfer("a", 0, .running))
        #expect(written.take() == "")
        often.show(5, of: 10)
        often.show(5, of: 10)
        often.finish()
        #expect(written.take() == "5 B of 10 B\n")

        let seldom = ProgressLines(canWriteOver: false, write: written.add)
        seldom.show(5, of: 10)
        #expect(written.take() == "")
    }

    @Test("A stream has a bar while it is on its way, on a terminal only")
    func following() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let transport = AsyncHTTPTransport()
        do {
            try await upload(to: served.root, scratch.store, transport)
        } catch {
            try await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
    }

    private func upload(to root: String, _ folder: String, _ transport: any HTTPTransport) async throws {
        let (shown, giver) = AsyncStream.makeStream(of: Void.self)
        let remote = try OnlineStore(serviceRoot: root, transport: HeldTransport(next: transport, until: shown))
        let store = try OfflineStore(folder: folder, remote: remote)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos"))
        try await store.download()
        let written = Written()
        for canWriteOver in [true, false] {
            let content = MediaContent(ByteContent(Array("other".utf8)), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos(9000)"), .replaceStream(content)))
            let write: @Sendable (String, Bool) -> Void = { text, isLeftOpen in
                written.add(text, isLeftOpen)
                if text.contains("Photos(9000)") { giver.finish() }
            }
            let lines = ProgressLines(
                canWriteOver: canWriteOver, size: { Self.wide }, interval: .zero, write: write)
            let report = try await lines.following(store) { try await store.upload() }
            #expect(report.isComplete)
            let text = written.take()
            guard canWriteOver else {
                #expect(text == "")
                continue
            }
            #expect(text.contains("[------------------------------]   0% of 5 B  Photos(9000)"), "\(text)")
            #expect(text.hasSuffix("\u{1B}[J"))
        }
        try store.close()
    }
}

/// What a terminal would show.
private final class Written: Sendable {
    private let text = Mutex("")
    private let left = Mutex<[Bool]>([])

    /// Whether each text left its line open.
    var areOpen: [Bool] { left.withLock { $0 } }

    func add(_ text: String, _ isLeftOpen: Bool) {
        self.text.withLock { $0 += text }
        left.withLock { $0.append(isLeftOpen) }
    }

    func take() -> String {
        text.withLock { text in
            defer { text = "" }
            return text
        }
    }
}

/// Sends a stream when `shown` has ended.
private struct HeldTransport: HTTPTransport {
    let next: any HTTPTransport
    let shown: AsyncStream<Void>

    init(next: any HTTPTransport, until shown: AsyncStream<Void>) {
        self.next = next
        self.shown = shown
    }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        if request.method == .put { for await _ in shown {} }
        return try await next.send(request, body: body, context: context)
    }
}
