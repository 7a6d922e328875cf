import ODataModel
import ODataQuery
import Testing

/// Aliases that get their values in parentheses. [OData-URL, section 5.3; OData-ABNF, `aliasAndValue`]
@Suite struct AliasTests {
    private let parser = SampleModel.parser

    private func code(_ url: String) -> QueryError.Code? {
        do throws(QueryError) {
            _ = try parser.query(url)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        ("Categories?$expand=Products($filter=Price gt @p;@p=15)", "Categories?$expand=Products($filter=Price gt 15)"),
        ("Categories?$expand=Products(@p=15;$filter=Price gt @p)", "Categories?$expand=Products($filter=Price gt 15)"),
        (
            "Categories?$expand=Products($filter=Price gt @p;@p=15)&$filter=Rank eq @p&@p=1",
            "Categories?$expand=Products($filter=Price gt 15)&$filter=Rank eq 1"
        ),
        (
            "Categories?$expand=Products($filter=Price gt @p and Stock lt @q;@p=@q add 1)&@q=7",
            "Categories?$expand=Products($filter=Price gt 7 add 1 and Stock lt 7)"
        ),
        (
            "Categories?$expand=Products($filter=Price gt @p;@q=2)&@p=@q&@q=1",
            "Categories?$expand=Products($filter=Price gt 1)"
        ),
        (
            "Categories?$expand=Products($filter=Price gt @p;@p=@q)&@q=@p&@p=3",
            "Categories?$expand=Products($filter=Price gt 3)"
        ),
        (
            "Categories?$expand=Products($expand=Items($filter=Quantity gt @p and ProductID lt @q;@p=2);@p=1;@q=9)",
            "Categories?$expand=Products($expand=Items($filter=Quantity gt 2 and ProductID lt 9))"
        ),
        (
            "Orders?$expand=Items($filter=Quantity gt @p;@p=1),Customer($expand=Orders($filter=ID gt @p))",
            "Orders?$expand=Items($filter=Quantity gt 1),Customer($expand=Orders($filter=ID gt null))"
        ),
        (
            "Categories?$expand=Products($orderby=Price mul @f;$compute=Price mul @f as Sum;@f=2)",
            "Categories?$expand=Products($orderby=Price mul 2;$compute=Price mul 2 as Sum)"
        ),
        (
            "Categories?$expand=Products/$count($filter=Price gt @p;@p=5)",
            "Categories?$expand=Products/$count($filter=Price gt 5)"
        ),
        (
            "Categories?$filter=Products/$count($filter=Price gt @p;@p=5) gt @p&@p=1",
            "Categories?$filter=Products/$count($filter=Price gt 5) gt 1"
        ),
        (
            "Categories?$expand=Products($filter=Items/any(i:i/Quantity gt @p);@p=5)",
            "Categories?$expand=Products($filter=Items/any(i:i/Quantity gt 5))"
        ),
        (
            "Categories?$expand=Products($filter=Category eq $root/Categories(@c);@c='a')",
            "Categories?$expand=Products($filter=Category eq $root/Categories('a'))"
        ),
        (
            "Categories?$expand=Products($filter=Name in @n;@n=[\"a\",\"b;)\"])",
            "Categories?$expand=Products($filter=Name in @n)&@n=[\"a\",\"b;)\"]"
        ),
        (
            "Customers?$select=Name,Addresses($filter=City eq @c;@c='Ulm')&@c='Bonn'",
            "Customers?$select=Name,Addresses($filter=City eq 'Ulm')"
        ),
        (
            "Products?$select=Tags($filter=startswith($this,@t);$top=1;@t='a')",
            "Products?$select=Tags($filter=startswith($this,'a');$top=1)"
        ),
    ])
    func valuesHoldInTheirParentheses(url: String, expected: String) throws {
        let query = try parser.query(url)
        #expect(try query == parser.query(expected))
        #expect(try parser.query(query.url) == query, "\(query.url)")
    }

    @Test(arguments: [
        "Categories?$expand=Products($filter=Price gt @p;@p=@p)&@p=1",
        "Categories?$expand=Products($filter=Price gt @p;@p=@q;@q=@p)",
        "Categories?$expand=Products($filter=Price gt @p;@p=1;@p=2)",
        "Customers?$select=Addresses($filter=City eq @c;@c='a';@c='b')",
    ])
    func circlesAndSecondValuesAreRefused(url: String) { #expect(code(url) == .syntax) }

    /// Each alias names the next one twice, or stands deep in its value.
    @Test func whatAliasesStandForHasLimits() {
        let doubled = (0..<40).map { "@a\($0)=@a\($0 + 1) add @a\($0 + 1)" }.joined(separator: "&")
        #expect(code("Products?$filter=Price gt @a0&@a40=1&" + doubled) == .limitExceeded)
        let minus = String(repeating: "-", count: 60)
        let deep = (0..<60).map { "@a\($0)=\(minus)@a\($0 + 1)" }.joined(separator: "&")
        #expect(code("Products?$filter=Price gt @a0&@a60=1&" + deep) == .limitExceeded)
        let names = (0..<40).map { "@a\($0)=@a\($0 + 1)" }.joined(separator: "&")
        #expect(code("Products?$filter=Price gt @a0&@a40=1&" + names) == nil)
    }
}
