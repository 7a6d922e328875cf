import ODataModel
import ODataQuery

extension GrammarReader {
    /// What is to be said about one line of input, as one line of JSON:
    /// `{"accepted":true,"canonical":"…","tree":…}` or `{"accepted":false,"position":3,"found":"…","expected":"…"}`
    ///
    /// - Parameter line: the text, or a JSON string that holds it. Where the rule itself is of text in double quotes, a
    ///   line without escapes is the text if its content is not.
    package func result(line: String) -> String { result(text(ofLine: line)) }

    /// The text that a line of input has.
    package func text(ofLine line: String) -> String {
        guard let text = Self.decoded(line) else { return line }
        if !line.utf8.contains(UInt8(ascii: "\\")), (try? node(text)) == nil, (try? node(line))?.isQuoted == true {
            return line
        }
        return text
    }

    private func result(_ text: String) -> String {
        let members: [(name: String, value: SyntaxDescription)]
        do throws(QueryError) {
            let reading = try read(text)
            let canonical = SyntaxDescription.string(reading.canonical).json
            return "{\"accepted\":true,\"canonical\":\(canonical),\"tree\":\(reading.tree)}"
        } catch {
            members = [
                ("accepted", .boolean(false)), ("position", .number(error.position ?? 0)),
                ("found", .string(error.found ?? error.message)),
                ("expected", .string(error.expected ?? error.message)),
            ]
        }
        return SyntaxDescription.object(members).json
    }

    /// The content of a JSON string; nil if `line` is not one.
    private static func decoded(_ line: String) -> String? {
        guard line.utf8.first == UInt8(ascii: "\""), line.utf8.count > 1,
            let source = try? QuerySource(text: line, limits: QueryLimits(length: .max))
        else { return nil }
        var parser = SyntaxParser(source, limits: .default)
        guard let text = try? parser.stringInUrl(), parser.isAtEnd else { return nil }
        return text
    }
}

extension GrammarNode {
    /// `"abc"`: a string of JSON on its own.
    fileprivate var isQuoted: Bool {
        guard case .json(let expression) = self, case .literal(.string) = expression.kind else { return false }
        return true
    }
}
