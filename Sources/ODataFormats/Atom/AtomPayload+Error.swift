import ODataMetadata
import ODataModel

extension AtomPayload {
    /// Reads `<error xmlns="…/metadata"><code>…</code><message xml:lang="en">…</message>…`; nil for other bytes.
    package static func error(_ bytes: [UInt8]) -> ServiceError? {
        guard let root = try? tree(bytes, limits: .default) else { return nil }
        return serviceError(root)
    }

    static func serviceError(_ root: XMLTree) -> ServiceError? {
        guard root.name == "error", root.namespace.isEmpty || AtomNamespace.isMetadata(root.namespace) else {
            return nil
        }
        func text(_ name: String) -> String? { root.children(named: name).first?.text }
        guard text("code") != nil || text("message") != nil else { return nil }
        let inner = root.children(named: "innererror").first
        return ServiceError(
            code: text("code") ?? "", message: text("message") ?? "", target: text("target"),
            details: details(root, inner: inner), innerError: inner.map { json($0) })
    }

    /// `details` of V4, or `errordetails` of SAP services.
    private static func details(_ root: XMLTree, inner: XMLTree?) -> [ServiceError.Detail] {
        let list =
            root.children(named: "details").flatMap { $0.children(named: "detail") }
            + (inner?.children(named: "errordetails").flatMap { $0.children(named: "errordetail") } ?? [])
        return list.map { detail in
            func text(_ name: String) -> String? { detail.children(named: name).first?.text }
            return ServiceError.Detail(
                code: text("code") ?? "", message: text("message") ?? "", target: text("target") ?? text("propertyref"))
        }
    }

    /// Elements as members; several of one name as an array.
    private static func json(_ element: XMLTree) -> String {
        var text = JSONText()
        append(element, to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static func append(_ element: XMLTree, to text: inout JSONText) {
        guard !element.children.isEmpty else { return text.string(element.text) }
        text.object { text in
            var written: Set<String> = []
            for child in element.children where written.insert(child.name).inserted {
                let same = element.children(named: child.name)
                text.name(child.name)
                guard same.count > 1 else {
                    append(child, to: &text)
                    continue
                }
                text.array { text in
                    for item in same { append(item, to: &text) }
                }
            }
        }
    }

    /// `<error xmlns="…"><code>…</code><message xml:lang="en">…</message></error>`
    package static func bytes(error: ServiceError, language: String = "en") -> [UInt8] {
        var text = XMLText()
        text.raw(XMLText.declaration)
        text.element("error", ["xmlns": AtomNamespace.metadata]) { text in
            text.element("code", text: error.code)
            text.element("message", ["xml:lang": language], text: error.message)
            guard !error.details.isEmpty || error.innerError != nil else { return }
            text.element("innererror") { text in
                for (name, node) in members(of: error.innerError) where name != "errordetails" {
                    append(name, node, to: &text)
                }
                details(error.details, to: &text)
            }
        }
        return text.takeBytes()
    }

    private static func details(_ details: [ServiceError.Detail], to text: inout XMLText) {
        guard !details.isEmpty else { return }
        text.element("errordetails") { text in
            for detail in details {
                text.element("errordetail") { text in
                    text.element("code", text: detail.code)
                    text.element("message", text: detail.message)
                    if let target = detail.target { text.element("target", text: target) }
                }
            }
        }
    }

    private static func members(of json: String?) -> [(String, JSONNode)] {
        guard let json, let node = try? JSONParser.parse(Array(json.utf8)[...]) else { return [] }
        return (node.members ?? []).map { ($0.name, $0.node) }
    }

    private static func append(_ name: String, _ node: JSONNode, to text: inout XMLText) {
        guard isName(name) else { return }
        switch node.content {
        case .array(let elements):
            for node in elements { append(name, node, to: &text) }
        case .object(let members):
            text.element(name) { text in
                for member in members { append(member.name, member.node, to: &text) }
            }
        case .string(let string), .number(let string): text.element(name, text: string)
        case .boolean(let value): text.element(name, text: "\(value)")
        case .null: break
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        let isLetter: (UInt8) -> Bool = { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F }
        return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
