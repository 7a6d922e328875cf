import Foundation

/// Looks for public symbols without a documentation comment in symbol graphs.
@main
struct DocumentationCheck {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard !arguments.isEmpty else {
            print("usage: DocumentationCheck <module.symbols.json> …")
            exit(2)
        }
        var (symbols, missing) = (0, [String]())
        for path in arguments {
            let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
            symbols += graph.symbols.count
            missing += graph.undocumented.map(\.description)
        }
        for line in missing.sorted() { print(line) }
        print("\(symbols) public symbols, \(missing.count) without a documentation comment.")
        exit(missing.isEmpty ? 0 : 1)
    }
}

/// What a symbol graph says of a module, as far as it is looked at.
private struct SymbolGraph: Decodable {
    var symbols: [Symbol]
    var relationships: [Relationship]

    /// Those that are written in our sources. What implements or overrides something that is documented elsewhere, and
    /// what the compiler makes, needs no comment.
    var undocumented: [Symbol] {
        let inherited = Set(relationships.filter { $0.sourceOrigin != nil || $0.kind == "overrides" }.map(\.source))
        return symbols.filter { symbol in
            symbol.docComment == nil && symbol.location != nil && !inherited.contains(symbol.identifier.precise)
                && !symbol.identifier.precise.contains("::SYNTHESIZED::")
        }
    }
}

private struct Symbol: Decodable, CustomStringConvertible {
    struct Kind: Decodable {
        /// `swift.type.method`
        var identifier: String

        var name: String { String(identifier.dropFirst("swift.".count)) }
    }

    struct Identifier: Decodable {
        var precise: String
    }

    struct Comment: Decodable {}

    struct Location: Decodable {
        struct Position: Decodable {
            /// From 0.
            var line: Int
        }

        var uri: String
        var position: Position
    }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var docComment: Comment?
    var location: Location?

    var description: String {
        let file = location.map { "\($0.uri.replacing("file://", with: "")):\($0.position.line + 1): " } ?? ""
        return "\(file)\(pathComponents.joined(separator: ".")) (\(kind.name)) has no documentation comment."
    }
}

private struct Relationship: Decodable {
    struct Origin: Decodable {}

    var kind: String
    var source: String
    var sourceOrigin: Origin?
}
