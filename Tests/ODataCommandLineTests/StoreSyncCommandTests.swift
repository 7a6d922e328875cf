import ByteStreams
import Foundation
import HTTPTypes
import OData
import ODataServer
import ODataService
import Testing
import ToolSupport

@Suite("odata store sync", .timeLimit(.minutes(5)))
struct StoreSyncCommandTests {
    private static let product = "Products('P-0001')"

    /// A store with the products, downloaded.
    private func prepare(_ scratch: borrowing Scratch, _ root: String) async throws {
        #expect(try await Tool.run("store", "init", scratch.store, "--service", root).status == 0)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "products", "Products").status == 0)
        let download = try await Tool.run("store", "download", scratch.store)
        #expect(download.status == 0, "\(download.standardError)")
    }

    private func update(_ store: String, _ path: String, _ json: String) async throws {
        let output = try await Tool.run("store", "update", store, path, json)
        #expect(output.status == 0, "\(output.standardError)")
    }

    @Test("It sends what waits, and receives what another client has changed")
    func bothWays() async throws {
        let scratch = try Scratch()
        let other = try Scratch()
        let served = try ServedSample(try scratch.sample())
        defer { withExtendedLifetime(served) {} }
        try await prepare(scratch, served.root)
        try await prepare(other, served.root)
        try await update(other.store, "Products('P-0002')", #"{"Category":"theirs"}"#)
        #expect(try await Tool.run("store", "sync", other.store).status == 0)
        try await update(scratch.store, Self.product, #"{"Category":"mine"}"#)

        let sync = try await Tool.run("store", "sync", scratch.store)
        #expect(sync.status == 0 && sync.standardOutput.isEmpty, "\(sync)")
        let lines = sync.standardError.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("1 request sent in ") && $0.hasSuffix("s.") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("1 query, ") && $0.contains(" entit") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("Received ") && $0.contains("B in ") }, "\(lines)")
        #expect(try await Tool.run("store", "queue", scratch.store).rows.isEmpty)
        let remote = try await Tool.run("get", served.root + Self.product, "--format", "json")
        #expect(remote.json["Category"] as? String == "mine")
        let local = try await Tool.run("store", "read", scratch.store, "Products('P-0002')")
        #expect(local.json["Category"] as? String == "theirs")
    }

    @Test("Nothing to send and nothing new is said in words, and not with -q")
    func nothing() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        defer { withExtendedLifetime(served) {} }
        try await prepare(scratch, served.root)
        let sync = try await Tool.run("store", "sync", scratch.store)
        #expect(sync.status == 0, "\(sync.standardError)")
        let words = """
            No requests wait: nothing was sent.
            Nothing new: 1 query, 0 entities, 0 streams (0 bytes)
            Received \("")
            """
        #expect(sync.standardError.contains(words), "\(sync.standardError)")
        let quiet = try await Tool.run("store", "sync", scratch.store, "-q")
        #expect(quiet.status == 0 && quiet.standardError.isEmpty && quiet.standardOutput.isEmpty, "\(quiet)")
    }

    @Test("Options are those of download: names of queries, and how they are read")
    func options() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        defer { withExtendedLifetime(served) {} }
        try await prepare(scratch, served.root)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "work", "WorkOrders").status == 0)
        let sync = try await Tool.run(
            "store", "sync", scratch.store, "work", "--refresh", "work=comparison", "--page-size", "7", "--no-count")
        #expect(sync.status == 0 && sync.standardError.contains("\n1 query, 20 entities, "), "\(sync.standardError)")
        let compared = try await Tool.run("store", "sync", scratch.store, "work")
        #expect(compared.standardError.contains(", 1 compared\n"), "\(compared.standardError)")
        let wrong = try await Tool.run("store", "sync", scratch.store, "wrok")
        #expect(wrong.status == 1 && wrong.standardError.contains("wrok"), "\(wrong.standardError)")
    }

    @Test("A conflict is listed with what decides it, and the download goes on")
    func conflict() async throws {
        let scratch = try Scratch()
        let other = try Scratch()
        let served = try ServedSample(try scratch.sample())
        defer { withExtendedLifetime(served) {} }
        try await prepare(scratch, served.root)
        try await prepare(other, served.root)
        try await update(scratch.store, Self.product, #"{"Category":"mine"}"#)
        for path in [Self.product, "Products('P-0002')"] {
            try await update(other.store, path, #"{"Category":"theirs"}"#)
        }
        #expect(try await Tool.run("store", "sync", other.store).status == 0)

        let sync = try await Tool.run("store", "sync", scratch.store)
        #expect(sync.status == 3)
        for part in ["0 requests sent, 1 failed in ", "1 request remains", "'odata store conflicts mine|theirs"] {
            #expect(sync.standardError.contains(part), "\(sync.standardError)")
        }
        let received = try await Tool.run("store", "read", scratch.store, "Products('P-0002')")
        #expect(received.json["Category"] as? String == "theirs", "the download went on")
        let kept = try await Tool.run("store", "read", scratch.store, Self.product)
        #expect(kept.json["Category"] as? String == "mine")
        let conflict = try #require(try await Tool.run("store", "conflicts", scratch.store).rows.first)
        let id = try #require(conflict["request"] as? Int)
        #expect(try await Tool.run("store", "conflicts", "mine", scratch.store, "\(id)").status == 0)
        let decided = try await Tool.run("store", "sync", scratch.store)
        #expect(decided.status == 0, "\(decided.standardError)")
        let remote = try await Tool.run("get", served.root + Self.product, "--format", "json")
        #expect(remote.json["Category"] as? String == "mine")
    }

    @Test("A refused request is listed as upload lists it, and the download goes on")
    func refused() async throws {
        let scratch = try Scratch()
        let other = try Scratch()
        let served = try ServedSample(try scratch.sample())
        defer { withExtendedLifetime(served) {} }
        try await prepare(scratch, served.root)
        let add = ["store", "query", "add", scratch.store, "items", "SalesOrderItems"]
        #expect(try await Tool.run(add).status == 0)
        #expect(try await Tool.run("store", "download", scratch.store).status == 0)
        try await prepare(other, served.root)
        try await update(other.store, Self.product, #"{"Category":"theirs"}"#)
        #expect(try await Tool.run("store", "sync", other.store).status == 0)
        let wrong = #"{"ProductID":"P-9999"}"#
        try await update(scratch.store, "SalesOrderItems(SalesOrderID=1001,Position=10)", wrong)

        let sync = try await Tool.run("store", "sync", scratch.store)
        #expect(sync.status == 3)
        let error = try #require(try await Tool.run("store", "errors", scratch.store).rows.first)
        let (id, status) = (try #require(error["id"] as? Int), try #require(error["status"] as? Int))
        #expect(sync.standardError.contains("0 requests sent, 1 failed in "), "\(sync.standardError)")
        #expect(sync.standardError.contains("\n    error \(id): \(status): "), "\(sync.standardError)")
        #expect(sync.standardError.contains("'odata store errors undo \(scratch.store) \(id)'"))
        let received = try await Tool.run("store", "read", scratch.store, Self.product)
        #expect(received.json["Category"] as? String == "theirs", "the download went on")
        let list = { (output: Tool.Output) in output.standardError.components(separatedBy: "1 request remains").last }
        let upload = try await Tool.run("store", "upload", scratch.store)
        let again = try await Tool.run("store", "sync", scratch.store)
        #expect(upload.status == 3 && again.status == 3)
        let number = /error \d+|undo \S+ \d+|edit \S+ \d+/
        #expect(list(upload)?.replacing(number, with: "") == list(again)?.replacing(number, with: ""))
    }

    @Test("Without the service it fails as upload and download do, and the queue stays", arguments: [true, false])
    func unreachable(waits: Bool) async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        defer { withExtendedLifetime(served) {} }
        try await prepare(scratch, served.root)
        if waits { try await update(scratch.store, Self.product, #"{"Category":"mine"}"#) }
        #expect(await served.stop().status == 0)
        let sync = try await Tool.run("store", "sync", scratch.store, "--retries", "0")
        let part = try await Tool.run("store", waits ? "upload" : "download", scratch.store, "--retries", "0")
        #expect(sync.status == 1 && part.status == 1)
        #expect(sync.standardError == part.standardError)
        #expect(sync.standardError.hasPrefix("error: "), "\(sync.standardError)")
        #expect(sync.standardError.split(separator: "\n").count == 2, "with what to do: \(sync.standardError)")
        #expect(try await Tool.run("store", "queue", scratch.store).rows.count == (waits ? 1 : 0))
    }

    @Test("What was sent before a download that failed is said")
    func failedDownload() async throws {
        let scratch = try Scratch()
        let store = try SQLiteStore(path: try scratch.sample())
        let server = try await ODataServer.start(service: ClosedSet(service: ODataService(store: store)))
        defer { withExtendedLifetime((store, server)) {} }
        try await prepare(scratch, server.rootURL)
        #expect(try await Tool.run("store", "query", "add", scratch.store, "work", "WorkOrders").status == 0)
        try await update(scratch.store, Self.product, #"{"Category":"mine"}"#)
        let sync = try await Tool.run("store", "sync", scratch.store)
        #expect(sync.status == 1)
        #expect(sync.standardError.contains("1 request sent in "), "\(sync.standardError)")
        #expect(sync.standardError.contains("Closed today."), "\(sync.standardError)")
        let remote = try await Tool.run("get", server.rootURL + Self.product, "--format", "json")
        #expect(remote.json["Category"] as? String == "mine")
        try await server.stop()
        try store.close()
    }
}

/// A service that does not allow one of its entity sets to be read.
private struct ClosedSet: HTTPResponder {
    let service: ODataService

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        guard request.path?.hasPrefix("/WorkOrders") != true else {
            return .text(#"{"error":{"code":"Closed","message":"Closed today."}}"#, status: .forbidden)
        }
        return await service.respond(to: request, body: body, root: root, context: context)
    }
}
