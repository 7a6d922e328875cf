import Foundation

/// Lines of code, without the white space at their starts.
struct CodeBlock: Hashable, CustomStringConvertible {
    var lines: [String]
    /// Where it stands.
    var place: String

    init(_ lines: some Sequence<Substring>, place: String) {
        self.lines = lines.map { $0.trimmingCharacters(in: .whitespaces) }
        self.place = place
    }

    var description: String { place }
    var isManifest: Bool { lines.first?.hasPrefix("// swift-tools-version") ?? false }

    /// Whether the lines of this block follow each other in the other one.
    func stands(in other: CodeBlock) -> Bool {
        guard !lines.isEmpty, lines.count <= other.lines.count else { return false }
        return (0...other.lines.count - lines.count).contains { start in
            other.lines[start..<start + lines.count].elementsEqual(lines)
        }
    }
}

/// The documents and the sources that their code is taken from.
enum Documents {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let program = "Tests/GettingStarted/main.swift"
    static let tutorial = "Sources/OData/OData.docc/GettingStarted.md"

    /// The README and the articles of the catalogue, relative to the root.
    static func documents() throws -> [String] {
        ["README.md"] + (try names(in: "Sources/OData/OData.docc").filter { $0.hasSuffix(".md") })
    }

    /// The sources with code for the documents.
    static func sources() throws -> [String] { [program] + (try names(in: "Tests/DocumentationTests/Snippets")) }

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
            .map { "\(folder)/\($0)" }
    }

    static func lines(of name: String) throws -> [Substring] {
        try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// What stands between fences that say `swift`.
    static func swiftBlocks(in document: String) throws -> [CodeBlock] {
        try blocks(of: document, from: { $0 == "```swift" }, to: { $0 == "```" })
    }

    /// What stands between `// snippet: name` and `// end`.
    static func snippets(in source: String) throws -> [CodeBlock] {
        try blocks(of: source, from: { $0.hasPrefix("// snippet: ") }, to: { $0 == "// end" })
    }

    private static func blocks(
        of name: String, from isStart: (String) -> Bool, to isEnd: (String) -> Bool
    ) throws -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (place: String, lines: [Substring])?
        for (number, line) in try lines(of: name).enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let block = open, isEnd(text) {
                blocks.append(CodeBlock(block.lines, place: block.place))
                open = nil
            } else if open != nil {
                open?.lines.append(line)
            } else if isStart(text) {
                open = ("\(name):\(number + 1)", [])
            }
        }
        return blocks
    }
}
