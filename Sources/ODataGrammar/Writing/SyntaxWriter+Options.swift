import ODataModel
import ODataQuery

/// Query options.
extension SyntaxWriter {
    typealias Item = (name: String, value: String?)

    /// The options as they stand in a URL.
    func items(_ options: OptionsSyntax) -> [Item] {
        var items: [Item] = options.given.map { ($0.option.name, value(of: $0.option, options)) }
        items += options.aliases.map { ("@" + $0.name.text, text($0.value)) }
        return items + options.custom.map { ($0.name.text, $0.text) }
    }

    /// The options as they stand in parentheses.
    func nested(_ options: OptionsSyntax) -> String {
        items(options).map { $0.name + ($0.value.map { "=" + $0 } ?? "") }.joined(separator: ";")
    }

    private func value(of option: SystemOption, _ options: OptionsSyntax) -> String {
        switch option {
        case .filter: options.filter.map { text($0) } ?? ""
        case .select: (options.select ?? []).map { text($0) }.joined(separator: ",")
        case .expand: options.expand.map { text($0) }.joined(separator: ",")
        case .orderby: text(options.orderBy)
        case .apply: text(options.apply ?? [])
        case .compute: text(options.compute)
        case .search: options.search.map { text($0) } ?? ""
        case .count: options.count == true ? "true" : "false"
        case .levels: options.levels.map { text($0) } ?? ""
        default: plainValue(of: option, options) ?? ""
        }
    }

    private func plainValue(of option: SystemOption, _ options: OptionsSyntax) -> String? {
        switch option {
        case .top: options.top.map { "\($0)" }
        case .skip: options.skip.map { "\($0)" }
        case .index: options.index.map { "\($0)" }
        case .skiptoken: options.skipToken
        case .deltatoken: options.deltaToken
        case .format: options.format
        case .id: options.id
        default: options.schemaVersion
        }
    }

    private func text(_ levels: ExpandItem.Levels) -> String {
        switch levels {
        case .max: "max"
        case .number(let number): "\(number)"
        }
    }

    func text(_ items: [OptionsSyntax.OrderItem]) -> String {
        items.map { text($0.expression) + ($0.isDescending ? " desc" : "") }.joined(separator: ",")
    }

    func text(_ items: [ComputeSyntax]) -> String {
        items.map { text($0.expression) + " as " + $0.alias.text }.joined(separator: ",")
    }

    func text(_ item: SelectSyntax) -> String {
        let name =
            switch item.kind {
            case .all: "*"
            case .operations(let namespace): namespace.text + ".*"
            case .path(let path): text(path)
            }
        let parameters = item.parameters.map { "(" + $0.map(\.text).joined(separator: ",") + ")" } ?? ""
        return name + parameters + (item.options.map { "(\(nested($0)))" } ?? "")
    }

    func text(_ item: ExpandSyntax) -> String {
        guard item.kind != .value else { return "$value" }
        let names = item.path.map(\.text) + (item.kind == .all ? ["*"] : [])
        let suffix =
            switch item.form {
            case .entities: ""
            case .references: "/$ref"
            case .count: "/$count"
            }
        let options = nested(item.options)
        return names.joined(separator: "/") + suffix + (options.isEmpty ? "" : "(\(options))")
    }
}
