import OData

/// The values of a page of a collection and the members beside them, as the service wrote them.
///
///     {"@odata.context":"…","value":[{"ID":1},{"ID":2}],"@odata.nextLink":"Things?$skiptoken=2"}
///     {"d":{"results":[{"__metadata":{…},"ID":1}],"__next":"…"}}     before V4
struct PageEnvelope {
    /// What opens and closes the document around its members.
    let brackets: (open: String, close: String)
    /// The members before and behind the values, but for the link to the next page, with their JSON.
    let before: [(name: String, json: [UInt8])]
    let behind: [(name: String, json: [UInt8])]
    /// The member that has the values: `value`
    let name: String
    /// The values with the commas between them; nothing of an empty page.
    let values: [UInt8]

    /// Nil for a response without values.
    init?(_ response: JSONNode, json: [UInt8]) {
        self.init(response, "value", ResponsePage.nextLinks, ("{", "}"), json)
    }

    /// Nil for what has no `results`; a plain array has one page.
    init?(before4 content: JSONNode, json: [UInt8]) {
        self.init(content, "results", [ResponsePage.nextLink2], ("{\"d\":{", "}}"), json)
    }

    private init?(
        _ object: JSONNode, _ name: String, _ links: [String], _ brackets: (String, String), _ json: [UInt8]
    ) {
        guard let members = object.members, let place = members.firstIndex(where: { $0.name == name }),
            let elements = members[place].node.elements
        else { return nil }
        func others(_ members: ArraySlice<JSONNode.Member>) -> [(String, [UInt8])] {
            members.filter { !links.contains($0.name) }.map { ($0.name, Array(json[$0.node.range])) }
        }
        (self.name, self.brackets) = (name, brackets)
        (before, behind) = (others(members[..<place]), others(members[(place + 1)...]))
        guard let first = elements.first, let last = elements.last else {
            values = []
            return
        }
        values = Array(json[first.range.lowerBound..<last.range.upperBound])
    }
}

/// Prints the values of all pages as one JSON document, without keeping those that are printed.
struct PagePrinter {
    private var last: PageEnvelope?
    private var known: Set<String> = []
    private var isEmpty = true
    private var output = JSONOutput()

    mutating func add(_ page: PageEnvelope) {
        if last == nil { begin(page) }
        last = page
        guard !page.values.isEmpty else { return }
        output.write((isEmpty ? [] : [UInt8(ascii: ",")]) + page.values)
        isEmpty = false
    }

    /// The members after the values are those of the last page: only it has a delta link.
    mutating func finish() {
        guard let last else { return }
        let rest = (last.before + last.behind).filter { !known.contains($0.name) }
        output.write([UInt8(ascii: "]")] + rest.flatMap { [UInt8(ascii: ",")] + Self.member($0) })
        output.write(Array(last.brackets.close.utf8))
        output.finish()
    }

    private mutating func begin(_ page: PageEnvelope) {
        known = Set(page.before.map(\.name))
        output.write(Array(page.brackets.open.utf8))
        for member in page.before { output.write(Self.member(member) + [UInt8(ascii: ",")]) }
        output.write(Array("\"\(page.name)\":[".utf8))
    }

    private static func member(_ member: (name: String, json: [UInt8])) -> [UInt8] {
        EdmValue.string(member.name).jsonText + [UInt8(ascii: ":")] + member.json
    }
}
