import Foundation

/// Looks in symbol graphs for public symbols without a documentation comment, and for public top-level names that the
/// tests of names (`Name.self`) do not have. In a folder with finished documentation, looks for members of large types
/// that are in no topic group.
@main
struct DocumentationCheck {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.count == 1, let folder = arguments.first, !folder.hasSuffix(".swift") {
            try checkGroups(in: folder)
        }
        let lists = arguments.filter { $0.hasSuffix(".swift") }
        guard !lists.isEmpty, arguments.count > lists.count else {
            print("usage: DocumentationCheck <list of public names>.swift … <module.symbols.json> …")
            print("       DocumentationCheck <folder of documentation>")
            exit(2)
        }
        let listed = try Set(lists.flatMap(names))
        var (symbols, problems) = (0, [String]())
        for path in arguments where !path.hasSuffix(".swift") {
            let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
            symbols += graph.symbols.count
            problems += graph.undocumented.map { "\($0) has no documentation comment." }
            problems += graph.topLevel.filter { !listed.contains($0.name) }.map {
                "\($0) is not in the lists of Tests/PublicNameTests."
            }
        }
        for line in problems.sorted() { print(line) }
        print("\(symbols) public symbols, \(problems.count) problems.")
        exit(problems.isEmpty ? 0 : 1)
    }

    /// Types that have topic groups, and all with more than 25 members, have every member in a group.
    private static func checkGroups(in folder: String) throws -> Never {
        let pages = URL(fileURLWithPath: folder).appendingPathComponent("data/documentation")
        let names = FileManager.default.enumerator(atPath: pages.path)?.compactMap { $0 as? String } ?? []
        var (types, problems) = (0, [String]())
        for name in names where name.hasSuffix(".json") {
            let page = try JSONDecoder().decode(Page.self, from: Data(contentsOf: pages.appendingPathComponent(name)))
            guard page.isType, page.isGrouped || page.members > 25 else { continue }
            types += 1
            problems += page.ungrouped.map { "\($0) is in no topic group: Sources/OData/OData.docc/Reference." }
        }
        for line in problems.sorted() { print(line) }
        print("\(types) types with topic groups, \(problems.count) problems.")
        exit(types > 0 && problems.isEmpty ? 0 : 1)
    }

    /// Those before `.self`: `(any ByteSource).self`, `ToOne<DynamicElement>.self`.
    private static func names(inFile path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).matches(of: /\b([A-Z]\w*)(?:<[\w, ]+>)?\)?\.self\b/)
            .map { String($0.output.1) }
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
            symbol.docComment == nil && symbol.isWritten && !inherited.contains(symbol.identifier.precise)
        }
    }

    /// Types, functions, operators, macros and typealiases that are found without naming another type.
    var topLevel: [Symbol] { symbols.filter { $0.pathComponents.count == 1 && $0.isWritten } }
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

    var name: String { pathComponents.joined(separator: ".") }

    /// Whether it is written in our sources, not made by the compiler.
    var isWritten: Bool { location != nil && !identifier.precise.contains("::SYNTHESIZED::") }

    var description: String {
        let file = location.map { "\($0.uri.replacing("file://", with: "")):\($0.position.line + 1): " } ?? ""
        return "\(file)\(name) (\(kind.name))"
    }
}

private struct Relationship: Decodable {
    struct Origin: Decodable {}

    var kind: String
    var source: String
    var sourceOrigin: Origin?
}

/// A page of the finished documentation, as far as it is looked at.
private struct Page: Decodable {
    struct Metadata: Decodable {
        var symbolKind: String?
    }

    struct Group: Decodable {
        var title: String?
        var identifiers: [String]
        /// Whether docc made it of what is in no other group.
        var generated: Bool?
    }

    var kind: String
    var metadata: Metadata
    var topicSections: [Group]?

    /// Modules have groups too, of what is looked for first.
    var isType: Bool { kind == "symbol" && metadata.symbolKind != nil && metadata.symbolKind != "module" }

    private var groups: [Group] { topicSections?.filter { $0.title != "Default Implementations" } ?? [] }

    var members: Int { groups.reduce(0) { $0 + $1.identifiers.count } }
    var isGrouped: Bool { groups.contains { $0.generated != true } }

    /// `OData/OfflineStore/open()`
    var ungrouped: [String] {
        groups.filter { $0.generated == true }.flatMap(\.identifiers).map {
            $0.replacing(/^doc:\/\/\w+\/documentation\//, with: "")
        }
    }
}
