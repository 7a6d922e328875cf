import Foundation

/// Compares the manifest (as JSON) with the table of floors in the design document, and looks for packages that libraries
/// must not bring to an app, for long files, and for type names that are declared twice.
@main
struct FloorCheck {
    private static let lineLimit = 500
    /// Packages of networking, and the only libraries that may bring them.
    private static let networking: Set = [
        "async-http-client", "hummingbird", "swift-nio", "swift-nio-extras", "swift-nio-http2", "swift-nio-ssl",
        "swift-nio-transport-services",
    ]
    private static let networkingLibraries: Set = ["AsyncHTTPTransport", "ODataServer"]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            print("usage: FloorCheck <package.json> <dependencies.json> <Design.md>")
            exit(2)
        }
        let manifest = try read(Manifest.self, arguments[1])
        let packages = try read(PackageTree.self, arguments[2])
        let floors = try floors(inDocument: String(contentsOfFile: arguments[3], encoding: .utf8))
        let problems = check(manifest, floors) + networking(manifest, packages) + longFiles() + duplicateTypes()
        for problem in problems { print(problem) }
        if problems.isEmpty { print("\(floors.count) targets import only lower floors.") }
        exit(problems.isEmpty ? 0 : 1)
    }

    private static func read<Content: Decodable>(_: Content.Type, _ path: String) throws -> Content {
        try JSONDecoder().decode(Content.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Rows such as `| 2 | \`ODataSQL\` | … |`.
    private static func floors(inDocument text: String) -> [String: Int] {
        var floors: [String: Int] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2, let floor = Int(cells[0]) else { continue }
            floors[cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))] = floor
        }
        return floors
    }

    private static func check(_ manifest: Manifest, _ floors: [String: Int]) -> [String] {
        var problems: [String] = []
        let targets = manifest.targets.filter { ["regular", "executable", "system"].contains($0.type) }
        for target in targets {
            guard let floor = floors[target.name] else {
                problems.append("\(target.name) is not in the table of floors.")
                continue
            }
            for name in target.dependencies.compactMap(\.targetName) {
                guard let below = floors[name], below >= floor else { continue }
                problems.append("\(target.name) (floor \(floor)) imports \(name) (floor \(below)).")
            }
        }
        for name in floors.keys.sorted() where !targets.contains(where: { $0.name == name }) {
            problems.append("\(name) is in the table of floors, but is not a target.")
        }
        return problems
    }

    /// What the targets of a library depend on, and the packages of these products with all that those depend on.
    private static func networking(_ manifest: Manifest, _ packages: PackageTree) -> [String] {
        let targets = Dictionary(uniqueKeysWithValues: manifest.targets.map { ($0.name, $0) })
        var problems: [String] = []
        for library in manifest.products where library.isLibrary && !networkingLibraries.contains(library.name) {
            var (open, seen, used) = (library.targets, Set<String>(), Set<String>())
            while let name = open.popLast() {
                guard seen.insert(name).inserted, let target = targets[name] else { continue }
                open += target.dependencies.compactMap(\.targetName)
                used.formUnion(target.dependencies.compactMap(\.packageName))
            }
            let brought = packages.dependencies.filter { used.contains($0.identity) }.flatMap(\.all)
            for package in Set(brought).intersection(networking).sorted() {
                problems.append("The library \(library.name) depends on the package \(package).")
            }
        }
        return problems
    }

    private static func longFiles() -> [String] {
        let folders = ["Sources", "Tests", "Benchmarks", "Examples", "Fuzz", "Plugins", "Scripts"]
        return folders.flatMap(swiftFiles).compactMap { path, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
            return lines > lineLimit ? "\(path) has \(lines) lines." : nil
        }
    }

    /// The types at the top level of a file of `Sources` whose name is declared twice, in one target or in several.
    private static func duplicateTypes() -> [String] {
        let declaration =
            /^(?:@\S+\s+)*(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated)\s+)*(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)/
            .anchorsMatchLineEndings()
        var paths: [Substring: [String]] = [:]
        for (path, text) in swiftFiles(in: "Sources") {
            for match in text.matches(of: declaration) { paths[match.output.1, default: []].append(path) }
        }
        return paths.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { name, paths in
            "The type \(name) is declared in \(paths.sorted().joined(separator: " and "))."
        }
    }

    private static func swiftFiles(in folder: String) -> [(path: String, text: String)] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build/") }.compactMap { name in
            let path = "\(folder)/\(name)"
            return (try? String(contentsOfFile: path, encoding: .utf8)).map { (path, $0) }
        }
    }
}

private struct Manifest: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        var dependencies: [Dependency]
    }

    struct Product: Decodable {
        var name: String
        var targets: [String]
        /// `{"library": ["automatic"]}`
        var type: [String: [String]?]

        var isLibrary: Bool { type.keys.contains("library") }
    }

    /// `{"byName": ["ODataModel", null]}`, `{"target": [...]}` or `{"product": ["Crypto", "swift-crypto", null, null]}`
    struct Dependency: Decodable {
        var targetName: String?
        /// As packages are identified, in small letters.
        var packageName: String?

        private enum Kind: String, CodingKey {
            case byName
            case target
            case product
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            for kind in [Kind.byName, .target] where container.contains(kind) {
                var list = try container.nestedUnkeyedContainer(forKey: kind)
                targetName = try list.decode(String.self)
            }
            guard container.contains(.product) else { return }
            var list = try container.nestedUnkeyedContainer(forKey: .product)
            _ = try list.decode(String.self)
            packageName = try list.decode(String.self).lowercased()
        }
    }

    var products: [Product]
    var targets: [Target]
}

/// What `swift package show-dependencies` gives: each package with those it depends on.
private struct PackageTree: Decodable {
    var identity: String
    var dependencies: [PackageTree]

    var all: [String] { [identity] + dependencies.flatMap(\.all) }
}
