import ByteStreams
import HTTPTypes
import ODataTesting
import ODataTransport
import Testing

@testable import ODataService

/// A request and what must be in its response.
struct Exchange: Sendable {
    /// Method and URL, then a line for each header, then an empty line and the body. `{Location}` stands for the last
    /// value of a header, `{nextLink}` and `{deltaLink}` for the last of these links.
    var request: String
    var status: Int
    /// Each is somewhere in the headers (`Location: http…`) or the body.
    var parts: [String]
    /// None is anywhere.
    var absent: [String]

    init(_ request: String, _ status: Int, _ parts: String..., absent: [String] = []) {
        self.request = request
        self.status = status
        self.parts = parts
        self.absent = absent
    }
}

/// A client of the compliance sample, which every client has for itself.
final class SampleClient {
    private static let root = "http://service.test/"
    private let sample: ComplianceSample
    private let service: ODataService
    private let transport: InProcessTransport
    private var seen: [String: String] = [:]

    init(configure: (inout ODataService.Configuration) -> Void = { _ in }) async throws {
        var configuration = ODataService.Configuration()
        configure(&configuration)
        sample = try await ComplianceSample.make()
        service = ODataService(store: sample.store, configuration: configuration)
        transport = InProcessTransport(service: service)
    }

    deinit { try? sample.tables.close() }

    /// Has the exchanges one after the other, and checks their responses.
    static func check(_ exchanges: Exchange...) async throws {
        let client = try await SampleClient()
        for exchange in exchanges { try await client.check(exchange) }
    }

    func check(_ exchange: Exchange) async throws {
        let response = try await responseText(exchange.request)
        let shown = "\(exchange.request) gave \(response.prefix(1500))"
        #expect(response.hasPrefix("\(exchange.status)\n"), "not \(exchange.status): \(shown)")
        for part in exchange.parts { #expect(response.contains(part), "no \(part): \(shown)") }
        for part in exchange.absent { #expect(!response.contains(part), "\(part): \(shown)") }
    }

    /// Waits until the status monitor at the last `Location` has its response.
    func waitForResponse() async throws {
        let name = try #require(seen["Location"]?.split(separator: "/").last)
        await service.monitors.wait(for: String(name), atMost: .seconds(60))
    }

    /// The status, the headers and the body.
    func responseText(_ text: String) async throws -> String {
        let halves = seen.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
            .split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = halves[0].split(separator: "\n")
        let start = lines[0].split(separator: " ", maxSplits: 1)
        let url = start.count > 1 ? start[1].replacing(Self.root, with: "").replacing(" ", with: "%20") : ""
        var request = HTTPRequest(
            method: try #require(HTTPRequest.Method(String(start[0]))), scheme: "http", authority: "service.test",
            path: "/" + url)
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            let name = try #require(HTTPField.Name(String(pair[0])))
            request.headerFields.append(HTTPField(name: name, value: pair[1].drop { $0 == " " }.description))
        }
        let body = halves.count > 1 ? ByteContent(Array(halves[1].utf8)) : nil
        if body != nil, request.headerFields[.contentType] == nil {
            request.headerFields[.contentType] = "application/json"
        }
        let response = try await transport.send(request, body: body)
        return remember(
            response.head, String(decoding: try await response.body.collect(upTo: 10_000_000), as: UTF8.self))
    }

    private func remember(_ response: HTTPResponse, _ body: String) -> String {
        for field in response.headerFields { seen[field.name.rawName] = field.value }
        for link in body.matches(of: #/"@(?:odata\.)?(nextLink|deltaLink)":"([^"]*)"/#) {
            seen[String(link.output.1)] = String(link.output.2)
        }
        let headers = response.headerFields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return "\(response.status.code)\n\(headers)\n\(body)"
    }
}
