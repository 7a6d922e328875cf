import ArgumentParser
import Foundation
import HTTPTypes
import OData

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read a URL of a service and print the response.",
        discussion: """
            The URL may be typed raw: spaces need no encoding. Tables and CSV have the rows of all pages that the \
            service responds in, with the columns of the first one; lists, counted in a table, are JSON in CSV. JSON \
            is one page as the service sent it, with the link to the next one. What is not JSON (metadata, media) is \
            printed as it is, a count as a number and metadata as XML unless --format json is given. On a terminal, \
            JSON has indented lines, control characters are shown as spaces, and standard error names the host until \
            it responds. CSV without rows has the columns that the metadata of the service say.

            EXAMPLE:
              odata get 'http://127.0.0.1:8080/Products?$filter=Price gt 20&$top=3'
              odata get http://127.0.0.1:8080/Products -f csv > products.csv
              odata get 'http://127.0.0.1:8080/Photos(9000)/$value' -o valve.png
            """)

    @Argument(help: "The absolute URL.")
    var url: String

    @OptionGroup var format: FormatOption

    @Flag(help: "As JSON too, print the values of all pages, in one document.")
    var all = false

    @Option(
        name: .shortAndLong, help: "Write the response to this file as it arrives; - is standard output.",
        completion: .file())
    var output: String?

    @Flag(
        name: .shortAndLong,
        help: "Print requests and responses with their headers on standard error; secrets are hidden.")
    var verbose = false

    @OptionGroup var quiet: QuietOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func validate() throws {
        guard output == nil || !all && format.format == nil else {
            throw ValidationError("--output writes the unchanged response: for --format and --all use '> file'.")
        }
    }

    func run() async throws {
        let url = try AbsoluteURL(typed: url)
        try await connection.withTransport(verbose ? [VerboseMiddleware()] : []) { transport in
            var request = HTTPRequest(method: .get, url: url)
            if !connection.gives(.accept) { request.headerFields[.accept] = accept }
            // The length of a stream is known without compression.
            if !connection.gives(.acceptEncoding), output != nil || path.hasSuffix("/$value") {
                request.headerFields[.acceptEncoding] = "identity"
            }
            let response = try await ProgressLines(host: url.authority).waiting { [request] in
                try await successfulResponse(to: request, over: transport)
            }
            try await print(response, to: request, over: transport)
        }
    }

    /// Metadata are XML unless JSON is asked for, as 'odata store read' prints them.
    private var accept: String {
        isMetadata && format.format != .json
            ? "application/xml, application/json;q=0.5" : "application/json;odata.metadata=minimal, */*;q=0.5"
    }

    private var path: Substring { url.prefix { $0 != "?" && $0 != "#" } }
    private var isMetadata: Bool { ["/$metadata", "/%24metadata"].contains { path.hasSuffix($0) } }

    /// - Throws: ``Failure`` with the service's message, if the service rejects the request.
    func successfulResponse(to request: HTTPRequest, over transport: any HTTPTransport) async throws
        -> TransportResponse
    {
        let response = try await transport.send(request, body: nil)
        guard response.head.status.kind == .successful else { throw try await Failure.failedResponse(response) }
        try checkEncoding(of: response)
        return response
    }

    /// Removes the header that says that the body is compressed, because it is decoded now.
    private func checkEncoding(of response: TransportResponse) throws {
        guard let encoding = response.head.headerFields[.contentEncoding], encoding.lowercased() != "identity",
            !connection.gives(.acceptEncoding)
        else { return }
        throw Failure("The service responded in the encoding \(encoding.brief), which was not requested.")
    }

    private func print(
        _ response: TransportResponse, to request: HTTPRequest, over transport: any HTTPTransport
    ) async throws {
        let type = response.head.headerFields[.contentType] ?? ""
        let isJSON = type.contains("json")
        guard !type.hasPrefix("text/html") else {
            throw Failure(
                "The service returned a page of HTML: the URL does not lead to an OData resource, or "
                    + "leads to a login.")
        }
        guard output == nil else { return try await save(response) }
        let path = url.prefix { $0 != "?" }
        guard response.head.status != .noContent else {
            guard !path.hasSuffix("/$value") else { return }
            guard format.resolved == .json else { return Console.write("null") }
            return JSONOutput.print(Array("{\"value\":null}".utf8))
        }
        guard !path.hasSuffix("/$count") else {
            let count = try await number(response.body)
            guard format.wrapsCounts else { return Console.write(count) }
            return JSONOutput.print(Array("{\"value\":\(count)}".utf8))
        }
        guard !isJSON || isMetadata || format.resolved == .json else {
            return try await printPages(from: response, to: request, over: transport)
        }
        guard !isJSON || !all else { return try await printAll(from: response, to: request, over: transport) }
        guard isJSON else { return try await copy(response.body, of: type) }
        let extent = try await copyJSON(response.body, isStream: path.hasSuffix("/$value"))
        guard extent.isComplete || !isDocument(type) else {
            throw Failure("The response is not complete JSON.")
        }
        if extent.hasNextLink, isDocument(type) { Console.notice("There are more pages: --all prints them too.") }
    }

    /// Writes the body to the file that `--output` names.
    private func save(_ response: TransportResponse) async throws {
        guard response.head.status != .noContent else {
            return Console.notice("There is no content at this URL: nothing was written.")
        }
        try await ByteOutput(name: output ?? "-").write(response.body.chunks(), of: response.body.length)
    }

    /// `91`, which some services send with a byte order mark.
    private func number(_ body: ByteContent) async throws -> String {
        let text = String(decoding: try await body.collect(upTo: 1 << 10), as: UTF8.self)
            .trimmingCharacters(in: CharacterSet(charactersIn: "\u{FEFF}").union(.whitespacesAndNewlines))
        guard let count = Int64(text) else { throw Failure("The response is not a number: \(text.brief)") }
        return "\(count)"
    }

    /// Whether a media type is that of one JSON document, and of no sequence of them.
    private func isDocument(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return name == "application/json" || name.hasSuffix("+json")
    }

    /// A terminal gets text only.
    private func copy(_ body: ByteContent, of type: String) async throws {
        var isFirst = true
        try await forEachChunk(of: body) { chunk in
            guard !isFirst || ByteOutput.fitsTerminal(chunk) else {
                ByteOutput.tellBinary(body.length, type, advice: "add > file or --output")
                return false
            }
            isFirst = false
            Console.write(bytes: chunk)
            return true
        }
        Console.endLine()
    }

    /// - Parameter isStream: Whether the JSON is the content of a stream: it is never laid out.
    private func copyJSON(_ body: ByteContent, isStream: Bool) async throws -> JSONExtent {
        var (output, extent) = (JSONOutput(isUnchanged: isStream), JSONExtent())
        try await forEachChunk(of: body) { chunk in
            output.write(chunk)
            extent.read(chunk)
            return true
        }
        output.finish()
        return extent
    }

    /// Shows a progress bar unless the bytes are written to the terminal. Ends where `body` returns false.
    private func forEachChunk(of content: ByteContent, _ body: ([UInt8]) -> Bool) async throws {
        let bar = Terminal.output.isTerminal ? nil : ProgressBar()
        defer { bar?.finish() }
        for try await chunk in try content.chunks() {
            guard body(chunk) else { return }
            try Console.checkOutput()
            bar?.add(chunk.count, of: content.length)
        }
    }
}
