import ByteStreams
import HTTPTypes
import ODataFormats

/// `POST Products/$query`: the query options stand in the body, as long as they may be.
///
/// [OData-URL, section 5.1.1.14 of 4.01: Passing Query Options in the Request Body]
enum QueryInBody {
    static let suffix = "/$query"
    static let methods: [HTTPRequest.Method] = [.post, .options]

    /// The request as the GET that it stands for; nil for others.
    static func rewritten(_ request: ServiceRequest, limit: Int) async throws -> ServiceRequest? {
        let parts = request.parts
        guard parts.path.hasSuffix(suffix) else { return nil }
        guard request.method == .post else {
            guard request.method == .options else {
                throw ServiceFailure.methodNotAllowed(request.method, allowed: methods)
            }
            var asked = request
            asked.url = String(parts.path.dropLast(suffix.count))
            asked.hasQueryInBody = true
            return asked
        }
        let type = MediaType(request.headers[.contentType])
        guard let type, type.name == "text/plain" || type.name == "application/x-www-form-urlencoded" else {
            throw ServiceFailure(.unsupportedMediaType, "Query options in a body are text/plain.")
        }
        let body = try await request.body.collect(upTo: limit)
        var text = String(decoding: body, as: UTF8.self)
        // The type says it: also where a plus sign could be meant.
        if type.name != "text/plain" { text = text.replacing("+", with: "%20") }
        while let last = text.last, last.isNewline || last == " " { text.removeLast() }
        if text.hasPrefix("?") { text.removeFirst() }
        let options = parts.text(without: []).dropFirst(parts.path.count + 1)
        let all = [String(options), text].filter { !$0.isEmpty }.joined(separator: "&")
        var read = request
        read.method = .get
        read.url = String(parts.path.dropLast(suffix.count)) + (all.isEmpty ? "" : "?" + all)
        read.body = .empty
        read.hasQueryInBody = true
        return read
    }
}
