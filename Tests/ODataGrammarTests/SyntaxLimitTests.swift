import Testing

@testable import ODataGrammar
@testable import ODataQuery

/// Text that is longer or deeper than anyone needs ends in an error that says so.
@Suite struct SyntaxLimitTests {
    private static func many(_ text: String, _ count: Int = 100_000) -> String { String(repeating: text, count: count) }

    /// Each nests one construct in itself.
    private static let deep: [String] = [
        "?$filter=" + many("("), "?$filter=" + many("-"), "?$filter=" + many("not "), "?$filter=" + many("["),
        "?$filter=" + many("{\"a\":"), "?$filter=" + many("length("), "?$filter=" + many("case(true:"),
        "?$filter=" + many("cast("), "?$filter=" + many("isof("), "?$filter=" + many("isdefined("),
        "?$filter=" + many("Items/any(i:"), "?$filter=" + many("Items/$count($filter="),
        "?$filter=" + many("Items/$filter("), "?$filter=" + many("Model.F(a="), "?$filter=" + many("a/aggregate("),
        "?$filter=a eq " + many("1 in ("), "?$filter=" + many("a/") + "b", "?$filter=a" + many(" add 1"),
        "?$expand=" + many("a($expand="), "?$select=" + many("a($select="), "?$search=" + many("("),
        "?$search=" + many("NOT ") + "a", "?$apply=" + many("concat("), "?$apply=" + many("groupby((a),"),
        "?$apply=" + many("nest("), "?$apply=" + many("filter(true)/"), "?$apply=" + many("ancestors($root/a,b,c,"),
        "?$apply=groupby((rolluprecursive($root/a,b,c," + many("descendants($root/a,b,c,"), "/$filter(" + many("("),
        "/$filter(" + many("a/$filter("), many("/a"), "?$expand=" + many("a/"), "?$orderby=" + many("("),
        "?$compute=" + many("("), "?@a=" + many("["), "?$filter=geography'SRID=0;" + many("GeometryCollection("),
    ]

    @Test(arguments: deep.indices)
    func deepTextPassesALimit(index: Int) {
        #expect(code("Products" + Self.deep[index], QueryLimits(length: .max)) == .limitExceeded)
    }

    @Test func longTextPassesALimit() {
        #expect(code("Products?$filter=" + Self.many("a eq 1 or ", 1_000_000) + "true", .default) == .limitExceeded)
        let terms = "Products?$filter=" + Self.many("a eq 1 or ", 60_000) + "true"
        #expect(code(terms, QueryLimits(length: .max)) == .limitExceeded)
        for text in [
            "$select=" + Self.many("a,"), "$orderby=" + Self.many("a,"), Self.many("a=1&"),
            "$filter=a in (" + Self.many("1,"),
        ] {
            #expect(code("Products?" + text, QueryLimits(length: .max)) == .limitExceeded)
        }
    }

    @Test func expandsNestOnlySoDeep() {
        let thousand = "Products?$expand=" + Self.many("a($expand=", 1_000) + "a" + Self.many(")", 1_000)
        #expect(code(thousand, .default) == .limitExceeded)
        let ten = "Products?$expand=" + Self.many("a($expand=", 10) + "a" + Self.many(")", 10)
        #expect(code(ten, .default) == nil)
    }

    @Test func contextsAndHeadersPassLimits() throws {
        let context = try #require(GrammarReader(rule: "context"))
        let error = #expect(throws: QueryError.self) { try context.node("#a" + Self.many("(a", 10_000)) }
        #expect(error?.code == .limitExceeded)
        let header = try #require(GrammarReader(rule: "header"))
        let list = #expect(throws: QueryError.self) {
            try header.node("Prefer: " + Self.many("a,") + "b")
        }
        #expect(list?.code == .limitExceeded)
    }

    private func code(_ url: String, _ limits: QueryLimits) -> QueryError.Code? {
        do throws(QueryError) {
            let source = try QuerySource(url: url, limits: limits)
            _ = try SyntaxParser.relativeURL(source, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }
}
