import ODataModel

extension ResourcePath {
    /// The path relative to the service root, percent-encoded: `Order_Details(OrderID=1,ProductID=2)/Order`
    public var url: String {
        var text =
            switch root {
            case .entitySet(let set): percentEncoded(set.name)
            case .contentID(let id, _): "$" + percentEncoded(id)
            case .operation(let call): percentEncoded(call.text)
            case .crossjoin(let sets): "$crossjoin(" + sets.map { percentEncoded($0.name) }.joined(separator: ",") + ")"
            case .all: "$all"
            }
        for segment in segments {
            switch segment {
            case .key(let key): text += key.urlText
            case .navigation(let navigation, _): text += "/" + percentEncoded(navigation.name)
            case .property(let property): text += "/" + percentEncoded(property.name)
            case .cast(let type): text += "/" + percentEncoded("\(type.name)")
            case .operation(let call): text += "/" + percentEncoded(call.text)
            case .filter(let expression): text += "/$filter(" + percentEncoded(expression.text) + ")"
            case .each: text += "/$each"
            case .index(let index): text += "/\(index)"
            case .count: text += "/$count"
            case .value: text += "/$value"
            case .ref: text += "/$ref"
            }
        }
        return text
    }
}

extension BoundQuery {
    /// What may stand in the value of a query option as it is; `+` may not.
    private static let unencoded = Set("$'()*,;:/@=!".utf8)

    /// The URL relative to the service root, percent-encoded: `Products?$filter=Price%20gt%2020`
    public var url: String {
        let items = options.queryItems.map { item in
            item.name + "=" + percentEncoded(item.value, allowing: Self.unencoded)
        }
        return items.isEmpty ? path.url : path.url + "?" + items.joined(separator: "&")
    }
}

extension BoundQuery {
    /// `Model.Manager/Budget`
    public static func text(of steps: [PropertyPath.Step]) -> String { steps.map(\.text).joined(separator: "/") }
}

extension QueryOptions {
    /// The options as they stand in a URL, not percent-encoded: `("$top", "5")`
    public var queryItems: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if let filter { items.append(("$filter", filter.text)) }
        if let select, !select.isEmpty { items.append(("$select", select.map(\.text).joined(separator: ","))) }
        if !expand.isEmpty { items.append(("$expand", expand.map(\.text).joined(separator: ","))) }
        if !orderBy.isEmpty { items.append(("$orderby", orderBy.map(\.text).joined(separator: ","))) }
        if let top { items.append(("$top", "\(top)")) }
        if let skip { items.append(("$skip", "\(skip)")) }
        if count { items.append(("$count", "true")) }
        if let skipToken { items.append(("$skiptoken", skipToken)) }
        if let deltaToken { items.append(("$deltatoken", deltaToken)) }
        if let format { items.append(("$format", format)) }
        if let id { items.append(("$id", id)) }
        return items
    }
}

extension SelectItem {
    /// `Address/City`
    var text: String {
        switch self {
        case .all: "*"
        case .property(let path): path.map(\.name).joined(separator: "/")
        case .navigation(let navigation): navigation.name
        case .path(let steps, let options):
            steps.map(\.text).joined(separator: "/") + (options.map { "(\($0.text))" } ?? "")
        case .operation(let name): name
        }
    }
}

extension ExpandItem {
    /// `Items($filter=Quantity gt 5;$select=Name)`
    var text: String {
        let suffix =
            switch form {
            case .entities: ""
            case .references: "/$ref"
            case .count: "/$count"
            }
        let path = prefix.map { $0.text + "/" }.joined() + navigation.name + suffix
        let items = options.text
        return items.isEmpty ? path : path + "(\(items))"
    }
}

extension QueryOptions {
    /// The options as they stand in parentheses.
    var text: String { queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: ";") }
}

extension OperationCall {
    /// `Model.Top(count=3)`
    var text: String {
        let name = importName ?? "\(operation.name)"
        guard operation.kind == .function else { return name }
        return name + "(" + arguments.map { "\($0.name)=\($0.value.text)" }.joined(separator: ",") + ")"
    }
}

extension PropertyPath.Step {
    var text: String {
        switch self {
        case .navigation(let navigation, _, _): navigation.name
        case .property(let property): property.name
        case .cast(let type): "\(type.name)"
        case .key(let key): key.urlText
        case .filter(let expression): "$filter(\(expression.text))"
        case .annotation(let name): name
        }
    }
}

extension OrderItem {
    /// `Price desc`
    var text: String { expression.text + (isDescending ? " desc" : "") }
}
