import Foundation
import Testing

@Suite("The code in the README and the articles")
struct CodeBlockTests {
    @Test("All of it stands in sources that are compiled", arguments: try Documents.documents())
    func compiled(_ document: String) throws {
        let snippets = try Documents.sources().flatMap(Documents.snippets)
        let manifests = try Documents.swiftBlocks(in: Documents.tutorial).filter(\.isManifest)
        for block in try Documents.swiftBlocks(in: document) where !block.isManifest {
            #expect((snippets + manifests).contains(where: block.stands), "\(block)")
        }
    }

    @Test("What is compiled for the documents stands in one", arguments: try Documents.sources())
    func shown(_ source: String) throws {
        let blocks = try Documents.documents().flatMap(Documents.swiftBlocks)
        for snippet in try Documents.snippets(in: source) {
            #expect(blocks.contains { $0.stands(in: snippet) }, "\(snippet)")
        }
    }

    @Test("The tutorial shows the whole program that its test runs, piece by piece")
    func tutorial() throws {
        let others = try Documents.snippets(in: "Tests/DocumentationTests/Snippets/TutorialSnippets.swift")
        let shown = try Documents.swiftBlocks(in: Documents.tutorial).filter { block in
            !block.isManifest && !others.contains(where: block.stands)
        }
        let pieces = try Documents.snippets(in: Documents.program)
        #expect(shown.map(\.lines) == pieces.map(\.lines))
        let code = try CodeBlock(Documents.lines(of: Documents.program), place: Documents.program).lines
        let isCode = { (line: String) in !line.isEmpty && !line.hasPrefix("//") }
        #expect(code.filter(isCode) == pieces.flatMap(\.lines).filter(isCode))
    }
}
