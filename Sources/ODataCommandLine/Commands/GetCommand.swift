import ArgumentParser
import Foundation
import HTTPTypes
import OData

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read a URL of a service and print what it answers.",
        discussion: """
            The URL may be typed raw: spaces need no encoding. What is not JSON (metadata, media) is printed as it is.

            EXAMPLE: odata get "http://127.0.0.1:8080/Products?$filter=UnitPrice gt 20&$top=3" --format table
            """)

    @Argument(help: "The absolute URL.")
    var url: String

    @OptionGroup var format: FormatOption
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let url = try AbsoluteURL(typed: url)
        try await connection.withTransport { transport in
            var request = HTTPRequest(method: .get, url: url)
            if !connection.gives(.accept) {
                request.headerFields[.accept] = "application/json;odata.metadata=minimal, */*;q=0.5"
            }
            let reply = try await transport.send(request, body: nil)
            guard reply.response.status.kind == .successful else {
                throw try await failure(reply)
            }
            try await print(reply)
        }
    }

    private func failure(_ reply: HTTPReply) async throws -> Failure {
        let body = try await reply.body.collect(upTo: 1 << 20)
        let status = "\(reply.response.status.code) \(reply.response.status.reasonPhrase)"
        let advice = Advice.line(forStatus: reply.response.status.code)
        guard let error = JSONPayload.error(body) else {
            return Failure("The service answered \(status).", advice: advice)
        }
        let (message, code) = (error.message.brief, error.code.brief)
        return Failure("The service answered \(status): \(message) (code \(code))", advice: advice)
    }

    private func print(_ reply: HTTPReply) async throws {
        let type = reply.response.headerFields[.contentType] ?? ""
        let isJSON = type.contains("json")
        guard !type.hasPrefix("text/html") else {
            throw Failure("The service answered a page of HTML: the URL leads to no OData resource, or to a login.")
        }
        let isNothing = reply.response.status == .noContent
        if isNothing || url.prefix(while: { $0 != "?" }).hasSuffix("/$count") {
            let count = isNothing ? nil : try await number(reply.body)
            return Console.write(format.resolved == .json ? "{\"value\":\(count ?? "null")}" : count ?? "")
        }
        guard isJSON, format.resolved != .json else {
            let extent = try await copy(reply.body)
            guard isJSON else { return }
            Console.write("")
            guard extent.isComplete || !isDocument(type) else {
                throw Failure("What the service sent is not complete JSON.")
            }
            return
        }
        let body = try await reply.body.collect(upTo: 256 << 20)
        let table = try ResultTable(json: body)
        table.print(as: format.resolved)
    }

    /// `91`, which some services send with a byte order mark.
    private func number(_ body: ByteContent) async throws -> String {
        let text = String(decoding: try await body.collect(upTo: 1 << 10), as: UTF8.self)
            .trimmingCharacters(in: CharacterSet(charactersIn: "\u{FEFF}").union(.whitespacesAndNewlines))
        guard let count = Int64(text) else { throw Failure("The service answered no number: \(text.brief)") }
        return "\(count)"
    }

    /// Whether a media type is that of one JSON document, and of no sequence of them.
    private func isDocument(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return name == "application/json" || name.hasSuffix("+json")
    }

    /// With a bar, where the terminal is not what the bytes go to.
    private func copy(_ body: ByteContent) async throws -> JSONExtent {
        var extent = JSONExtent()
        let bar = Terminal.output.isTerminal ? nil : ProgressBar()
        defer { bar?.finish() }
        for try await chunk in try body.chunks() {
            Console.write(bytes: chunk)
            extent.read(chunk)
            bar?.add(chunk.count, of: body.length)
        }
        return extent
    }
}
