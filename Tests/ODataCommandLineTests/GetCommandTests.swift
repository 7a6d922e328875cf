import HTTPTypes
import ODataService
import Synchronization
import Testing
import ToolSupport

@Suite("odata get")
struct GetCommandTests {
    /// What the tool prints of a response.
    private func output(
        of response: ServiceResponse, at path: String = "Things", _ options: String...
    ) async throws -> Tool.Output {
        try await RespondingService.run { _ in
            response
        } _: { root in
            try await Tool.run(["get", root + path] + options)
        }
    }

    @Test("A port that is none is told", arguments: ["127.0.0.1:99999", "localhost:107137", "127.0.0.1:0"])
    func ports(authority: String) async throws {
        let output = try await Tool.run("get", "http://\(authority)/x")
        #expect(output.status == 1 && output.standardError.contains("65535"), "\(output.standardError)")
    }

    @Test(
        "What is not a URL that can be asked is told",
        arguments: [
            ("ftp://h/", "must begin with http://"), ("Things", "must begin with http://"),
            ("http:///x", "has no valid host"), ("http://a b/", "has no valid host"),
            ("http://name:secret@127.0.0.1/", "--user"),
        ])
    func refused(url: String, part: String) async throws {
        let output = try await Tool.run("get", url)
        #expect(output.status == 1 && output.standardError.contains(part), "\(output.standardError)")
        #expect(!output.standardError.contains("secret"))
    }

    @Test("A number sign and line ends that are typed belong to the URL")
    func typedDelimiters() async throws {
        let paths = Mutex<[String]>([])
        let output = try await RespondingService.run { request in
            paths.withLock { $0.append(request.path ?? "") }
            return .text(#"{"value":[]}"#)
        } _: { root in
            try await Tool.run("get", root.replacing("http:", with: "HTTP:") + "Things?$filter=Title eq 'A#1\n<é>'")
        }
        #expect(output.status == 0, "\(output.standardError)")
        #expect(paths.withLock { $0 } == ["/Things?$filter=Title%20eq%20'A%231%0A%3C%C3%A9%3E'"])
    }

    @Test("A redirect to a port that is none is an error")
    func redirectedPort() async throws {
        let response = HTTPResponse(status: .found, headerFields: [.location: "http://127.0.0.1:99999/x"])
        let output = try await output(of: ServiceResponse(head: response))
        #expect(output.status == 1 && output.standardError.contains("redirects"), "\(output.standardError)")
    }

    @Test("A percent sign that is typed is encoded once")
    func percentSigns() async throws {
        let paths = Mutex<[String]>([])
        let path = "Things?$filter=contains(Title,'50% off') or Title eq 'a%20b'"
        let output = try await RespondingService.run { request in
            paths.withLock { $0.append(request.path ?? "") }
            return .text(#"{"value":[]}"#)
        } _: { root in
            try await Tool.run("get", root + path)
        }
        #expect(output.status == 0)
        #expect(paths.withLock { $0 } == ["/Things?$filter=contains(Title,'50%25%20off')%20or%20Title%20eq%20'a%20b'"])
    }

    @Test("Counts are numbers", arguments: ["91", "\u{FEFF}91", " 91\r\n"])
    func counts(text: String) async throws {
        let response = ServiceResponse.text(text, type: "text/plain")
        let json = try await output(of: response, at: "Things/$count", "--format", "json")
        #expect(json.standardOutput == "{\"value\":91}\n" && json.status == 0)
        let table = try await output(of: response, at: "Things/$count", "--format", "table")
        #expect(table.standardOutput == "91\n" && table.status == 0)
    }

    @Test("A count that is not a number is an error")
    func noCount() async throws {
        let output = try await output(of: .text("many", type: "text/plain"), at: "Things/$count")
        #expect(output.status == 1 && output.standardOutput.isEmpty)
        #expect(output.standardError.contains("not a number: many"))
    }

    @Test(
        "JSON that is not complete is printed and told",
        arguments: ["{\"value\":[{", "{\"a\":\"b", "{\"value\":[}", "{} {}", "{\"a\":\"\\\"}"])
    func brokenJSON(text: String) async throws {
        let output = try await output(of: .text(text), "--format", "json")
        #expect(output.status == 1)
        #expect(output.standardOutput == text + "\n")
        #expect(output.standardError.contains("not complete JSON"))
    }

    @Test("Whole JSON is printed as it is", arguments: ["\u{FEFF}{\"a\":\"]}\\\"\"} ", "[1,{}]", "91", "\"{\""])
    func wholeJSON(text: String) async throws {
        let output = try await output(of: .text(text), "--format", "json")
        #expect(output.status == 0 && output.standardOutput == text + "\n", "\(output.standardError)")
    }

    @Test("A header that is given goes in the place of the tool's own")
    func headers() async throws {
        let asked = Mutex<[String]>([])
        try await RespondingService.run { request in
            asked.withLock { $0.append(request.headerFields[.accept] ?? "") }
            return .text("<a/>", type: "application/xml")
        } _: { root in
            _ = try await Tool.run("get", root + "$metadata", "--header", "accept: application/xml")
            _ = try await Tool.run("metadata", root, "--header", "Accept: text/xml")
            _ = try await Tool.run("get", root + "Things")
            _ = try await Tool.run("get", root + "$metadata", "--format", "json")
            _ = try await Tool.run("get", root + "$metadata", "--format", "table")
        }
        let accepted = asked.withLock { $0 }
        #expect(accepted.prefix(2) == ["application/xml", "text/xml"])
        #expect(
            accepted.dropFirst(2).map { $0.prefix { $0 != ";" && $0 != "," } }
                == ["application/json", "application/json", "application/xml"])
    }

    @Test("What a service says is told in one line of at most 300 columns")
    func longMessages() async throws {
        let message = #"first\r\nsecond\n"# + String(repeating: "word ", count: 2_000)
        let response = ServiceResponse.text(
            #"{"error":{"code":"x","message":"\#(message)"}}"#, status: .badRequest)
        let output = try await output(of: response)
        let line = try #require(output.standardError.split(whereSeparator: \.isNewline).first)
        #expect(output.status == 1 && line.contains("first second word"))
        #expect(line.contains("…") && line.count < 400)
        #expect(output.standardError.split(whereSeparator: \.isNewline).count <= 2)
    }

    @Test("--verbose tells requests and responses, and no secrets")
    func verbose() async throws {
        let output = try await output(
            of: .text(#"{"ID":1}"#), "--verbose", "--user", "ada:hush", "--header", "X-Api-Key: hush", "--header",
            "Accept-Language: de")
        #expect(output.standardOutput == "{\"ID\":1}\n")
        let lines = output.standardError.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("> GET http://127.0.0.1:") == true, "\(lines)")
        for line in ["> Authorization: (hidden)", "> X-Api-Key: (hidden)", "> Accept-Language: de", "< 200 OK"] {
            #expect(lines.contains { $0.lowercased() == line.lowercased() }, "\(line): \(lines)")
        }
        #expect(!output.standardError.contains("hush") && !output.standardError.contains("YWRh"))
    }
}
