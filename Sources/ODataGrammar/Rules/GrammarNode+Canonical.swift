import ODataQuery

extension GrammarNode {
    /// The canonical text; percent-encoded for parts of a URL.
    func canonical(isEncoded: Bool) -> String {
        let writer = SyntaxWriter()
        switch self {
        case .url(let url): return writer.url(url)
        case .path(let segments), .propertyPath(let segments), .pathRest(let segments, _):
            return writer.encoded(segments)
        case .options(let options): return writer.query(options)
        default:
            let text = plainText(writer)
            return isEncoded ? SyntaxWriter.encoded(text) : text
        }
    }

    private func plainText(_ writer: SyntaxWriter) -> String {
        switch self {
        case .url, .path, .propertyPath, .pathRest, .options: ""
        case .expression(let expression): writer.text(expression)
        case .json(let expression): writer.json(expression)
        case .member(let path, _), .memberRest(let path, _): writer.text(path)
        case .segment(let segment), .call(let segment, _): writer.text(segment)
        case .operation(let word, let items, let isList):
            " \(word) " + (isList ? "(" : "") + items.map { writer.text($0) }.joined(separator: ",")
                + (isList ? ")" : "")
        case .search(let search): writer.text(search)
        case .searchOperation(let word, let expression):
            " \(word) " + writer.text(OptionsSyntax.Search.expression(expression))
        case .select(let items): items.map { writer.text($0) }.joined(separator: ",")
        case .expand(let items): items.map { writer.text($0) }.joined(separator: ",")
        case .orderBy(let items): writer.text(items)
        case .compute(let items): writer.text(items)
        case .apply(let steps): writer.text(steps)
        case .aggregate(let items): items.map { writer.text($0) }.joined(separator: ",")
        case .grouping(let item): writer.text(item)
        case .context(let context): "#" + writer.text(context)
        case .contextFragment(let context): writer.text(context)
        case .contextSelect(let items): writer.text(items)
        case .contextItem(let item): writer.text(item)
        case .header(let header): header.text
        case .preferences(let preferences): preferences.map(\.text).joined(separator: ",")
        case .parentheses(let parentheses), .key(let parentheses): writer.text(parentheses)
        case .keyPair(let pair): pair.name.text + "=" + writer.text(pair.value)
        case .arguments(let arguments):
            arguments.map { $0.name.text + "=" + writer.text($0.value) }.joined(separator: ",")
        case .type(let type): writer.text(type)
        case .name(let name, _, _): name.text
        case .names(let names, _): names.map(\.text).joined(separator: ",")
        case .enumeration(let type?, let members): "\(type)'\(members)'"
        case .enumeration(nil, let members): members
        case .text(let text): text
        }
    }
}

extension HeaderSyntax {
    /// `OData-Version: 4.01`
    var text: String {
        switch self {
        case .asyncResult(let code): "AsyncResult: \(code)"
        case .contentID(let id): "Content-ID: \(id)"
        case .isolation: "OData-Isolation: snapshot"
        case .entityID(let id): "OData-EntityId: \(id)"
        case .error(let text): "OData-Error: \(text)"
        case .maxVersion(let version): "OData-MaxVersion: \(version)"
        case .version(let version): "OData-Version: \(version)"
        case .prefer(let preferences): "Prefer: " + preferences.map(\.text).joined(separator: ",")
        }
    }
}

extension Preference {
    /// `odata.maxpagesize=20`; the prefix is left out, as 4.01 has it.
    package var text: String {
        let isToken = value.map { $0.utf8.allSatisfy { isUnreserved($0) } && !$0.isEmpty } ?? true
        let value = value.map { isToken && name != "include-annotations" ? "=\($0)" : "=" + Self.quoted($0) } ?? ""
        return name + value + parameters.map { ";" + $0.name + ($0.value.map { "=" + Self.quoted($0) } ?? "") }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
