import ODataModel

extension ResultTable {
    /// The rows of a V4 JSON payload: the members of `value`, or the one entity, in their order. Control information is
    /// left out.
    init(json: [UInt8]) throws {
        let answer = try JSONParser.parse(json[...])
        guard answer.members != nil else { throw Failure("The answer is no JSON object.") }
        let rows = (answer["value"]?.elements ?? [answer]).map { node in
            node.members?.map { (name: $0.name, node: $0.node) } ?? [(name: "value", node: node)]
        }
        var names: [String] = []
        var known: Set<String> = []
        for member in rows.joined() where !member.name.contains("@") && known.insert(member.name).inserted {
            names.append(member.name)
        }
        let cells = rows.map { row in
            let values = Dictionary(row) { first, _ in first }
            return names.map { values[$0].flatMap { Self.text($0, in: json) } }
        }
        self.init(columns: names, rows: cells)
    }

    private static func text(_ node: JSONNode, in json: [UInt8]) -> String? {
        switch node.content {
        case .null: nil
        case .string(let text): text
        case .array(let elements): "\(elements.count) entries"
        case .boolean, .number, .object: String(decoding: json[node.range], as: UTF8.self)
        }
    }
}
