import ODataModel
import ODataQuery

/// Paths.
extension SyntaxWriter {
    func text(_ path: PathSyntax) -> String {
        let start: String? =
            switch path.start {
            case .relative: nil
            case .it: "$it"
            case .this: "$this"
            case .these: "$these"
            case .root: "$root"
            case .alias(let name): "@" + name.text
            }
        return ((start.map { [$0] } ?? []) + path.segments.map { text($0) }).joined(separator: "/")
    }

    func text(_ segment: SegmentSyntax) -> String {
        switch segment.kind {
        case .name: segment.name.text + keys(of: segment)
        case .text, .ref, .value, .each, .query, .all, .reference: segment.name.text
        case .annotation: "@" + segment.name.text
        case .count(let options): segment.name.text + (options.map { "(\(nested($0)))" } ?? "")
        case .crossjoin(let names): segment.name.text + "(" + names.map(\.text).joined(separator: ",") + ")"
        case .filter(let expression): segment.name.text + "(" + text(expression) + ")" + keys(of: segment)
        case .lambda(let operation, let variable?, let predicate?):
            "\(operation.rawValue)(\(variable.text):\(text(predicate)))"
        case .lambda(let operation, _, _): "\(operation.rawValue)()"
        case .aggregate(let item): "aggregate(" + text(item) + ")"
        }
    }

    /// What is in parentheses behind a segment.
    func keys(of segment: SegmentSyntax) -> String { segment.parentheses.map { text($0) }.joined() }

    func text(_ parentheses: ParenthesesSyntax) -> String {
        switch parentheses.content {
        case .empty: "()"
        case .single(let value): "(" + text(value) + ")"
        case .named(let arguments):
            "(" + arguments.map { $0.name.text + "=" + text($0.value) }.joined(separator: ",") + ")"
        }
    }

    func text(_ names: [NameSyntax]) -> String { names.map(\.text).joined(separator: "/") }
}
