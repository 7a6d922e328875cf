import ODataModel
import ODataQuery

/// Whole URLs, percent-encoded.
extension SyntaxWriter {
    /// What may stand in a segment of the path as it is.
    private static let unencodedInPath = Set("$'()*,;:@=!".utf8)
    /// What may stand in the value of a query option as it is; `+` may not.
    private static let unencodedInQuery = Set("$'()*,;:/@=!".utf8)

    /// The value of an option, or a part of one.
    static func encoded(_ text: String) -> String { percentEncoded(text, allowing: unencodedInQuery) }

    /// `http://host/service/Products(1)?$select=Name`
    func url(_ url: URLSyntax) -> String {
        var path =
            switch url.resource {
            case .serviceDocument: ""
            case .batch: "$batch"
            case .metadata(let context): "$metadata" + (context.map { "#" + text($0) } ?? "")
            case .entity(let cast): "$entity" + (cast.map { "/" + $0.text } ?? "")
            case .path(let segments): encoded(segments)
            }
        path = (url.serviceRoot ?? "") + path
        let query = query(url.options)
        guard !query.isEmpty else { return path }
        if case .metadata(.some) = url.resource, let hash = path.firstIndex(of: "#") {
            return path[..<hash] + "?" + query + path[hash...]
        }
        return path + "?" + query
    }

    func encoded(_ segments: [SegmentSyntax]) -> String {
        segments.map { segment in
            guard case .filter = segment.kind else {
                return percentEncoded(text(segment), allowing: Self.unencodedInPath)
            }
            // A slash of the condition needs no encoding; one within a key does.
            var filter = segment
            filter.parentheses = []
            return percentEncoded(text(filter), allowing: Self.unencodedInPath.union([UInt8(ascii: "/")]))
                + percentEncoded(keys(of: segment), allowing: Self.unencodedInPath)
        }.joined(separator: "/")
    }

    /// `$filter=Price%20gt%2020&$top=5`
    func query(_ options: OptionsSyntax) -> String {
        items(options).map { item in
            let name = percentEncoded(item.name, allowing: Set("$@!".utf8))
            return name + (item.value.map { "=" + Self.encoded($0) } ?? "")
        }.joined(separator: "&")
    }

    /// The fragment of a context URL without its sign.
    func text(_ context: ContextSyntax) -> String {
        var text = context.path.map { self.text($0) }.joined(separator: "/")
        if context.isCollection { text = "Collection(\(text))" }
        return text + (context.select.map { self.text($0) } ?? "") + (context.suffix.map { "/" + $0.text } ?? "")
    }

    func text(_ items: [ContextSelectSyntax]) -> String { "(" + items.map { text($0) }.joined(separator: ",") + ")" }

    func text(_ item: ContextSelectSyntax) -> String {
        text(item.path) + (item.isRecursive ? "+" : "") + (item.select.map { text($0) } ?? "")
    }
}
