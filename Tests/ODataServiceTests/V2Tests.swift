import Testing

@Suite("V2 over HTTP")
struct V2Tests {
    private static let json = "\nAccept: application/json"
    private static let body = "\nContent-Type: application/json\nAccept: application/json\n\n"

    @Test(
        "reads come in verbose JSON",
        arguments: [
            ("GET v2/", #"{"d":{"EntitySets":["Categories","Products","Order_Details","Photos"]}}"#),
            ("GET v2/Products(1)/Name", #"{"d":{"Name":"Tea"}}"#),
            ("GET v2/Products?$filter=substringof('ea',Name)&$select=Name", #""Name":"Tea""#),
            ("GET v2/Products?$filter=replace(Name,'Te','Se') eq 'Sea'&$select=Name", #""Name":"Tea""#),
            ("GET v2/Products?$inlinecount=allpages&$top=1", #""__count":"4""#),
            ("GET v2/Products(1)?$expand=Category", #""Category":{"__metadata":"#),
            ("GET v2/Products(1)/$links/Category", #""uri":"http://service.test/v2/Categories(1L)""#),
            ("GET v2/Categories(1)/$links/Products", #""uri":"http://service.test/v2/Products(2L)""#),
            ("GET v2/Photos(1)", #""edit_media":"http://service.test/v2/Photos(1L)/$value""#),
            ("GET v2/Double?number=21", #""Double":42"#),
        ])
    func json(request: String, part: String) async throws {
        let response = try await PublishedFile().responseText(
            request + Self.json, showing: ["DataServiceVersion", "OData-Version"])
        #expect(response.hasPrefix("200\nDataServiceVersion: 2.0\nOData-Version: -\n\n{\"d\":"), "\(response)")
        #expect(response.contains(part), "\(response)")
    }

    @Test("reads come in Atom unless JSON is asked for, by header or by $format")
    func atom() async throws {
        let file = try PublishedFile()
        let feed = try await file.responseText("GET v2/Products", showing: ["Content-Type"])
        #expect(feed.hasPrefix("200\nContent-Type: application/atom+xml;type=feed"), "\(feed)")
        #expect(feed.contains("<d:Name>Tea</d:Name>"))
        #expect(try await file.responseText("GET v2/Products(1)?$format=json").hasPrefix("200\n\n{\"d\":"))
        #expect(
            try await file.responseText("GET Products(1)\nMaxDataServiceVersion: 2.0\nAccept: application/json")
                .hasPrefix("200\n\n{\"d\":"))
        #expect(try await file.responseText("GET v2/$metadata").contains("<FunctionImport Name=\"Double\""))
        #expect(try await file.responseText("GET v2/Products/$count") == "200\n\n4")
        #expect(try await file.responseText("GET v2/Products(1)/Name/$value") == "200\n\nTea")
        #expect(try await file.responseText("GET v2/Photos(1)/$value") == "200\n\n0123456789")
    }

    @Test(
        "pages are followed by links that V2 understands",
        arguments: [("substringof", "substringof('e',Name) or ID gt 0"), ("replace", "replace(Name,'e','i') ne 'Tea'")])
    func pages(function: String, filter: String) async throws {
        let file = try PublishedFile(pageSize: 3)
        let page = try await file.text.responseText("GET v2/Products?$filter=\(filter)\(Self.json)")
        let next = try #require(page.firstMatch(of: #/"__next":"http://service.test/([^"]*)"/#)?.1, "\(page)")
        #expect(next.contains(function), "\(next)")
        let rest = try await file.text.responseText("GET \(next)\(Self.json)")
        #expect(rest.contains(#""Name":"Air""#), "\(rest)")
    }

    @Test("changes are those of V2")
    func changes() async throws {
        let file = try PublishedFile()
        let created = try await file.responseText(
            "POST v2/Products\(Self.body){\"Name\":\"Milk\",\"Price\":\"1.20\"}", showing: ["Location"])
        #expect(created.hasPrefix("201\nLocation: http://service.test/v2/Products(5L)\n\n{\"d\":"), "\(created)")
        #expect(try await file.responseText("MERGE v2/Products(5)\(Self.body){\"Stock\":7}") == "204")
        #expect(try await file.responseText("GET Products(5)/Price/$value").hasPrefix("200\n\n1.2"))
        let tunnelled = "POST v2/Products(5)\nX-HTTP-Method: MERGE\(Self.body){\"Stock\":8}"
        #expect(try await file.responseText(tunnelled) == "204")
        #expect(try await file.responseText("GET Products(5)/Stock/$value") == "200\n\n8")
        let put = try await file.responseText("PUT v2/Products(5)/Name\(Self.body){\"Name\":\"Cream\"}")
        #expect(put == "204", "\(put)")
        #expect(
            try await file.responseText("PUT v2/Products(5)/$links/Category\(Self.body){\"uri\":\"Categories(2)\"}")
                == "204")
        #expect(try await file.responseText("GET Products(5)/CategoryID/$value") == "200\n\n2")
        #expect(try await file.responseText("DELETE v2/Products(5)/$links/Category") == "204")
        #expect(try await file.responseText("POST v2/Products(5)\nX-HTTP-Method: DELETE") == "204")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
        let media = try await file.responseText(
            "POST v2/Photos\nContent-Type: image/png\nSlug: Three\nAccept: application/json\n\nabc",
            showing: ["Location"])
        #expect(media.hasPrefix("201\nLocation: http://service.test/v2/Photos(3L)\n"), "\(media)")
        #expect(try await file.responseText("GET v2/Photos(3)/$value") == "200\n\nabc")
    }

    @Test("batches are accepted, and have change sets")
    func batch() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            """
            POST v2/$batch
            Content-Type: multipart/mixed;boundary=b1
            DataServiceVersion: 2.0

            --b1\r
            Content-Type: multipart/mixed;boundary=c1\r
            \r
            --c1\r
            Content-Type: application/http\r
            Content-ID: 1\r
            \r
            POST Categories HTTP/1.1\r
            Content-Type: application/json\r
            Accept: application/json\r
            \r
            {"Name":"New"}\r
            --c1\r
            Content-Type: application/http\r
            \r
            POST Products(1) HTTP/1.1\r
            X-HTTP-Method: MERGE\r
            Content-Type: application/json\r
            \r
            {"Stock":1}\r
            --c1--\r
            --b1\r
            Content-Type: application/http\r
            \r
            GET Products(1)/Stock HTTP/1.1\r
            Accept: application/json\r
            \r
            \r
            --b1--\r

            """, showing: ["DataServiceVersion"])
        #expect(response.hasPrefix("202\nDataServiceVersion: 2.0\n"), "\(response)")
        #expect(response.matches(of: #/HTTP/1.1 (\d+)/#).map { $0.1 } == ["201", "204", "200"], "\(response)")
        #expect(response.contains(#"{"d":{"Stock":"1"}}"#), "\(response)")
    }

    @Test(
        "errors are those of V2",
        arguments: [
            ("GET v2/Products(99)\nAccept: application/json", 404, #"{"error":{"code":"notFound","message":{"lang":"#),
            ("GET v2/Products(99)", 404, "<code>notFound</code>"), ("GET v2/Nothing", 404, "<error"),
            ("GET v2/Products?$filter=contains(Name,'a')&$apply=x", 400, "<error"),
            ("POST v2/Products\nContent-Type: text/plain\n\nx", 415, "<error"),
            ("POST v2/Products\nX-HTTP-Method: BREW\n\nx", 400, "<error"),
            ("GET v2/Products\nDataServiceVersion: 3.0", 400, "<error"),
        ])
    func errors(request: String, status: Int, part: String) async throws {
        let response = try await PublishedFile().responseText(request)
        #expect(response.hasPrefix("\(status)\n\n"), "\(response)")
        #expect(response.contains(part), "\(response)")
    }
}
