import Foundation
import Testing

@testable import ODataQuery

/// The test cases of the OData ABNF, as far as they lie inside what is supported. What is not supported must say so.
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

    /// Where the parser alone is not what decides, or is more lenient on purpose.
    private static let exceptions: Set<String> = [
        // The binder refuses these: see RefusalTests.
        "$entity?$format=json", "Categories(1)/Products/$ref/$count", "Categories(1)/Address/$value",
        "Categories(1)/Thumbnail/$value", "Products/$count/foo", "any()", "$expand=Customer/$ref($select=Name)",
        "Products(1)/Model.BestSellingProduct/Model.BestSellingProduct", "$expand=Items/$count($count=true)",
        // White space around a value, an expression in a list, and what follows a token are let pass.
        "$filter= true", "$skiptoken=Not&this", "$search=#1",
        // The protocol forbids what the grammar allows.
        "$format=json&$Format=atom&$format=xml&$format=text/html",
        "$format=JSON&$format=Atom&$format=XML&$format=text/html",
        // Functions and keys as segments.
        "ProductsByCategoryId(categoryId=2)(2)", "Categories/Smartphone%2FTablet",
    ]

    private struct File: Decodable {
        var cases: [Case]

        enum CodingKeys: String, CodingKey {
            case cases = "TestCases"
        }
    }

    static let file: URL? = {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            folder.deleteLastPathComponent()
        }
        let file = folder.path + "/../shared/data/abnf/odata-abnf-cases.json"
        return FileManager.default.fileExists(atPath: file) ? URL(fileURLWithPath: file) : nil
    }()

    @Test(.enabled(if: file != nil, "the cases are not here"))
    func casesInsideTheSubsetAreReadAsTheGrammarSays() throws {
        guard let file = Self.file else { return }
        let cases = try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).cases
        var skipped = 0
        var run = 0
        for test in cases {
            guard !Self.exceptions.contains(test.input), let error = outcome(of: test), error?.code != .notImplemented
            else {
                skipped += 1
                continue
            }
            run += 1
            #expect((error != nil) == (test.failAt != nil), "\(test.rule): \(test.input) \(error as Any)")
        }
        print("\(run) of the grammar's cases were run, \(skipped) lie outside what is supported")
        #expect(run > 100)
    }

    /// Nil if the rule is not one of ours.
    private func outcome(of test: Case) -> QueryError?? {
        do throws(QueryError) {
            switch test.rule {
            case "commonExpr", "boolCommonExpr", "firstMemberExpr", "primitiveLiteral":
                let source = try QuerySource(url: "?" + test.input, limits: .default)
                var parser = SyntaxParser(source, range: 1..<source.text.count, limits: .default)
                _ = try parser.wholeExpression()
            case "filter", "orderby", "select", "expand", "queryOptions", "skiptoken", "customQueryOption":
                try options("?" + test.input)
            case "resourcePath", "odataRelativeUri":
                try options(test.input)
                let source = try QuerySource(url: test.input, limits: .default)
                _ = try SyntaxParser.resourcePath(source, limits: .default)
            default: return nil
            }
            return .some(nil)
        } catch {
            return error
        }
    }

    private func options(_ url: String) throws(QueryError) {
        _ = try SyntaxParser.queryOptions(QuerySource(url: url, limits: .default), limits: .default)
    }
}
