import ODataModel

/// Writes JSON batches.
///
/// ```json
/// {"requests":[{"id":"1","atomicityGroup":"g","method":"POST","url":"Products","body":{"Name":"Tea"}}]}
/// ```
enum JSONBatch {
    static func isJSON(_ type: String) -> Bool { type.hasPrefix("application/json") || type.contains("+json") }

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
            writeHeadersAndBody(part.headers, part.body, to: &text)
        }
        return text.bytes
    }

    static func bytes(_ responses: [BatchItemResponse]) -> [UInt8] {
        var text = JSONText()
        list("responses", of: responses, in: &text) { response, text in
            text.member("id", response.id)
            text.member("atomicityGroup", response.atomicityGroup)
            text.name("status")
            text.integer(response.status)
            writeHeadersAndBody(response.headers, response.body, to: &text)
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

    private static func writeHeadersAndBody(_ headers: [(String, String)], _ body: [UInt8], to text: inout JSONText) {
        var headers = headers.filter { $0.0.lowercased() != "content-length" }
        let type = Batch.header("Content-Type", in: headers)?.lowercased()
        let isPlainJSON = (type == nil || type.map(isJSON) == true) && (try? JSONParser.parse(body[...])) != nil
        if !body.isEmpty, !isPlainJSON, type.map(isJSON) ?? true {
            // A body that is declared as JSON but is not would not be read back.
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
            text.string(EdmValue.base64URL(body, isPadded: true))
        }
    }
}
