import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import OData
import ODataTransport
import Synchronization
import Testing
import ToolSupport

@testable import ODataCommandLine

@Suite("Bars of the transfers that run", .timeLimit(.minutes(5)))
struct TransferBarsTests {
    @Test("Lines are written over, and are gone in the end")
    func lines() {
        let written = Written()
        let lines = ProgressLines(isTerminal: true, write: written.add)
        lines.show("all", isMilestone: false)
        #expect(written.take() == "\r\u{1B}[Jall")
        lines.show(bars: ["a", "b"])
        #expect(written.take() == "\r\u{1B}[Jall\na\nb")
        lines.show(bars: ["a", "b"])
        #expect(written.take() == "")
        lines.show(bars: ["b"])
        #expect(written.take() == "\r\u{1B}[2A\u{1B}[Jall\nb")
        lines.finish()
        #expect(written.take() == "\r\u{1B}[1A\u{1B}[J")
        lines.finish()
        #expect(written.take() == "")

        let others = ProgressLines(isTerminal: false, write: written.add)
        others.show(bars: ["a"])
        others.finish()
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
        for isTerminal in [true, false] {
            let content = MediaContent(ByteContent(Array("other".utf8)), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos(9000)"), .replaceStream(content)))
            let lines = ProgressLines(isTerminal: isTerminal) { text in
                written.add(text)
                if text.contains("Photos(9000)") { giver.finish() }
            }
            let report = try await lines.following(store) { try await store.upload() }
            #expect(report.isComplete)
            let text = written.take()
            guard isTerminal else {
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

    func add(_ text: String) { self.text.withLock { $0 += text } }

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

    func send(_ request: HTTPRequest, body: ByteContent?) async throws -> HTTPReply {
        if request.method == .put { for await _ in shown {} }
        return try await next.send(request, body: body)
    }
}
