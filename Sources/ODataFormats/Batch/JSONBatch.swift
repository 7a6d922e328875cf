import ODataModel

/// Reads and writes JSON batches.
///
/// ```json
/// {"requests":[{"id":"1","atomicityGroup":"g","method":"POST","url":"Products","body":{"Name":"Tea"}}]}
/// ```
enum JSONBatch {
    static func requests(_ bytes: [UInt8], limits: PayloadLimits) throws(FormatError) -> [BatchPart] {
        var parts: [BatchPart] = []
        var ids: Set<String> = []
        for node in try elements("requests", of: bytes, limits: limits) {
            guard let id = node["id"]?.string, let method = node["method"]?.string, let url = node["url"]?.string else {
                throw FormatError("A request of a batch has an id, a method and a url.", offset: node.offset)
            }
            guard ids.insert(id).inserted else {
                throw FormatError("Two requests of the batch have the id “\(id)”.", offset: node.offset)
            }
            let group = node["atomicityGroup"]?.string
            if let group, parts.last?.atomicityGroup != group, parts.contains(where: { $0.atomicityGroup == group }) {
                throw FormatError("The requests of the group “\(group)” do not stand together.", offset: node.offset)
            }
            let headers = try headers(of: node)
            parts.append(
                BatchPart(
                    id: id, method: method.uppercased(), url: url, headers: headers,
                    body: try body(of: node, headers: headers, in: bytes), atomicityGroup: group,
                    dependsOn: node["dependsOn"]?.elements?.compactMap(\.string)
                        ?? node["dependsOn"]?.string.map { [$0] } ?? [],
                    condition: node["if"]?.string))
        }
        return parts
    }

    static func replies(_ bytes: [UInt8], limits: PayloadLimits) throws(FormatError) -> [BatchReply] {
        var replies: [BatchReply] = []
        for node in try elements("responses", of: bytes, limits: limits) {
            guard let status = node["status"]?.integer, (100...599).contains(status) else {
                throw FormatError("A response of a batch has a status.", offset: node.offset)
            }
            let headers = try headers(of: node)
            replies.append(
                BatchReply(
                    id: node["id"]?.string, status: Int(status), headers: headers,
                    body: try body(of: node, headers: headers, in: bytes),
                    atomicityGroup: node["atomicityGroup"]?.string))
        }
        return replies
    }

    private static func elements(
        _ name: String, of bytes: [UInt8], limits: PayloadLimits
    ) throws(FormatError) -> [JSONNode] {
        let root = try parsed(bytes[...], limits: limits)
        guard let elements = root[name]?.elements else {
            throw FormatError("A JSON batch is an object with an array “\(name)”.", offset: root.offset)
        }
        guard elements.count <= limits.batchParts else {
            throw FormatError("The batch has more than \(limits.batchParts) parts.", offset: root.offset)
        }
        return elements
    }

    private static func headers(of node: JSONNode) throws(FormatError) -> [(String, String)] {
        var headers: [(String, String)] = []
        for member in node["headers"]?.members ?? [] {
            guard let value = member.node.string else {
                throw FormatError("The header \(member.name) is no string.", offset: member.offset)
            }
            headers.append((member.name, value))
        }
        return headers
    }

    /// JSON as it is, text as a string, anything else as base64url.
    private static func body(
        of node: JSONNode, headers: [(String, String)], in bytes: [UInt8]
    ) throws(FormatError) -> [UInt8] {
        guard let body = node["body"], !body.isNull else { return [] }
        let type = Batch.header("Content-Type", in: headers)?.lowercased()
        guard let text = body.string, let type, !isJSON(type) else { return Array(bytes[body.range]) }
        if type.hasPrefix("text/") { return Array(text.utf8) }
        guard let decoded = Value.bytes(base64: text) else {
            throw FormatError("A body of type \(type) is base64url.", offset: body.offset)
        }
        return decoded
    }

    private static func isJSON(_ type: String) -> Bool { type.hasPrefix("application/json") || type.contains("+json") }

    static func bytes(_ parts: [BatchPart]) -> [UInt8] {
        var text = JSONText()
        list("requests", of: parts, in: &text) { part, text in
            text.member("id", part.id)
            text.member("atomicityGroup", part.atomicityGroup)
            if !part.dependsOn.isEmpty {
                text.name("dependsOn")
                text.array { text in
                    for id in part.dependsOn { text.string(id) }
                }
            }
            text.member("if", part.condition)
            text.member("method", part.method)
            text.member("url", part.url)
            write(part.headers, part.body, to: &text)
        }
        return text.bytes
    }

    static func bytes(_ replies: [BatchReply]) -> [UInt8] {
        var text = JSONText()
        list("responses", of: replies, in: &text) { reply, text in
            text.member("id", reply.id)
            text.member("atomicityGroup", reply.atomicityGroup)
            text.name("status")
            text.integer(reply.status)
            write(reply.headers, reply.body, to: &text)
        }
        return text.bytes
    }

    private static func list<Element>(
        _ name: String, of elements: [Element], in text: inout JSONText, write: (Element, inout JSONText) -> Void
    ) {
        text.object { text in
            text.name(name)
            text.array { text in
                for element in elements { text.object { write(element, &$0) } }
            }
        }
    }

    private static func write(_ headers: [(String, String)], _ body: [UInt8], to text: inout JSONText) {
        var headers = headers.filter { $0.0.lowercased() != "content-length" }
        let type = Batch.header("Content-Type", in: headers)?.lowercased()
        let isPlainJSON = (type == nil || type.map(isJSON) == true) && (try? JSONParser.parse(body[...])) != nil
        if !body.isEmpty, !isPlainJSON, type.map(isJSON) ?? true {
            // What is told to be JSON but is not would not be read back.
            headers.removeAll { $0.0.lowercased() == "content-type" }
            headers.append(("Content-Type", "application/octet-stream"))
        }
        if !headers.isEmpty {
            text.name("headers")
            text.object { text in
                for (name, value) in headers { text.member(name.lowercased(), value) }
            }
        }
        guard !body.isEmpty else { return }
        text.name("body")
        if isPlainJSON {
            text.raw(body)
        } else if type?.hasPrefix("text/") == true, let string = String(validating: body, as: UTF8.self) {
            text.string(string)
        } else {
            text.string(Value.base64URL(body))
        }
    }
}
