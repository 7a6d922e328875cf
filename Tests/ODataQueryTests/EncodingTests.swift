import Testing

@testable import ODataQuery

/// Percent-encoding as real clients do it.
@Suite struct EncodingTests {
    @Test(arguments: [
        ("Products%28%27O%27%27Neil%27%29", "Products('O''Neil')"),
        ("Products?%24filter=Name%20eq%20%27a%27", "Products?$filter=Name%20eq%20'a'"),
        ("Products('a%2Fb')/Name", "Products('a%2Fb')/Name"), ("Products('a%20b')", "Products('a%20b')"),
        ("Products('a/b')/Name", "Products('a%2Fb')/Name"), ("Products(%27a/b%27)/Name", "Products('a%2Fb')/Name"),
        ("Products('O''/''b')(2)/Name?$filter=a", "Products('O''%2F''b')(2)/Name?$filter=a"),
        ("Products/Best(like='a//b',of='c/d')/Name", "Products/Best(like='a%2F%2Fb',of='c%2Fd')/Name"),
        ("Products/a b('x/Name", "Products/a%20b('x/Name"),
        ("Products?$filter=Name+eq+'a'", "Products?$filter=Name%20eq%20'a'"),
        ("Products(%2B1)", "Products(1)"), ("Products?$filter=A eq %2B9", "Products?$filter=A%20eq%209"),
        ("Products?$filter=A eq 2024-01-02T03:04%2B02:00", "Products?$filter=A%20eq%202024-01-02T03:04:00%2B02:00"),
        ("Products?$filter=Name eq 'a+b'", "Products?$filter=Name%20eq%20'a%2Bb'"),
        ("Products?$filter=A eq 2024-01-02T03:04:05+02:00", "Products?$filter=A%20eq%202024-01-02T03:04:05%2B02:00"),
        ("Products?$filter=Name eq 'a%26b%23c%3Fd'", "Products?$filter=Name%20eq%20'a%26b%23c%3Fd'"),
        ("Products?$orderby=Name%2CPrice%20desc", "Products?$orderby=Name,Price%20desc"),
        ("Products?$filter=Items%2Fany%28i%3Ai%2FA%20gt%201%29", "Products?$filter=Items/any(i:i/A%20gt%201)"),
        ("Products?%40p=1&$filter=A eq %40p", "Products?$filter=A%20eq%20@p&@p=1"),
        ("Products?$expand=Items(%24top%3D1%3B%24skip%3D2)", "Products?$expand=Items($top=1;$skip=2)"),
        ("Produkte?$filter=Gr%C3%B6%C3%9Fe eq 1", "Produkte?$filter=Gr%C3%B6%C3%9Fe%20eq%201"),
        ("http://host/service/Products?$top=1", "http://host/service/Products?$top=1"),
        ("Products?FILTER=true&Top=1&debug=a+b", "Products?$filter=true&$top=1&debug=a%2Bb"),
        ("Products/$filter(Category/Name eq 'a/b')/$count", "Products/$filter(Category/Name%20eq%20'a/b')/$count"),
        (
            "Products/%24filter(Category/Name%20eq%20'a/b')/$count",
            "Products/$filter(Category/Name%20eq%20'a/b')/$count"
        ),
    ])
    func urlsAreReadAndWrittenEncoded(url: String, canonical: String) throws {
        let reader = try #require(GrammarReader())
        let node = try reader.node(url)
        #expect(reader.canonical(node) == canonical)
        #expect(try reader.node(canonical) == node)
    }

    @Test(arguments: [("Products?$filter=A%2Beq%2B9", 18), ("Products?$filter=not%2BA", 20)])
    func encodedPlusSignsAreNoSpaces(url: String, position: Int) throws {
        let reader = try #require(GrammarReader())
        let error = #expect(throws: QueryError.self) { try reader.node(url) }
        #expect(error?.position == position)
    }

    @Test(arguments: [
        ("Products?$top=1&$top=1", 16), ("Products?@A=1&@A=2", 15), ("Products?$expand=Items($top=1;$top=1)", 30),
        ("Products?$levels=1", 9),
    ])
    func optionsStandOnceAndInTheirPlace(url: String, position: Int) throws {
        let reader = try #require(GrammarReader())
        let error = #expect(throws: QueryError.self) { try reader.node(url) }
        #expect(error?.position == position)
    }

    @Test func theGrammarWantsSlashesInKeysEncoded() throws {
        let reader = try #require(GrammarReader(isStrict: true))
        #expect(throws: QueryError.self) { try reader.node("Products('a/b')") }
    }

    @Test(arguments: [
        ("return=minimal", [Preference(name: "return", value: "minimal")]),
        (
            "odata.maxpagesize=5, Respond-Async",
            [Preference(name: "maxpagesize", value: "5"), Preference(name: "respond-async")]
        ),
        ("foo; bar=\"a\\\"b\"", [Preference(name: "foo", parameters: [.init(name: "bar", value: "a\"b")])]),
        ("wait=1,wait=2", [Preference(name: "wait", value: "1")]),
        (
            "odata.callback; url=\"http://h/x\"",
            [Preference(name: "callback", parameters: [.init(name: "url", value: "http://h/x")])]
        ),
    ])
    func preferencesAreRead(header: String, preferences: [Preference]) throws {
        #expect(try Preference.list(header) == preferences)
    }
}
