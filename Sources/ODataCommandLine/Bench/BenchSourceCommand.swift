import ArgumentParser
import HTTPTypes
import OData
import ODataServer
import ODataService

/// Serves ready-made pages until it is stopped: the other side of the benchmark.
struct BenchSourceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source", abstract: "Serve the benchmark's pages.", shouldDisplay: false)

    @OptionGroup var data: BenchData

    func run() async throws {
        let signals = try TerminationSignals()
        let server = try await ODataServer.start(service: StaticSource(data))
        Console.write(server.rootURL)
        await signals.wait()
        try await server.stop()
    }
}

/// Pages in memory: `Rows`, `Rows?page=7`, `Rows?changes=1`, `$metadata`, and `Pages` for their number.
private struct StaticSource: HTTPResponder {
    private let metadata: [UInt8]
    private let pages: [String: [[UInt8]]]
    private let changes: [UInt8]

    init(_ data: BenchData) throws {
        metadata = try CSDL.xml(try BenchRows.model(of: data))
        var writer = BenchRows(data)
        pages = data.form.sets.reduce(into: [:]) { $0[$1] = writer.pages(of: $1) }
        changes = data.changes > 0 ? writer.changes() : []
    }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let parts = (request.path ?? "/").dropFirst().split(separator: "?", maxSplits: 1)
        let query = (parts.count == 2 ? parts[1] : "").split(separator: "=", maxSplits: 1)
        switch parts.first {
        case "$metadata": return response("application/xml", metadata)
        case "Pages": return response("text/plain", Array("\(pages["Rows"]?.count ?? 0)".utf8))
        case let set?:
            guard let pages = pages[String(set)] else { break }
            if query.first == "changes" { return response(Self.json, changes) }
            let number = query.first == "page" ? query.last.flatMap { Int($0) } ?? 0 : 0
            if pages.indices.contains(number) { return response(Self.json, pages[number]) }
        case nil: break
        }
        return ServiceResponse(head: HTTPResponse(status: .notFound, headerFields: [.contentLength: "0"]))
    }

    private static let json = "application/json;odata.metadata=minimal"

    private func response(_ type: String, _ bytes: [UInt8]) -> ServiceResponse {
        var fields: HTTPFields = [.contentType: type, .contentLength: "\(bytes.count)"]
        if let version = HTTPField.Name("OData-Version") { fields[version] = "4.01" }
        return ServiceResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: ByteContent(bytes))
    }
}
