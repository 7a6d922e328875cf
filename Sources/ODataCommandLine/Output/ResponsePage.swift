import OData

/// One page of a JSON response, as rows.
///
///     {"@odata.context":"…","value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Things?$skiptoken=2"}
///     {"d":{"results":[{"__metadata":{…},"ID":1}],"__next":"…"}}     before V4
struct ResponsePage {
    /// The names of the link to the next page; before V4 that is within `d`.
    static let nextLinks = ["@odata.nextLink", "@nextLink", "odata.nextLink"]
    static let nextLink2 = "__next"

    /// The unchanged response.
    let json: [UInt8]
    private let isVersion4: Bool
    private let nested: ResultTable.Nested
    private let content: JSONNode
    /// Where the next page is, as the service wrote it; nil for the last one.
    var nextLink: String?
    /// The base URL of relative links, if the page has one.
    var contextURL: String?

    /// - Parameter isVersion4: Whether the response is V4: an object with the only member `d` is an
    ///   entity then, and no envelope.
    /// - Throws: ``Failure`` if the response is not an object, JSON errors.
    init(_ json: [UInt8], isVersion4: Bool, nested: ResultTable.Nested) throws {
        (self.json, self.nested) = (json, nested)
        let response = try JSONParser.parse(json[...])
        guard response.members != nil else { throw Failure("The response is not a JSON object.") }
        guard !isVersion4, let content = Self.enveloped(response) else {
            self.isVersion4 = true
            self.content = response
            nextLink = Self.link(response.control("nextLink") ?? response["odata.nextLink"])
            contextURL = response.control("context")?.string
            return
        }
        self.isVersion4 = false
        self.content = content
        nextLink = Self.link(content[Self.nextLink2])
    }

    /// An empty text leads nowhere.
    private static func link(_ node: JSONNode?) -> String? {
        node?.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// The rows as the service sent them; a response that is not a collection counts as one row. Nil for an empty page.
    var rows: ArraySlice<UInt8>? {
        guard let envelope else { return json[...] }
        return envelope.values.isEmpty ? nil : envelope.values[...]
    }

    /// Whether it is a collection; else it is one entity or value.
    var isCollection: Bool { elements != nil }

    private var elements: [JSONNode]? {
        content.elements ?? content[isVersion4 ? "value" : "results"]?.elements
    }

    /// The members of entities in their order; control information, `__metadata` and what is deferred are left out.
    var table: ResultTable {
        Rows(json: json, isVersion4: isVersion4, nested: nested).table(elements ?? [content])
    }

    /// Its values and the other members; nil if the response is not a collection.
    var envelope: PageEnvelope? {
        isVersion4 ? PageEnvelope(content, json: json) : PageEnvelope(before4: content, json: json)
    }

    /// The value of `{"d":…}`. [MS-ODATA, "JSON Format"]
    private static func enveloped(_ response: JSONNode) -> JSONNode? {
        guard let members = response.members, members.count == 1, let content = response["d"],
            content.members != nil || content.elements != nil
        else { return nil }
        return content
    }
}

/// Makes rows of objects or of other values.
private struct Rows {
    let json: [UInt8]
    let isVersion4: Bool
    let nested: ResultTable.Nested

    func table(_ nodes: [JSONNode]) -> ResultTable {
        let rows = nodes.map { node in node.members?.map { ($0.name, $0.node) } ?? [("value", node)] }
        var (columns, known): ([String], Set<String>) = ([], [])
        for (name, node) in rows.joined() where isShown(name, node) && known.insert(name).inserted {
            columns.append(name)
        }
        if columns.isEmpty { columns = ["@odata.id", "@id"].filter { id in rows.joined().contains { $0.0 == id } } }
        let cells = rows.map { row in
            let values = Dictionary(row) { first, _ in first }
            return columns.map { name in values[name].flatMap(text) }
        }
        return ResultTable(
            columns: columns, rows: cells, numbers: Self.numbers(rows.joined()), keys: Self.keys(columns, cells))
    }

    /// The first column, where its values are single words: services send keys first, and do not say which they are.
    private static func keys(_ columns: [String], _ rows: [[String?]]) -> Set<String> {
        guard let first = columns.first else { return [] }
        let areWords = rows.allSatisfy { row in
            row[0].map { $0.utf8.count <= keyLimit && !$0.contains(where: \.isWhitespace) } ?? true
        }
        return areWords ? [first] : []
    }

    /// Longer text is rather no key.
    private static let keyLimit = 48

    private static func numbers(_ members: some Sequence<(String, JSONNode)>) -> Set<String> {
        var (numbers, others): (Set<String>, Set<String>) = ([], [])
        for (name, node) in members {
            switch node.content {
            case .null: continue
            case .number: numbers.insert(name)
            default: others.insert(name)
            }
        }
        return numbers.subtracting(others)
    }

    private func isShown(_ name: String, _ node: JSONNode) -> Bool {
        isVersion4 ? !name.contains("@") && !name.hasPrefix("odata.") : name != "__metadata" && !isElsewhere(node)
    }

    /// Whether there is only a link to the value. [MS-ODATA, "Deferred Content"]
    private func isElsewhere(_ node: JSONNode) -> Bool {
        !isVersion4 && (node["__deferred"] ?? node["__mediaresource"]) != nil
    }

    private func text(_ node: JSONNode) -> String? {
        switch node.content {
        case .null: nil
        case .object where isElsewhere(node): nil
        case .string(let text): isVersion4 ? text : Self.time(text) ?? text
        case .boolean, .number: String(decoding: json[node.range], as: UTF8.self)
        case .array(let elements): nested == .summary ? Self.count(elements) : compact(node)
        case .object:
            if nested == .summary, !isVersion4, let elements = node["results"]?.elements {
                Self.count(elements)
            } else {
                compact(node)
            }
        }
    }

    /// `2023-10-13T00:52:16Z` of `/Date(1697158336000)/`; nil for other text.
    private static func time(_ text: String) -> String? {
        guard text.hasPrefix("/Date(") else { return nil }
        return LegacyLexical.dateTime(text).map { EdmValue.dateTimeOffset($0).lexical }
    }

    private static func count(_ elements: [JSONNode]) -> String {
        elements.count == 1 ? "1 entry" : "\(elements.count) entries"
    }

    /// The JSON of a value without the white space outside of its strings.
    private func compact(_ node: JSONNode) -> String {
        var (isInString, isEscaped) = (false, false)
        let bytes = json[node.range].filter { byte in
            defer { isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped }
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            return isInString || !" \t\r\n".utf8.contains(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
