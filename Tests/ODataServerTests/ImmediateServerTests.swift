import ODataModel
import ODataQuery
import ODataSQLite
import ODataServer
import ODataService
import ODataStores
import Testing

@Suite("A server of short reads", .timeLimit(.minutes(5)))
struct ImmediateServerTests {
    /// Runs `work` with the port of a server of a set of numbers: 1 to 3.
    private func serving(_ work: (Int) async throws -> Void) async throws {
        let name = EdmQualifiedName("Test.Number")
        let type = EdmStructuredTypeDeclaration(
            name: name, key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Name", type: .string),
            ])
        let model = try EdmModel(schemas: [
            EdmSchema(
                namespace: "Test", types: [type], container: "Container",
                entitySets: [EdmEntitySetDeclaration(name: "Numbers", type: name)])
        ])
        let store = try SQLiteStore(model: model, path: nil, rules: TableRules(), configuration: .init())
        try await store.load(
            (1...3).map { number in
                var payload = EntityPayload()
                payload.properties["ID"] = .integer(Int64(number))
                payload.properties["Name"] = .string("Number \(number)")
                return StoredEntity("Numbers", payload)
            })
        try await withServer(of: store, work)
        try store.close()
    }

    private func request(_ line: String, _ headers: String = "", isLast: Bool = false) -> String {
        "\(line) HTTP/1.1\nHost: localhost\n\(headers)\(isLast ? "Connection: close\n" : "")\n"
    }

    private func statuses(_ text: String) -> [String] {
        text.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
    }

    @Test("Requests that wait for each other's responses get them, whatever came before")
    func turns() async throws {
        try await serving { port in
            let lines = [
                "GET /Numbers(1)", "GET /Numbers(2)", "GET /Numbers(9)", "GET /Numbers(3)", "GET /Numbers?$top=1",
                "GET /Numbers?$top=1", "GET /Numbers?$top=1", "GET /Numbers?$top=1", "GET /Numbers(1)",
                "GET /Numbers(2)", "POST /Numbers(1)", "GET /Numbers(3)",
            ]
            let all = try await RawConnection.converse(lines.map { request($0) }, port: port)
            #expect(
                all.map { statuses($0) }
                    == lines.map { line in
                        [line.contains("9") ? "404" : line.hasPrefix("POST") ? "405" : "200"]
                    })
            for (line, response) in zip(lines, all) where response.contains(" 200 ") {
                let number = line.contains("$top") ? "1" : String(line.suffix(2).prefix(1))
                #expect(response.contains("\"ID\":\(number),\"Name\":\"Number \(number)\""), "\(response)")
                #expect(response.contains("\nDate: "))
                #expect(response.contains("\nContent-Length: "))
            }
        }
    }

    @Test("Requests that arrive together get their responses in their order")
    func together() async throws {
        try await serving { port in
            let lines = [
                "GET /Numbers(1)", "GET /Numbers(2)", "HEAD /Numbers(1)", "GET /Numbers(9)", "GET /$metadata",
                "GET /Numbers(3)",
            ]
            for _ in 0..<4 {
                let requests = lines.enumerated().map { request($1, isLast: $0 == lines.count - 1) }
                let response = try await RawConnection.exchange(requests.joined(), port: port)
                #expect(statuses(response) == ["200", "200", "200", "404", "200", "200"])
                let names = ["Number 1", "Number 2", "EntityType Name=\"Number\"", "Number 3"]
                let places = names.map { response.range(of: $0)?.lowerBound }
                #expect(places.allSatisfy { $0 != nil })
                #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
            }
        }
    }

    @Test("A request with a body, of HTTP/1.0 or the last one of its connection gets its response too")
    func others() async throws {
        try await serving { port in
            for _ in 0..<3 {
                _ = try await RawConnection.converse([request("GET /Numbers(1)")], port: port)
            }
            let texts = [
                request("GET /Numbers(1)", isLast: true), request("GET /Numbers(1)", "Content-Length: 2\n") + "{}",
                request("GET /Numbers(1)", "Transfer-Encoding: chunked\n") + "0\n\n",
                "GET /Numbers(1) HTTP/1.0\nHost: localhost\n\n",
            ]
            for text in texts {
                let all =
                    text.contains("close") || text.contains("1.0")
                    ? [try await RawConnection.exchange(text, port: port)]
                    : try await RawConnection.converse([text], port: port)
                #expect(all.first?.contains("\"Name\":\"Number 1\"}") == true, "\(all)")
            }
            let foreign = try await RawConnection.converse(
                ["GET /Numbers(1) HTTP/1.1\nHost: evil.example\n\n"], port: port)
            #expect(statuses(foreign[0]) == ["421"])
        }
    }
}
