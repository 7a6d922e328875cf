import ODataModel

extension ResourcePath {
    /// The path relative to the service root, percent-encoded: `Order_Details(OrderID=1,ProductID=2)/Order`
    public var url: String {
        written(key: \.urlText) { percentEncoded($0, allowing: BoundQuery.unencodedInPath) }
    }

    /// The path, not percent-encoded.
    var text: String { written(key: \.text) { $0 } }

    private func written(key: (EntityKey) -> String, _ encoded: (String) -> String) -> String {
        var text =
            switch root {
            case .entitySet(let set): encoded(set.name)
            case .contentID(let id, _): "$" + encoded(id)
            case .operation(let call): encoded(call.text)
            case .crossjoin(let sets): "$crossjoin(" + sets.map { encoded($0.name) }.joined(separator: ",") + ")"
            case .all: "$all"
            }
        for segment in segments { append(segment, to: &text, key: key, encoded) }
        return text
    }

    private func append(
        _ segment: Segment, to text: inout String, key: (EntityKey) -> String, _ encoded: (String) -> String
    ) {
        switch segment {
        case .key(let value): text += key(value)
        case .navigation(let navigation, _): text += "/" + encoded(navigation.name)
        case .property(let property): text += "/" + encoded(property.name)
        case .cast(let type): text += "/" + encoded("\(type.name)")
        case .operation(let call): text += "/" + encoded(call.text)
        case .filter(let expression): text += "/$filter(" + encoded(expression.text) + ")"
        case .each: text += "/$each"
        case .index(let index): text += "/\(index)"
        case .count: text += "/$count"
        case .value: text += "/$value"
        case .ref: text += "/$ref"
        }
    }
}

extension BoundQuery {
    /// What may stand in the value of a query option as it is; `+` may not.
    static let unencoded = Set("$'()*,;:/@=!".utf8)
    /// What may stand in a path segment as it is.
    static let unencodedInPath = Set("$'()*,;:@=!".utf8)

    /// The URL relative to the service root, percent-encoded: `Products?$filter=Price%20gt%2020`
    public var url: String {
        let items = options.queryItems.map { item in
            percentEncoded(item.name, allowing: Self.unencoded.subtracting("=".utf8)) + "="
                + percentEncoded(item.value, allowing: Self.unencoded)
        }
        return items.isEmpty ? path.url : path.url + "?" + items.joined(separator: "&")
    }

    /// `Model.Manager/Budget`
    public static func text(of steps: [PropertyPath.Step]) -> String { steps.map(\.text).joined(separator: "/") }
}
