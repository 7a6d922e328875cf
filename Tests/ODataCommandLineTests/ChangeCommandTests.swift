import Foundation
import HTTPTypes
import ODataService
import Synchronization
import Testing
import ToolSupport

@Suite("odata post, patch, put, delete", .timeLimit(.minutes(5)))
struct ChangeCommandTests {
    @Test("A service is changed, on the condition that is given")
    func changes() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let photo = served.root + "Photos(9000)"
        let made = try await Tool.run(
            "post", served.root + "Inspections", #"{"Result":"passed","WorkOrder@odata.bind":"WorkOrders(5002)"}"#)
        #expect(made.status == 0 && made.json["Result"] as? String == "passed", "\(made)")
        #expect(made.standardError.hasPrefix("201 Created: \(served.root)Inspections("), "\(made.standardError)")

        let etag = try #require(try await Tool.run("get", photo, "--format", "json").json["@odata.etag"] as? String)
        let patch = try await Tool.run("patch", photo, "-", "--if-match", etag, input: #"{"Caption":"Valve"}"#)
        #expect(patch.status == 0, "\(patch.standardError)")
        #expect(try await Tool.run("get", photo, "--format", "json").json["Caption"] as? String == "Valve")
        let stale = try await Tool.run("patch", photo, #"{"Caption":"x"}"#, "--if-match", etag)
        #expect(stale.status == 1 && stale.standardError.contains("412"))
        #expect(stale.standardError.contains("\nGive --if-match with"), "\(stale.standardError)")

        let file = try scratch.write("picture", "valve.png")
        let put = try await Tool.run("put", photo + "/$value", "--file", file, "--if-match", "*")
        #expect(put.status == 0, "\(put.standardError)")
        #expect(try await Tool.run("get", photo + "/$value").standardOutput == "picture")
        let created = try await Tool.run("post", served.root + "Photos", "--file", file)
        #expect(created.status == 0, "\(created.standardError)")
        #expect(try await Tool.run("delete", photo, "--if-match", "*").status == 0)
        #expect(try await Tool.run("get", photo).status == 1)
    }

    @Test("A service that wants a token against forged requests gets one")
    func tokens() async throws {
        let asked = Mutex<[String]>([])
        let output = try await RespondingService.run { request in
            let token = HTTPField.Name("X-CSRF-Token")
            let given = token.flatMap { request.headerFields[$0] } ?? "none"
            asked.withLock { $0.append("\(request.method) \(request.path ?? "") \(given)") }
            var response = ServiceResponse.text("{}", status: given == "none" ? .forbidden : .ok)
            if let token, given != "abc" { response.head.headerFields[token] = given == "none" ? "Required" : "abc" }
            return response
        } _: { root in
            try await Tool.run("post", root + "svc/Things", "{}")
        }
        #expect(output.status == 0 && output.standardOutput == "{}\n", "\(output.standardError)")
        #expect(
            asked.withLock { $0 } == ["POST /svc/Things none", "HEAD /svc/ Fetch", "POST /svc/Things abc"])
    }

    private static let pages: [(type: String, text: String)] = [
        ("text/html", "<p>Log in</p>"), ("text/html;charset=utf-8", " "), ("application/xhtml+xml", "<html/>"),
        ("text/plain", "\n<!DOCTYPE html><html></html>"), ("application/json", "<html><body>Log in</body></html>"),
    ]

    @Test("A page of HTML is not the service's word, whatever the status", arguments: pages, [200, 201])
    func gateway(page: (type: String, text: String), status: Int) async throws {
        let changes = [
            ["post", "Things", "{}"], ["patch", "Things(1)", "{}"], ["put", "Things(1)", "{}"],
            ["delete", "Things(1)"],
        ]
        try await RespondingService.run { _ in
            .text(page.text, type: page.type, status: .init(code: status))
        } _: { root in
            for change in changes {
                let output = try await Tool.run([change[0], root + change[1]] + change.dropFirst(2))
                #expect(output.status == 1, "\(change)")
                #expect(output.standardOutput.isEmpty)
                #expect(output.standardError.contains("whether the service has made the change is not known"))
            }
        }
    }

    @Test("JSON and a file are not one body")
    func bodies() async throws {
        #expect(try await Tool.run("post", "http://127.0.0.1/x", "{}", "--file", "v.png").status == 2)
        #expect(try await Tool.run("post", "http://127.0.0.1/x", "{}", "--type", "image/png").status == 2)
    }
}
