import HTTPTypes
import ODataService
import Testing

@Suite("Reading over HTTP")
struct ReadingTests {
    private static let context = #""@odata.context":"http://service.test/$metadata"#

    @Test(
        "responds with what the URL asks for",
        arguments: [
            (
                "GET ", "200",
                #"{\#(context)","value":[{"name":"Categories","kind":"EntitySet","url":"Categories"},"#
                    + #"{"name":"Products","kind":"EntitySet","url":"Products"},"#
                    + #"{"name":"Order_Details","kind":"EntitySet","url":"Order_Details"},"#
                    + #"{"name":"Photos","kind":"EntitySet","url":"Photos"}]}"#
            ),
            (
                "GET Products?$select=ID,Name&$filter=Price gt 4&$orderby=Name&$count=true", "200",
                #"{\#(context)#Products(ID,Name)","@odata.count":2,"value":[{"@odata.etag":"…","ID":2,"Name":"Coffee"},"#
                    + #"{"@odata.etag":"…","ID":1,"Name":"Tea"}]}"#
            ),
            (
                "GET Products(1)", "200",
                #"{\#(context)#Products/$entity","@odata.etag":"…","ID":1,"Name":"Tea","Price":4.5,"Stock":10,"#
                    + #""CategoryID":1}"#
            ),
            (
                "GET Products(3)?$select=ID&$expand=Category($select=ID,Name)", "200",
                #"{\#(context)#Products(ID,Category(ID,Name))/$entity","@odata.etag":"…","ID":3,"#
                    + #""Category":{"@odata.etag":"…","ID":2,"Name":"Food"}}"#
            ),
            (
                "GET Categories(2)?$select=ID&$expand=Products($filter=ID eq @p;$select=ID;@p=3)&@p=1", "200",
                #"{\#(context)#Categories(ID,Products(ID))/$entity","@odata.etag":"…","ID":2,"#
                    + #""Products":[{"@odata.etag":"…","ID":3}]}"#
            ),
            (
                "GET Categories(1)/Products(2)?$select=ID", "200",
                #"{\#(context)#Products(ID)/$entity","@odata.etag":"…","ID":2}"#
            ),
            ("GET Products(4)/Category", "204", ""),
            ("GET Products(4)/Category/", "204", ""), ("GET Products/$count/", "200", "4"),
            (
                "GET Products/?$filter=ID eq 1&$select=ID", "200",
                #"{\#(context)#Products(ID)","value":[{"@odata.etag":"…","ID":1}]}"#
            ),
            (
                "GET Categories(1)?$select=ID", "200",
                #"{\#(context)#Categories(ID)/$entity","@odata.etag":"…","ID":1}"#
            ),
            (
                "GET Photos(1)?$select=ID", "200",
                #"{\#(context)#Photos(ID)/$entity","@odata.etag":"…","ID":1,"@odata.mediaContentType":"image/png","#
                    + #""@odata.mediaEtag":"…"}"#
            ),
            ("GET Products(1)/Name", "200", #"{\#(context)#Products(1)/Name","value":"Tea"}"#),
            ("GET Products(1)/Name/$value", "200", "Tea"),
            ("GET Products(2)/Stock", "204", ""),
            ("GET Products(2)/Stock/$value", "204", ""),
            ("GET Products/$count", "200", "4"),
            ("GET Products/$count?$filter=Stock eq null", "200", "1"),
            (
                "GET Categories(1)/Products/$ref", "200",
                #"{\#(context)#Collection($ref)","value":[{"@odata.id":"http://service.test/Products(1)"},"#
                    + #"{"@odata.id":"http://service.test/Products(2)"}]}"#
            ),
            (
                "GET Products(3)/Category/$ref", "200",
                #"{\#(context)#$ref","@odata.id":"http://service.test/Categories(2)"}"#
            ),
            ("GET Products(4)/Category/$ref", "204", ""),
            (
                "GET Order_Details(OrderID=10,ProductID=3)", "200",
                #"{\#(context)#Order_Details/$entity","@odata.etag":"…","OrderID":10,"ProductID":3,"Quantity":1}"#
            ),
            (
                "GET Products(3)/Order_Details(10)", "200",
                #"{\#(context)#Order_Details/$entity","@odata.etag":"…","OrderID":10,"ProductID":3,"Quantity":1}"#
            ),
            ("GET Products(3)/Order_Details(OrderID=10)/Quantity/$value", "200", "1"),
            ("GET Products(3)/Order_Details(OrderID=10,ProductID=3)/Quantity/$value", "200", "1"),
            ("GET Products/3/Order_Details/10/Quantity/$value", "200", "1"),
            ("GET Products/3/Order_Details/10/3/Quantity/$value", "200", "1"),
            (
                "GET Products?$filter=$root/Products(3)/Order_Details(10)/Quantity eq ID&$select=ID", "200",
                #"{\#(context)#Products(ID)","value":[{"@odata.etag":"…","ID":1}]}"#
            ),
            ("GET Products(1)?$format=application/json;odata.metadata=none&$select=Name", "200", #"{"Name":"Tea"}"#),
            (
                "GET Products(1)?$select=Name", "200",
                #"{\#(context)#Products(Name)/$entity","@odata.id":"Products(1)","@odata.etag":"…","Name":"Tea"}"#
            ),
        ])
    func responses(request: String, status: String, body: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(request)
        #expect(response == status + (body.isEmpty ? "" : "\n\n" + body))
    }

    @Test(
        "refuses what is wrong, with the status that says whose fault it is",
        arguments: [
            ("GET Nothing", 404, "notFound"), ("GET Products(99)", 404, "notFound"),
            ("GET Products(1)/Nothing", 404, "notFound"), ("GET Products('x')", 400, "typeMismatch"),
            ("GET Products?$filter=Nothing eq 1", 400, "unknownName"), ("GET Products?$filter=Price gt", 400, "syntax"),
            ("GET Products?$nothing=x", 400, "unknownName"), ("OPTIONS Nothing", 404, "notFound"),
            ("PATCH Products", 405, "methodNotAllowed"), ("POST Products(1)", 405, "methodNotAllowed"),
            ("PUT $metadata", 405, "methodNotAllowed"), ("GET $batch", 405, "methodNotAllowed"),
            ("BREW Products", 501, "notImplemented"),
            ("GET Products(3)/Order_Details(11)", 404, "notFound"), ("GET Order_Details(11)", 400, "typeMismatch"),
            ("GET Products(1)/Order_Details(OrderID=10,ProductID=3)", 404, "notFound"),
            ("GET Products/$count/x", 400, "syntax"),
            (#"GET Products?$filter=Price gt @p&@p={"a":1}"#, 400, "typeMismatch"),
            ("GET Products?$id=1", 400, "badRequest"), ("GET Products(1)?$id=1", 400, "badRequest"),
            ("DELETE Products(1)?$id=1", 400, "badRequest"),
            ("DELETE Products(1)/Category/$ref?$id=Categories(1)", 400, "badRequest"),
            ("GET Categories(1)/Products/$ref?$id=1", 400, "badRequest"),
            ("GET $metadata/x", 404, "notFound"), ("GET Products//", 400, "syntax"),
            ("GET Products\nAccept: text/html", 406, "notAcceptable"),
            ("GET Products\nOData-MaxVersion: 3.0", 400, "badRequest"),
        ])
    func refusals(request: String, status: Int, code: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(request, showing: ["Content-Type", "OData-Version"])
        #expect(response.hasPrefix("\(status)\nContent-Type: application/json"))
        #expect(response.contains(#"{"error":{"code":"\#(code)","#), "\(response)")
    }

    @Test("shows of streams what was selected, here and in what is expanded")
    func selectedStreams() async throws {
        let file = try PublishedFile()
        for (query, isShown) in [
            ("Categories(1)", true), ("Categories(1)?$select=*", true), ("Categories(1)?$select=ID,Picture", true),
            ("Categories(1)?$select=ID", false), ("Products(1)?$expand=Category", true),
            ("Products(1)?$expand=Category($select=Name)", false),
            ("Products(1)?$select=ID&$expand=Category($select=Picture)", true),
        ] {
            let response = try await file.responseText("GET \(query)")
            #expect(response.contains("Picture@odata.mediaEtag") == isShown, "\(query): \(response)")
        }
    }

    @Test("names what was allowed instead")
    func allow() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText("POST Products(1)", showing: ["Allow"])
        #expect(response.hasPrefix("405\nAllow: GET, PATCH, PUT, DELETE, HEAD, OPTIONS\n"))
        let readOnly = try PublishedFile(isReadOnly: true)
        #expect(
            try await readOnly.responseText("DELETE Products(1)", showing: ["Allow"]).hasPrefix(
                "405\nAllow: GET, HEAD, OPTIONS\n"))
    }

    @Test("responds to HEAD as GET, without the body")
    func head() async throws {
        let file = try PublishedFile()
        let names = ["Content-Type", "Content-Length", "ETag", "OData-Version"]
        let get = try await file.responseText("GET Products(1)", showing: names)
        let head = try await file.responseText("HEAD Products(1)", showing: names)
        #expect(get.hasPrefix(head + "\n\n"))
        #expect(head.contains("ETag: …\nOData-Version: 4.01"))
    }

    @Test("speaks 4.0 to a client that takes no more")
    func version() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            "GET Products(4)?$expand=Category\nOData-MaxVersion: 4.0", showing: ["OData-Version"])
        #expect(response.hasPrefix("200\nOData-Version: 4.0\n\n{\(Self.context)#Products/$entity\""))
        let newer = try await file.responseText("GET Products(4)?$expand=Category", showing: ["OData-Version"])
        #expect(newer.hasPrefix("200\nOData-Version: 4.01\n\n{\(Self.context)#Products(Category())/$entity\""))
    }

    @Test("gives the metadata with an ETag that holds")
    func metadata() async throws {
        let file = try PublishedFile()
        let first = await file.text.response("GET $metadata")
        #expect(first.head.headerFields[.contentType] == "application/xml")
        let text = String(decoding: try await first.body.collect(upTo: 1_000_000), as: UTF8.self)
        #expect(text.contains("<EntitySet Name=\"Order_Details\""))
        let etag = try #require(first.head.headerFields[.eTag])
        #expect(try await file.responseText("GET $metadata\nIf-None-Match: \(etag)") == "304")
        let older = try await file.responseText("GET $metadata\nIf-None-Match: \(etag)\nOData-MaxVersion: 4.0")
        #expect(text.contains("Version=\"4.01\">"))
        #expect(older.hasPrefix("200\n") && older.contains("Version=\"4.0\">"))
    }

    @Test("responds to conditions with 304 and 412")
    func conditions() async throws {
        let file = try PublishedFile()
        let etag = try #require(await file.text.response("GET Products(1)").head.headerFields[.eTag])
        let unchanged = try await file.responseText("GET Products(1)\nIf-None-Match: \(etag)", showing: ["ETag"])
        #expect(unchanged == "304\nETag: …")
        #expect(try await file.responseText("GET Products(2)\nIf-None-Match: \(etag)").hasPrefix("200"))
        #expect(try await file.responseText("GET Products(1)\nIf-Match: W/\"0\"").hasPrefix("412"))
    }
}
