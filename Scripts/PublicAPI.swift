import Foundation

/// Writes the public declarations of the library products, a file for each module, from the symbol graphs that the
/// compiler extracts from a build; or compares them with what is written.
@main
struct PublicAPI {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            print("usage: PublicAPI modules <package.json> | PublicAPI <graphs> <folder> [--check]")
            exit(2)
        }
        guard arguments[1] != "modules" else {
            return print(try modules(inManifest: arguments[2]).joined(separator: "\n"))
        }
        let texts = try texts(ofGraphsIn: arguments[1])
        if arguments.dropFirst(3).contains("--check") { return try check(texts, against: arguments[2]) }
        try write(texts, to: arguments[2])
    }

    // MARK: Modules

    private struct Manifest: Decodable {
        struct Product: Decodable {
            var type: [String: [String]?]
            var targets: [String]
        }

        struct Target: Decodable {
            var name: String
            var type: String
            var dependencies: [[String: [Part?]]]
        }

        /// A name, or a condition of it.
        struct Part: Decodable {
            var name: String?

            init(from decoder: any Decoder) throws {
                name = try? decoder.singleValueContainer().decode(String.self)
            }
        }

        var products: [Product]
        var targets: [Target]
    }

    /// The modules of Swift that the library products have, by themselves or by what they import.
    private static func modules(inManifest path: String) throws -> [String] {
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        let targets = Dictionary(uniqueKeysWithValues: manifest.targets.map { ($0.name, $0) })
        var waiting = manifest.products.filter { $0.type["library"] != nil }.flatMap(\.targets)
        var found: Set<String> = []
        while let name = waiting.popLast() {
            guard let target = targets[name], target.type == "regular", found.insert(name).inserted else { continue }
            waiting += target.dependencies.flatMap { ($0["byName"] ?? $0["target"] ?? []).compactMap { $0?.name } }
        }
        return found.sorted()
    }

    // MARK: Symbols

    private struct Graph: Decodable {
        struct Module: Decodable {
            var name: String
        }

        struct Symbol: Decodable {
            struct Identifier: Decodable {
                var precise: String
            }

            struct Fragment: Decodable {
                var spelling: String
            }

            var identifier: Identifier
            var pathComponents: [String]
            var declarationFragments: [Fragment]?
        }

        struct Relationship: Decodable {
            var kind: String
            var source: String
            var target: String
            var targetFallback: String?
        }

        var module: Module
        var symbols: [Symbol]
        var relationships: [Relationship]
    }

    /// What every type has, unless it says that it has not.
    private static let usual: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

    private static func texts(ofGraphsIn folder: String) throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".symbols.json") }
        var lines: [String: Set<String>] = [:]
        for file in files {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
            let graph = try JSONDecoder().decode(Graph.self, from: data)
            lines[graph.module.name, default: []].formUnion(self.lines(of: graph))
        }
        return lines.filter { !$0.value.isEmpty }.mapValues { $0.sorted().joined(separator: "\n") + "\n" }
    }

    /// `EdmValue.lexical: var lexical: String { get }`, `EdmValue: conforms to Swift.Hashable`
    private static func lines(of graph: Graph) -> [String] {
        let paths = Dictionary(graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) })
        {
            first, _ in first
        }
        let declarations = graph.symbols.map { symbol in
            let text = (symbol.declarationFragments ?? []).map(\.spelling).joined()
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return "\(symbol.pathComponents.joined(separator: ".")): \(words)"
        }
        let conformances = graph.relationships.compactMap { relationship -> String? in
            guard relationship.kind == "conformsTo", let source = paths[relationship.source],
                let target = relationship.targetFallback ?? paths[relationship.target], !usual.contains(target)
            else { return nil }
            return "\(source): conforms to \(target)"
        }
        return declarations + conformances
    }

    // MARK: Files

    private static func write(_ texts: [String: String], to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in try written(in: folder) where texts[name] == nil {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name).txt")
        }
        for (name, text) in texts {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).txt"), options: .atomic)
        }
        print("\(texts.count) modules in \(folder).")
    }

    private static func written(in folder: String) throws -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }

    private static func check(_ texts: [String: String], against folder: String) throws {
        var changes = 0
        for name in Set(texts.keys).union(try written(in: folder)).sorted() {
            let before = Set(
                ((try? String(contentsOfFile: "\(folder)/\(name).txt", encoding: .utf8)) ?? "").split(separator: "\n"))
            let now = Set((texts[name] ?? "").split(separator: "\n"))
            let lines =
                before.subtracting(now).map { "- \(name) \($0)" } + now.subtracting(before).map { "+ \(name) \($0)" }
            for line in lines.sorted() { print(line) }
            changes += lines.count
        }
        guard changes == 0 else {
            print(
                """
                \(changes) public declarations are not as they are written in \(folder). A line that begins with - \
                breaks code that uses it. Scripts/public-api writes the new ones; say in CHANGELOG.md what changes for \
                users.
                """)
            exit(1)
        }
        print("\(texts.count) modules have the public declarations that are written.")
    }
}
