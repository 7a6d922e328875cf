import ODataModel

extension ShopDatabase {
    /// The properties of each entity: `Name=Chai Price=18; Name=Chang Price=9.5`.
    func rows(_ url: String, pageSize: Int? = nil) async throws -> String {
        try await entities(url, pageSize: pageSize).map { Self.text($0.properties) }.joined(separator: "; ")
    }

    static func text(_ properties: EdmComplexValue) -> String {
        properties.members.map { "\($0.name)=\(text($0.value))" }.joined(separator: " ")
    }

    private static func text(_ value: EdmValue) -> String {
        switch value {
        case .complex(let members): "{\(text(members))}"
        case .collection(let items): "[\(items.map { text($0) }.joined(separator: ","))]"
        default: value.lexical
        }
    }

    /// All pages of a result, and how many there were.
    func pages(_ url: String, pageSize: Int) async throws -> (rows: String, count: Int) {
        var rows: [String] = []
        var count = 0
        var next: String?
        repeat {
            let blocks = try await blocks(url, pageSize: pageSize, continuation: next)
            rows += blocks.flatMap(\.entities).map { Self.text($0.properties) }
            count += 1
            next = blocks.last?.block.nextLink
        } while next != nil && count < 100
        return (rows.joined(separator: "; "), count)
    }
}
