import AsyncHTTPTransport
import ByteStreams
import Foundation
import GRDB
import HTTPTypes
import OData
import ODataTransport
import Synchronization
import Testing
import ToolSupport

/// Changes of many clients at a time, and `odata serve` that is killed among them.
@Suite("Clients that change a published file at the same time") struct ServeChangesTests {
    private static let clients = 16
    private let begin = EdmDateTimeOffset(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)).httpDate

    /// Every entity has a trace, which a trigger writes with it.
    private func file(in scratch: borrowing Scratch) throws -> String {
        let path = scratch.folder + "/items.db"
        try DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Item(ID INTEGER PRIMARY KEY, Name TEXT NOT NULL UNIQUE);
                    CREATE TABLE Trace(ID INTEGER PRIMARY KEY, Name TEXT);
                    CREATE TRIGGER traced AFTER INSERT ON Item BEGIN
                      INSERT INTO Trace(Name) VALUES (NEW.Name);
                    END;
                    """)
        }
        return path
    }

    /// The status; nil if there was no response.
    private func create(_ name: String, at served: ServedSample, over transport: AsyncHTTPTransport) async -> Int? {
        guard let root = URL(string: served.root) else { return nil }
        let request = HTTPRequest(
            method: .post, scheme: root.scheme, authority: "\(root.host() ?? ""):\(root.port ?? 0)", path: "/Item",
            headerFields: [
                .contentType: "application/json", .repeatabilityRequestID: "id-\(name)",
                .repeatabilityFirstSent: begin,
            ])
        let body = ByteContent(Array(#"{"Name":"\#(name)"}"#.utf8))
        guard let response = try? await transport.send(request, body: body) else { return nil }
        let status = response.head.status.code
        return (try? await response.body.collect(upTo: 1 << 20)) == nil ? nil : status
    }

    @Test("What was acknowledged is in the file after a kill, whole; what was not is made once when it is sent again")
    func killed() async throws {
        let scratch = try Scratch()
        let path = try file(in: scratch)
        let transport = AsyncHTTPTransport()
        let first = try ServedSample(path, [])
        let names = RequestedNames()
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    for number in 0..<1_000 {
                        let name = "\(client)-\(number)"
                        names.sent.withLock { _ = $0.insert(name) }
                        guard await create(name, at: first, over: transport) == 201 else { return }
                        let count = names.done.withLock { done in
                            done.insert(name)
                            return done.count
                        }
                        if count == 100 { first.running.send(SIGKILL) }
                    }
                }
            }
        }
        _ = await first.running.finish()
        let (sent, acknowledged) = (names.sent.withLock { $0 }, names.done.withLock { $0 })
        #expect(acknowledged.count >= 100 && acknowledged.count < 16_000)
        try compare(path) { names, traces, requests in
            #expect(acknowledged.isSubset(of: names) && names.isSubset(of: sent))
            #expect(traces == names.sorted() && requests == names.count)
        }

        let second = try ServedSample(path, [])
        for name in sent {
            #expect(await create(name, at: second, over: transport) == 201)
        }
        #expect(await second.stop().status == 0)
        try compare(path) { names, traces, _ in
            #expect(names == sent && traces == names.sorted())
        }
        try await transport.shutdown()
    }

    private func compare(_ path: String, _ body: (Set<String>, [String], Int) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.read { db in
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            try body(
                try String.fetchSet(db, sql: "SELECT Name FROM Item"),
                try String.fetchAll(db, sql: "SELECT Name FROM Trace").sorted(),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM odata_store_requests") ?? 0)
        }
        try queue.close()
    }
}

/// What clients have requested.
private final class RequestedNames: Sendable {
    let sent = Mutex<Set<String>>([])
    /// What a response has acknowledged.
    let done = Mutex<Set<String>>([])
}
