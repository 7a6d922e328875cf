import ArgumentParser
import HTTPTypes
import OData
import ODataServer
import ODataService

/// Serves ready-made pages until it is stopped: the other side of the benchmark.
struct BenchSourceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source", abstract: "Serve the benchmark's pages.", shouldDisplay: false)

    @Option var rows: Int
    @Option var page: Int
    @Option var keys: BenchKeys

    func run() async throws {
        let signals = try TerminationSignals()
        let server = try await ODataServer.start(service: StaticSource(rows: rows, page: page, keys: keys))
        Console.write(server.rootURL)
        await signals.wait()
        try await server.stop()
    }
}

/// Pages in memory: `Rows`, `Rows?page=7`, `$metadata`, and `Pages` for their number.
private struct StaticSource: HTTPResponder {
    private let metadata: [UInt8]
    private let pages: [[UInt8]]

    init(rows: Int, page: Int, keys: BenchKeys) throws {
        metadata = try CSDL.xml(try BenchRows.model(keys: keys))
        var writer = BenchRows(keys: keys)
        let count = (rows + page - 1) / page
        pages = (0..<count).map { number in
            writer.page(number, rows: number * page..<min(rows, (number + 1) * page), isLast: number == count - 1)
        }
    }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let parts = (request.path ?? "/").dropFirst().split(separator: "?", maxSplits: 1)
        switch parts.first {
        case "$metadata": return response("application/xml", metadata)
        case "Pages": return response("text/plain", Array("\(pages.count)".utf8))
        case "Rows":
            let number = parts.count == 2 ? Int(parts[1].drop { $0 != "=" }.dropFirst()) ?? 0 : 0
            guard pages.indices.contains(number) else { break }
            return response("application/json;odata.metadata=minimal", pages[number])
        default: break
        }
        return ServiceResponse(head: HTTPResponse(status: .notFound, headerFields: [.contentLength: "0"]))
    }

    private func response(_ type: String, _ bytes: [UInt8]) -> ServiceResponse {
        var fields: HTTPFields = [.contentType: type, .contentLength: "\(bytes.count)"]
        if let version = HTTPField.Name("OData-Version") { fields[version] = "4.01" }
        return ServiceResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: ByteContent(bytes))
    }
}
