import ByteStreams
import Foundation
import GRDB
import HTTPTypes
import ODataSQLite
import ODataService
import ODataTesting
import ODataTransport
import Testing

@Suite("In-process transport")
struct InProcessTransportTests {
    /// Hands `work` a transport to a service of a file with one table.
    private func connected(
        root: String = "http://service.test/api/", _ work: (InProcessTransport) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transport-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("shop.db").path
        let database = try DatabaseQueue(path: path)
        try await database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE Products (ID INTEGER PRIMARY KEY, Name TEXT NOT NULL);
                    INSERT INTO Products VALUES (1, 'Tea');
                    CREATE TABLE Notes (ID INTEGER PRIMARY KEY, Text TEXT NOT NULL);
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    INSERT INTO Notes SELECT i, printf('%.500c', 'x') FROM n;
                    """)
        }
        try database.close()
        let store = try SQLiteStore(path: path)
        defer { try? store.close() }
        try await work(InProcessTransport(service: ODataService(store: store), root: root))
    }

    @Test("responds to absolute URLs of its root as a server would")
    func reading() async throws {
        try await connected { transport in
            let response = try await transport.send(.test(.get, "/api/Products(1)/Name"), body: nil)
            #expect(response.head.status == .ok)
            let text = String(decoding: try await response.body.collect(upTo: 10_000), as: UTF8.self)
            #expect(text == ##"{"@odata.context":"http://service.test/api/$metadata#Products(1)/Name","value":"Tea"}"##)
        }
    }

    @Test("streams long collections, which can be read once")
    func streaming() async throws {
        try await connected { transport in
            let response = try await transport.send(.test(.get, "/api/Notes"), body: nil)
            #expect(!response.body.isReplayable)
            #expect(response.body.length == nil)
            let text = String(decoding: try await response.body.collect(upTo: 10_000_000), as: UTF8.self)
            #expect(text.hasSuffix(#"x"}]}"#))
            await #expect(throws: ByteStreamError.self) { try await response.body.collect(upTo: 10_000_000) }
        }
    }

    @Test("gives collections that are in memory with their length")
    func whole() async throws {
        try await connected { transport in
            let response = try await transport.send(.test(.get, "/api/Products?$select=Name"), body: nil)
            for _ in 0..<2 {
                let bytes = try await response.body.collect(upTo: 10_000)
                #expect(response.body.length == Int64(bytes.count))
                #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(#""Name":"Tea"}]}"#))
            }
        }
    }

    @Test("takes bodies, and gives what was made back")
    func writing() async throws {
        try await connected { transport in
            var request = HTTPRequest.test(.post, "/api/Products")
            request.headerFields[.contentType] = "application/json"
            let response = try await transport.send(request, body: ByteContent(Array(#"{"Name":"Milk"}"#.utf8)))
            #expect(response.head.status == .created)
            #expect(response.head.headerFields[.location] == "http://service.test/api/Products(2)")
        }
    }

    @Test("does not reach another host, and knows its own paths only")
    func elsewhere() async throws {
        try await connected { transport in
            var request = HTTPRequest.test(.get, "/api/Products")
            request.authority = "elsewhere.test"
            let elsewhere = request
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(elsewhere, body: nil)
            }
            #expect(error?.code == .unreachable)
            let outside = try await transport.send(.test(.get, "/other/Products"), body: nil)
            #expect(outside.head.status == .notFound)
        }
    }
}
