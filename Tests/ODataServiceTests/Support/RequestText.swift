import ByteStreams
import HTTPTypes
import ODataService

/// Sends requests that are written as text, and writes responses as text.
///
/// ```
/// POST Products
/// Content-Type: application/json
///
/// {"Name":"Tea"}
/// ```
struct RequestText {
    static let root = "http://service.test/"
    let service: any HTTPResponder
    var context = ResponderContext()

    /// The response to `text`: status, the headers named in `showing`, and the body.
    func responseText(_ text: String, showing names: [String] = []) async throws -> String {
        let response = await response(text)
        var lines = ["\(response.head.status.code)"]
        for name in names {
            guard let field = HTTPField.Name(name) else { continue }
            lines.append("\(name): \(response.head.headerFields[field] ?? "-")")
        }
        let body = try await response.body.collect(upTo: 10_000_000)
        if !body.isEmpty { lines += ["", String(decoding: body, as: UTF8.self)] }
        return lines.joined(separator: "\n")
    }

    func response(_ text: String) async -> ServiceResponse {
        let halves = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = halves[0].split(separator: "\n")
        let start = lines[0].split(separator: " ", maxSplits: 1)
        var request = HTTPRequest(
            method: HTTPRequest.Method(rawValue: String(start[0])) ?? .get, scheme: "http", authority: "service.test",
            path: "/" + (start.count > 1 ? start[1] : ""))
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let name = HTTPField.Name(String(pair[0])) else { continue }
            request.headerFields[name] = pair[1].drop { $0 == " " }.description
        }
        let body = halves.count > 1 ? ByteContent(Array(halves[1].utf8)) : .empty
        return await service.respond(to: request, body: body, root: Self.root, context: context)
    }
}
