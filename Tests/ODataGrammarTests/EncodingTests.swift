import Testing

@testable import ODataGrammar
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

    @Test(arguments: [
        ("$filter=Name+eq+'a+b'", "$filter=Name eq 'a b'"), ("$filter=Name+eq+'a%2Bb'", "$filter=Name eq 'a%2Bb'"),
        ("$filter=Name eq 'a+b'", "$filter=Name eq 'a%2Bb'"),
        ("$filter=A eq 1 and B eq '+'", "$filter=A eq 1 and B eq '%2B'"),
        ("$filter=A%20eq+'+'", "$filter=A eq ' '"), ("$filter=Name in+('a+b','c')", "$filter=Name in ('a b','c')"),
        ("$filter=Name in ('a+b','c')", "$filter=Name in ('a%2Bb','c')"),
        ("$filter=Name in ('a',+'b+c')", "$filter=Name in ('a','b c')"),
        ("$filter=contains(Name,+'a+b')", "$filter=contains(Name,'a b')"),
        ("$filter=contains(Name,'a+b')", "$filter=contains(Name,'a%2Bb')"),
        ("$filter=A in (1,+2) and B eq 'a+b'", "$filter=A in (1,2) and B eq 'a%2Bb'"),
        ("$filter=A eq 1e+5 and B eq 'a+b'", "$filter=A eq 1e%2B5 and B eq 'a%2Bb'"),
        (
            "$filter=A eq 2020-01-01T00:00:00+02:00 and B eq 'a+b'",
            "$filter=A eq 2020-01-01T00:00:00%2B02:00 and B eq 'a%2Bb'"
        ),
        (
            "$filter=A+eq+2020-01-01T00:00:00%2B02:00+and+B+eq+'a+b'",
            "$filter=A eq 2020-01-01T00:00:00%2B02:00 and B eq 'a b'"
        ),
        (
            "$filter=A+eq+2020-01-01T00:00:00+02:00+and+B+eq+'2020-01-01T00:00:00+02:00'",
            "$filter=A eq 2020-01-01T00:00:00%2B02:00 and B eq '2020-01-01T00:00:00 02:00'"
        ),
        ("$filter=A+gt+1e+5+and+B+eq+'1e+5'", "$filter=A gt 1e5 and B eq '1e 5'"),
        ("$filter=A eq @p&@p='a+b'", "$filter=A eq @p&@p='a%2Bb'"),
        ("$filter=A+eq+@p&@p='a+b'", "$filter=A eq @p&@p='a b'"),
        ("@p='a+b'&$filter=A+eq+@p", "$filter=A eq @p&@p='a b'"),
        ("$filter=A eq @p&@p=1+add+2", "$filter=A eq @p&@p=1 add 2"),
        ("$filter=A eq @p&@p={\"a\":\"b+c\"}", "$filter=A eq @p&@p={\"a\":\"b%2Bc\"}"),
        ("$filter=A eq @p&@p={\"a\":+\"b+c\"}", "$filter=A eq @p&@p={\"a\":\"b c\"}"),
        ("$orderby=Name+desc&$filter=A eq 'a+b'", "$orderby=Name desc&$filter=A eq 'a b'"),
        ("$orderby=Name,+Price", "$orderby=Name,Price"),
        ("$compute=A+as+B&x=a+b", "$compute=A as B&x=a b"),
        ("$filter=A eq 'b+c'&x=a+b", "$filter=A eq 'b%2Bc'&x=a%2Bb"),
        ("$expand=Items($filter=A+eq+'a+b')", "$expand=Items($filter=A eq 'a b')"),
        ("$expand=Items($filter=A eq 'a+b')", "$expand=Items($filter=A eq 'a%2Bb')"),
        ("$expand=Items($search=a+b)", "$expand=Items($search=a b)"),
        ("$apply=filter(A+eq+'a+b')/groupby((A))", "$apply=filter(A eq 'a b')/groupby((A))"),
        ("$skiptoken=a+b/c+%3D%3D", "$skiptoken=a%2Bb/c%2B%3D%3D"), ("$deltatoken=a+b", "$deltatoken=a%2Bb"),
        ("$skiptoken=a+b&$filter=A+eq+1", "$skiptoken=a b&$filter=A eq 1"),
        ("$format=application/atom+xml", "$format=application/atom%2Bxml"),
        ("$search=Mouse+NOT+Wireless", "$search=Mouse NOT Wireless"),
        ("$search=Mouse+OR+Keyboard", "$search=Mouse OR Keyboard"),
        ("$search=a+b", "$search=a b"), ("$search=a++b", "$search=a b"), ("$search=\"a+b\"", "$search=\"a%2Bb\""),
        ("$search=\"a+b\"+c", "$search=\"a b\" c"), ("$search=a+\"b+c\"", "$search=a \"b c\""),
        ("$search=(a)+b", "$search=a b"),
        ("$search=a%3Bb", "$search=\"a;b\""), ("$search=%3Bb c", "$search=\"%3Bb\" c"),
        ("$expand=Items($search=a%3Bb;$top=1)", "$expand=Items($search=\"a;b\";$top=1)"),
        ("$search=C%2B%2B", "$search=C%2B%2B"), ("$search=C++", "$search=C%2B%2B"),
        ("$search=C%2B%2B+Java", "$search=C%2B%2B Java"),
        ("$search=a+b&$filter=A eq 'c+d'", "$search=a b&$filter=A eq 'c d'"),
    ])
    func plusSignsAreBlanksWhereTheGrammarNeedsSome(query: String, meaning: String) throws {
        let reader = try #require(GrammarReader())
        #expect(
            reader.canonical(try reader.node("Products?" + query))
                == reader.canonical(try reader.node("Products?" + meaning)))
    }

    @Test(arguments: [
        ("Products/$filter(Name+eq+'a+b')", "Products/$filter(Name eq 'a b')"),
        ("Products/$filter(Name eq 'a+b')", "Products/$filter(Name eq 'a%2Bb')"),
        (
            "Products('a+b')/Items/$filter(Name+eq+'a+b')/$count",
            "Products('a%2Bb')/Items/$filter(Name eq 'a b')/$count"
        ),
        ("Products('a+b')?$filter=Name+eq+'a+b'", "Products('a%2Bb')?$filter=Name eq 'a b'"),
        (
            "Products/$filter(Name eq 'a+b')?$filter=Name+eq+'a+b'",
            "Products/$filter(Name eq 'a%2Bb')?$filter=Name eq 'a b'"
        ),
        ("Best(like='a+b',of='c')", "Best(like='a%2Bb',of='c')"),
        ("Best(like='a+b',+of='c')", "Best(like='a b',of='c')"),
        ("Products/a+b", "Products/a%2Bb"),
    ])
    func segmentsOfPathsAreFormEncodedOrNotByThemselves(url: String, meaning: String) throws {
        let reader = try #require(GrammarReader())
        #expect(reader.canonical(try reader.node(url)) == reader.canonical(try reader.node(meaning)))
    }

    @Test(arguments: [
        ("Products?$filter=A+eq+2020-01-01T00:00:00", 41, "Z or an offset"),
        ("Products?$filter=Name+eq+", 25, "an expression"),
        ("Products?$filter=Name eq 'a+b' nd A", 31, "the end of $filter"),
        ("Products?$filter=Name+eq+'a+b'+nd+A", 31, "the end of $filter"),
    ])
    func whatCannotBeReadEitherWaySaysWhereAndWhatToDo(url: String, position: Int, expected: String) throws {
        let reader = try #require(GrammarReader())
        let error = #expect(throws: QueryError.self) { try reader.node(url) }
        #expect(error?.position == position)
        #expect(error?.expected?.contains(expected) == true, "\(error as Any)")
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
        ("wait=1,wait=2", [Preference(name: "wait", value: "1"), Preference(name: "wait", value: "2")]),
        (
            "odata.callback; url=\"http://h/x\"",
            [Preference(name: "callback", parameters: [.init(name: "url", value: "http://h/x")])]
        ),
    ])
    func preferencesAreRead(header: String, preferences: [Preference]) throws {
        let reader = try #require(GrammarReader(rule: "header"))
        #expect(try reader.node("Prefer: " + header) == .header(.prefer(preferences)))
    }
}
