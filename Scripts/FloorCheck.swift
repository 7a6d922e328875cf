import Foundation

/// Compares the manifest (as JSON) with the table of floors in the design document.
@main
struct FloorCheck {
    private static let lineLimit = 500

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: FloorCheck <package.json> <Design.md>")
            exit(2)
        }
        let manifest = try JSONDecoder().decode(
            Manifest.self, from: Data(contentsOf: URL(fileURLWithPath: arguments[1])))
        let floors = try floors(inDocument: String(contentsOfFile: arguments[2], encoding: .utf8))
        let problems = check(manifest, floors) + longFiles()
        for problem in problems { print(problem) }
        if problems.isEmpty { print("\(floors.count) targets stand on their floors.") }
        exit(problems.isEmpty ? 0 : 1)
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
            problems.append("\(name) stands in the table of floors, but is no target.")
        }
        return problems
    }

    private static func longFiles() -> [String] {
        var problems: [String] = []
        for folder in ["Sources", "Tests", "Benchmarks", "Examples", "Fuzz", "Plugins", "Scripts"] {
            let files = FileManager.default.enumerator(atPath: folder)
            while let name = files?.nextObject() as? String {
                guard name.hasSuffix(".swift"), !name.hasPrefix(".build/"),
                    let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                else { continue }
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
                if lines > lineLimit { problems.append("\(folder)/\(name) has \(lines) lines.") }
            }
        }
        return problems
    }
}

private struct Manifest: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        var dependencies: [Dependency]
    }

    /// `{"byName": ["ODataModel", null]}`, `{"target": [...]}` or `{"product": [...]}`
    struct Dependency: Decodable {
        var targetName: String?

        private enum Kind: String, CodingKey {
            case byName
            case target
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            for kind in [Kind.byName, .target] where container.contains(kind) {
                var list = try container.nestedUnkeyedContainer(forKey: kind)
                targetName = try list.decode(String.self)
            }
        }
    }

    var targets: [Target]
}
