import Foundation
import TestSupport
import Testing

@testable import ODataGrammar
@testable import ODataQuery

/// The test cases of the OASIS grammars, each read as its rule with the names that its file lists.
@Suite struct GrammarCaseTests {
    struct Case: Decodable {
        var name: String
        var rule: String
        var input: String
        var failAt: Int?

        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case rule = "Rule"
            case input = "Input"
            case failAt = "FailAt"
        }
    }

    private struct File: Decodable {
        var constraints: [String: [String]]
        var cases: [Case]

        enum CodingKeys: String, CodingKey {
            case constraints = "Constraints"
            case cases = "TestCases"
        }
    }

    static let folder = TestData.url("abnf")

    @Test(
        .enabled(if: folder != nil, Comment(rawValue: TestData.absence)),
        arguments: ["odata-abnf-cases.json", "odata-aggregation-cases.json"])
    func casesAreReadAsTheGrammarSays(name: String) throws {
        let folder = try #require(Self.folder)
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
        let names = NameConstraints(file.constraints)
        for test in file.cases {
            let reader = try #require(GrammarReader(rule: test.rule, names: names, isStrict: true), "\(test.rule)")
            let outcome = Result { () throws(QueryError) in try reader.node(test.input) }
            switch outcome {
            case .success(let node):
                #expect(test.failAt == nil, "\(test.rule): \(test.input) — \(test.name)")
                try checkPrint(of: node, test, names)
            case .failure(let error):
                #expect(test.failAt != nil, "\(test.rule): \(test.input) — \(test.name): \(error)")
            }
        }
        print("\(name): \(file.cases.count) cases of the grammar were run")
    }

    /// Reading the canonical text gives an equal tree.
    private func checkPrint(of node: GrammarNode, _ test: Case, _ names: NameConstraints) throws {
        let rule = try #require(GrammarRule.named(test.rule))
        let reader = try #require(GrammarReader(rule: test.rule, names: names, isStrict: true))
        let text = node.canonical(isEncoded: rule.isEncoded)
        do {
            #expect(try reader.node(text) == node, "\(test.rule): \(test.input) → \(text)")
        } catch {
            Issue.record("\(test.rule): \(test.input) → \(text): \(error)")
        }
    }
}
