import ByteStreams
import ODataSQLite
import ODataServer
import ODataService
import Testing

@Suite("Uploads in several requests over a connection", .timeLimit(.minutes(5)))
struct UploadServerTests {
    /// Runs `work` with the port of a service that has no photos yet.
    private func serving(_ work: (Int) async throws -> Void) async throws {
        let model = try await PhotoStore { _ in .empty }.model()
        let server = try await ODataServer.start(service: ODataService(store: try SQLiteStore(model: model)))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        do { try await work(port) } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// - Parameter isCut: Whether the connection ends behind what there is of the body.
    private func response(
        _ start: String, _ fields: [String], _ body: String, isCut: Bool = false, port: Int
    ) async throws -> String {
        let head = ["\(start) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + fields
        return try await RawConnection.exchange(
            head.joined(separator: "\n") + "\n\n", port: port, body: Array(body.utf8), endsSending: isCut)
    }

    private func field(_ name: String, of response: String) -> String? {
        response.split(separator: "\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    @Test("the client is told where to go on before its response, and goes on after a cut")
    func cut() async throws {
        try await serving { port in
            let fields = ["Content-Type: image/png", "Content-Length: 10", "Upload-Complete: ?1"]
            let version = "Upload-Draft-Interop-Version: 8"
            let unaware = try await response("POST /Photos", fields, "0123", isCut: true, port: port)
            #expect(unaware.hasPrefix("HTTP/1.1 400 "), "\(unaware)")
            let told = try await response("POST /Photos", fields + [version], "0123", isCut: true, port: port)
            #expect(told.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\n"), "\(told)")
            #expect(told.contains("\n\nHTTP/1.1 400 "), "\(told)")
            let location = try #require(field("Location", of: told))
            let root = "http://localhost:\(port)"
            #expect(location.hasPrefix(root + "/$uploads/"))
            let path = location.dropFirst(root.count)
            let head = try await response("HEAD \(path)", [], "", port: port)
            #expect(head.hasPrefix("HTTP/1.1 204 ") && field("Upload-Offset", of: head) == "4", "\(head)")
            let part = ["Content-Type: application/partial-upload", "Upload-Offset: 4", "Upload-Complete: ?1"]
            let last = try await response("PATCH \(path)", part + ["Content-Length: 6"], "456789", port: port)
            #expect(last.hasPrefix("HTTP/1.1 201 ") && field("Upload-Complete", of: last) == "?1", "\(last)")
            let photo = try await response("GET /Photos(1)/$value", [], "", port: port)
            #expect(photo.hasSuffix("\n\n0123456789"), "\(photo)")
        }
    }

    @Test(
        "a client that waits with the body is told to send it only if its headers are not a reason to refuse it",
        arguments: [
            ("PUT /Photos(1)/$value", "Content-Type: image/png", nil), ("PATCH /Photos(1)", "If-Match: *", nil),
            ("PATCH /Photos(1)", "If-None-Match: *", "412"), ("PUT /Photos(1)", "If-Match: W/\"other\"", "412"),
            ("PATCH /Photos(7)", "If-Match: *", "412"), ("PUT /Photos(1)/$value", "If-Match: \"other\"", "412"),
            ("PUT /Photos(7)/$value", "Accept: */*", "404"), ("POST /Nothing", "Accept: */*", "404"),
            ("PATCH /Photos(1)", "Content-Type: text/plain", "415"), ("PUT /Photos(1)", "Content-Encoding: x", "415"),
            ("PATCH /Photos(1)", "Content-Length: 99000000000", "413"),
        ] as [(String, String, String?)])
    func waiting(start: String, field: String, refusal: String?) async throws {
        try await serving { port in
            let made = ["Content-Type: image/png", "Content-Length: 4"]
            #expect(try await response("POST /Photos", made, "0123", port: port).hasPrefix("HTTP/1.1 201 "))
            var fields = ["Expect: 100-continue", field]
            if !field.hasPrefix("Content-Type") { fields.append("Content-Type: application/json") }
            if !field.hasPrefix("Content-Length") { fields.append("Content-Length: 2") }
            let told = try await response(start, fields, refusal == nil ? "{}" : "", port: port)
            guard let refusal else {
                #expect(told.hasPrefix("HTTP/1.1 100 Continue\n\nHTTP/1.1 2"), "\(told)")
                return
            }
            #expect(told.hasPrefix("HTTP/1.1 \(refusal) ") && !told.contains(" 100 "), "\(told)")
            #expect(self.field("Connection", of: told) == "close", "\(told)")
        }
    }

    @Test("a whole stream has its normal response")
    func whole() async throws {
        try await serving { port in
            let fields = ["Content-Type: image/png", "Content-Length: 4", "Upload-Complete: ?1"]
            let told = try await response(
                "POST /Photos", fields + ["Upload-Draft-Interop-Version: 8"], "0123", port: port)
            #expect(told.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\n"), "\(told)")
            #expect(told.contains("\n\nHTTP/1.1 201 Created\n"), "\(told)")
            let photo = try await response("GET /Photos(1)/$value", [], "", port: port)
            #expect(photo.hasSuffix("\n\n0123"), "\(photo)")
        }
    }
}
