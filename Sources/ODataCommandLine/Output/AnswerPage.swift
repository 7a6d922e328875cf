import OData

/// One page of what a service answers in JSON, as rows.
///
///     {"@odata.context":"…","value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Things?$skiptoken=2"}
///     {"d":{"results":[{"__metadata":{…},"ID":1}],"__next":"…"}}     before V4
struct AnswerPage {
    /// The members of entities in their order; control information, `__metadata` and what is deferred are left out.
    var table: ResultTable
    /// Where the next page is, as the service wrote it; nil for the last one.
    var nextLink: String?
    /// What relative links are relative to, where the page tells.
    var contextURL: String?

    /// - Parameter isVersion4: Whether the service says that it answers as V4: an object with the only member `d` is an
    ///   entity then, and no envelope.
    /// - Throws: ``Failure`` if the answer is no object, JSON errors.
    init(_ json: [UInt8], isVersion4: Bool, nested: ResultTable.Nested) throws {
        let answer = try JSONParser.parse(json[...])
        guard answer.members != nil else { throw Failure("The answer is no JSON object.") }
        guard !isVersion4, let content = Self.enveloped(answer) else {
            let rows = answer["value"]?.elements ?? [answer]
            table = Rows(json: json, isVersion4: true, nested: nested).table(rows)
            nextLink = (answer.control("nextLink") ?? answer["odata.nextLink"])?.string
            contextURL = answer.control("context")?.string
            return
        }
        let rows = content.elements ?? content["results"]?.elements ?? [content]
        table = Rows(json: json, isVersion4: false, nested: nested).table(rows)
        nextLink = content["__next"]?.string
    }

    /// What stands in `{"d":…}`. [MS-ODATA, "JSON Format"]
    private static func enveloped(_ answer: JSONNode) -> JSONNode? {
        guard let members = answer.members, members.count == 1, let content = answer["d"],
            content.members != nil || content.elements != nil
        else { return nil }
        return content
    }
}

/// Makes rows of objects, or of values that are none.
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
        return ResultTable(columns: columns, rows: cells, numbers: Self.numbers(rows.joined()))
    }

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
        case .array(let elements): nested == .summary ? "\(elements.count) entries" : compact(node)
        case .object:
            if nested == .summary, !isVersion4, let elements = node["results"]?.elements {
                "\(elements.count) entries"
            } else {
                compact(node)
            }
        }
    }

    /// `2023-10-13T00:52:16Z` of `/Date(1697158336000)/`; nil for other text.
    private static func time(_ text: String) -> String? {
        guard text.hasPrefix("/Date(") else { return nil }
        return V2Lexical.dateTime(text).map { Value.dateTimeOffset($0).lexical }
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
