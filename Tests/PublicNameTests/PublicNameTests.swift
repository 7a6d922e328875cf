import Foundation
import OData
import RegexBuilder
import Testing

/// What an app imports beside OData keeps its names.
@Suite struct PublicNameTests {
    private static func text(_ file: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }

    /// The names as the sources of ``PublicNames`` spell them: `(any ByteSource).self`, `ToOne<DynamicElement>.self`.
    private static func names() throws -> [String] {
        try ["PublicNames.swift", "PublicNames+Products.swift"].flatMap {
            try text($0).matches(of: /\b([A-Z]\w*)(?:<[\w, ]+>)?\)?\.self\b/).map { String($0.output.1) }
        }
    }

    @Test func noPublicTypeHasTheNameOfOneOfTheSystem() throws {
        let system = Set(
            try Self.text("SystemNames.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
                .flatMap { $0.split(separator: " ") }.map(String.init))
        #expect(system.count > 1000)
        #expect(try Self.names().filter(system.contains) == [])
    }

    @Test func publicTypesAreNotNamedByOneWord() throws {
        let names = try Self.names()
        #expect(names.count > 250)
        #expect(names.filter { $0.wholeMatch(of: /[A-Z][a-z]+/) != nil } == [])
    }

    @Test func namesOfTheSystemMeanItsTypes() throws {
        func sum(_ numbers: Span<Int>) -> Int { numbers.indices.reduce(0) { $0 + numbers[$1] } }
        #expect([1, 2, 3].withUnsafeBufferPointer { sum($0.span) } == 6)
        let isLong: Expression<String, Bool> = #Expression { $0.count > 3 }
        #expect(try isLong.evaluate("Chai!"))
        let note = Attachment([1, 2] as [UInt8], named: "note")
        #expect(note.preferredName == "note")
        let word = Reference<Substring>()
        let twice = Regex {
            Capture(as: word) { OneOrMore(.word) }
            " "
            word
        }
        #expect(try twice.wholeMatch(in: "Chai Chai")?[word] == "Chai")
    }
}
