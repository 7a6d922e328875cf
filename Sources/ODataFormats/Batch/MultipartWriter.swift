/// Writes `multipart/mixed` batches.
struct MultipartWriter {
    /// A message and what its part's headers need.
    private struct Item {
        var head: String
        var headers: [(String, String)]
        var body: [UInt8]
        var id: String?
        var group: String?
    }

    private var bytes: [UInt8] = []

    static func bytes(_ parts: [BatchPart], boundary: String) -> (contentType: String, bytes: [UInt8]) {
        let items = parts.map { part in
            Item(
                head: "\(part.method) \(part.url) HTTP/1.1", headers: part.headers, body: part.body, id: part.id,
                group: part.atomicityGroup)
        }
        return multipart(items, boundary: boundary)
    }

    static func bytes(_ responses: [BatchItemResponse], boundary: String) -> (contentType: String, bytes: [UInt8]) {
        let sizes = Dictionary(
            responses.compactMap { response in response.atomicityGroup.map { ($0, 1) } }, uniquingKeysWith: +)
        let items = responses.map { response in
            // A change set that failed as a whole has one response that is not nested.
            let stands = response.status >= 400 && response.atomicityGroup.flatMap { sizes[$0] } == 1
            return Item(
                head: "HTTP/1.1 \(response.status) \(reason(response.status))", headers: response.headers,
                body: response.body,
                id: response.id, group: stands ? nil : response.atomicityGroup)
        }
        return multipart(items, boundary: boundary)
    }

    private static func multipart(_ items: [Item], boundary: String) -> (contentType: String, bytes: [UInt8]) {
        var boundary = boundary
        while items.contains(where: { contains($0.body, Array(boundary.utf8)) }) { boundary += "x" }
        var writer = MultipartWriter()
        var position = 0
        var groups = 0
        while position < items.count {
            guard let group = items[position].group else {
                writer.part(items[position], boundary: boundary)
                position += 1
                continue
            }
            groups += 1
            let inner = "\(boundary)_changeset\(groups)"
            writer.line("--\(boundary)")
            writer.line("Content-Type: multipart/mixed; boundary=\(inner)")
            writer.line("")
            while position < items.count, items[position].group == group {
                writer.part(items[position], boundary: inner)
                position += 1
            }
            writer.line("--\(inner)--")
            writer.line("")
        }
        writer.line("--\(boundary)--")
        return ("multipart/mixed; boundary=\(boundary)", writer.bytes)
    }

    private static func contains(_ body: [UInt8], _ word: [UInt8]) -> Bool {
        body.indices.contains { body[$0] == word[0] && body[$0...].starts(with: word) }
    }

    private mutating func part(_ item: Item, boundary: String) {
        line("--\(boundary)")
        line("Content-Type: application/http")
        line("Content-Transfer-Encoding: binary")
        if let id = item.id { line("Content-ID: \(Self.oneLine(id))") }
        line("")
        line(Self.oneLine(item.head))
        for (name, value) in item.headers where !["content-length", "content-id"].contains(name.lowercased()) {
            line("\(Self.oneLine(name)): \(Self.oneLine(value))")
        }
        if !item.body.isEmpty { line("Content-Length: \(item.body.count)") }
        line("")
        bytes += item.body
        line("")
    }

    private mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes += [0x0D, 0x0A]
    }

    /// Text that cannot start a line of its own.
    private static func oneLine(_ text: String) -> String {
        text.unicodeScalars.contains { $0 == "\r" || $0 == "\n" }
            ? String(text.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? " " : Character($0) }) : text
    }

    private static func reason(_ status: Int) -> String {
        let reasons = [
            200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 304: "Not Modified", 400: "Bad Request",
            401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
            410: "Gone", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
            424: "Failed Dependency", 428: "Precondition Required", 500: "Internal Server Error",
            501: "Not Implemented", 503: "Service Unavailable",
        ]
        return reasons[status] ?? "Status"
    }
}
