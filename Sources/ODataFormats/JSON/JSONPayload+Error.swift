import ODataModel

extension JSONPayload {
    /// Reads `{"error":{"code":"…","message":"…"}}`; nil if it is not OData error.
    ///
    /// The message object of older services, `{"lang":"en","value":"…"}`, is understood.
    package static func error(_ bytes: [UInt8]) -> ServiceError? {
        guard let node = try? JSONParser.parse(bytes[...]) else { return nil }
        return (node["error"] ?? node["odata.error"]).flatMap { serviceError($0, source: bytes[...]) }
    }

    /// The error that an `error` member holds; nil if it holds none.
    static func serviceError(_ node: JSONNode, source: ArraySlice<UInt8>) -> ServiceError? {
        guard node.members != nil else { return nil }
        let code = text(node["code"])
        let message = node["message"].flatMap { $0.string ?? $0["value"]?.string }
        guard code != nil || message != nil else { return nil }
        let details = (node["details"]?.elements ?? []).map { detail in
            ServiceError.Detail(
                code: text(detail["code"]) ?? "", message: detail["message"]?.string ?? "",
                target: detail["target"]?.string)
        }
        let inner = node["innererror"] ?? node["innerError"]
        return ServiceError(
            code: code ?? "", message: message ?? "", target: node["target"]?.string, details: details,
            innerError: inner.map { String(decoding: source[$0.range], as: UTF8.self) })
    }

    private static func text(_ node: JSONNode?) -> String? {
        node?.string ?? node?.integer.map(String.init)
    }

    /// `{"error":{"code":"…","message":"…","target":"…","details":[…],"innererror":{…}}}`
    package static func bytes(error: ServiceError) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.name("error")
            text.object { text in
                text.member("code", error.code)
                text.member("message", error.message)
                text.member("target", error.target)
                write(error.details, to: &text)
                if let inner = error.innerError, (try? JSONParser.parse(Array(inner.utf8)[...])) != nil {
                    text.name("innererror")
                    text.raw(inner.utf8)
                }
            }
        }
        return text.bytes
    }

    private static func write(_ details: [ServiceError.Detail], to text: inout JSONText) {
        guard !details.isEmpty else { return }
        text.name("details")
        text.array { text in
            for detail in details {
                text.object { text in
                    text.member("code", detail.code)
                    text.member("message", detail.message)
                    text.member("target", detail.target)
                }
            }
        }
    }
}
