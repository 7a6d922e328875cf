import HTTPTypes
import ODataService
import Testing

@Suite("Parts of the protocol that requests get wrong")
struct ProtocolPartTests {
    @Test(
        "references have no properties",
        arguments: [
            "Categories(1)/Products/$ref?$select=Name", "Categories(1)/Products/$ref?$expand=Category",
            "Products(1)/Category/$ref?$select=Name", "Products(1)/Category/$ref?$expand=Products",
            "Products/$ref?select=Name",
        ])
    func references(url: String) async throws {
        let response = try await PublishedFile().responseText("GET \(url)")
        #expect(response.hasPrefix("400") && response.contains("/$ref"), "\(response)")
    }

    @Test(
        "a body without Content-Type is 415, and nothing happens",
        arguments: [
            #"PATCH Products(1)\#n\#n{"Name":"x"}"#, #"PUT Products(1)\#n\#n{"Name":"x"}"#,
            #"POST Products\#n\#n{"ID":9,"Name":"x"}"#, #"PUT Products(1)/Name\#n\#n{"value":"x"}"#,
            #"POST Categories(1)/Products/$ref\#n\#n{"@odata.id":"Products(4)"}"#,
            #"POST Products(1)/shop.Rename\#n\#n{"name":"x"}"#, #"PATCH Products\#n\#n{"value":[{"ID":9,"Name":"x"}]}"#,
            #"POST Products\#nContent-Type:\#n\#n{"ID":9,"Name":"x"}"#,
        ])
    func noContentType(request: String) async throws {
        let file = try PublishedFile()
        let response = try await file.text.responseText(request)
        #expect(response.hasPrefix("415") && response.contains("application/json"), "\(response)")
        #expect(try await file.responseText("GET Products/$count?$filter=Name eq 'x'") == "200\n\n0")
        #expect(try await file.responseText("GET Categories(1)/Products/$count") == "200\n\n2")
    }

    @Test("an action that needs no body needs no Content-Type") func emptyBody() async throws {
        #expect(try await PublishedFile().responseText("POST Ping") == "204")
    }

    private static func changeSet(_ ids: [String]) -> String {
        let parts = ids.enumerated().map { index, id in
            """
            --c
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: \(id)

            POST Categories HTTP/1.1
            Content-Type: application/json

            {"ID":\(index + 7),"Name":"New \(index)"}

            """
        }
        return "--b\nContent-Type: multipart/mixed; boundary=c\n\n" + parts.joined() + "--c--\n--b--\n"
    }

    @Test("two requests of a change set with one Content-ID make it 400", arguments: ["", "v2/"])
    func repeatedIDs(root: String) async throws {
        let file = try PublishedFile()
        for (ids, count) in [(["1", "1"], 2), (["1", "2", "1"], 2), (["1", "2"], 4)] {
            let batch = "POST \(root)$batch\nContent-Type: multipart/mixed; boundary=b\n\n" + Self.changeSet(ids)
            let response = try await file.text.responseText(batch)
            #expect(response.hasPrefix(root.isEmpty ? "200" : "202"), "\(response)")
            #expect(response.contains("HTTP/1.1 400") == (count == 2), "\(response)")
            #expect(response.contains("HTTP/1.1 201") == (count == 4), "\(response)")
            #expect(try await file.responseText("GET Categories/$count") == "200\n\n\(count)")
        }
    }

    @Test("two requests of a JSON batch with one id make it 400") func repeatedIDsInJSON() async throws {
        let file = try PublishedFile()
        let part = #"{"id":"1","atomicityGroup":"g","method":"POST","url":"Categories","body":{"ID":7,"Name":"x"}}"#
        let response = try await file.text.responseText(
            "POST $batch\nContent-Type: application/json\n\n" + #"{"requests":[\#(part),\#(part)]}"#)
        #expect(response.hasPrefix("400") && response.contains("“1”"), "\(response)")
        #expect(try await file.responseText("GET Categories/$count") == "200\n\n2")
    }

    @Test("a body in a JSON batch is JSON unless its headers say something else") func bodiesOfJSONBatches()
        async throws
    {
        let file = try PublishedFile()
        let response = try await file.text.responseText(
            "POST $batch\nContent-Type: application/json\n\n"
                + #"{"requests":[{"id":"1","method":"PATCH","url":"Products(1)","body":{"Name":"x"}}]}"#)
        #expect(response.contains(#""status":204"#), "\(response)")
    }

    @Test(
        "errors tell their language",
        arguments: [
            "GET Nothing", "GET Products?$filter=Nothing eq 1", "PATCH Products(1)\n\n{}", "GET v2/Nothing",
            "PUT Products",
            "GET Products(99)",
        ])
    func language(request: String) async throws {
        let response = try await PublishedFile().responseText(request, showing: ["Content-Language"])
        #expect(response.hasPrefix("4") && response.contains("Content-Language: en\n"), "\(response)")
    }

    @Test("the metadata tell a schema version, and other versions are 404") func schemaVersion() async throws {
        let file = try PublishedFile()
        let metadata = try await file.text.responseText("GET $metadata")
        let version = try #require(
            metadata.firstMatch(of: #/Term="Org.OData.Core.V1.SchemaVersion" String="([^"]+)"/#)?.1)
        for (url, status) in [
            ("Products/$count?$schemaversion=\(version)", "200"), ("Products/$count?$schemaversion=*", "200"),
            ("$metadata?$schemaversion=\(version)", "200"), ("?$schemaversion=\(version)", "200"),
            ("Products?$schemaversion=0", "404"), ("Products(1)?schemaversion=0", "404"),
            ("$metadata?$schemaversion=0", "404"),
            ("?$schemaversion=0", "404"),
        ] {
            let response = try await file.text.responseText("GET \(url)")
            #expect(response.hasPrefix(status), "\(url): \(response.prefix(300))")
        }
        try file.restart()
        #expect(try await file.text.responseText("GET Products/$count?$schemaversion=\(version)").hasPrefix("200"))
    }

    @Test(
        "HEAD tells what GET tells, and has no ranges",
        arguments: [
            "", "$metadata", "$metadata?$format=json", "Products", "Products?$top=1", "Products/$count", "Products(1)",
            "Products(1)/Name",
            "Products(1)/Name/$value", "Products(1)/Category/$ref", "Photos(1)/$value", "Categories(1)/Picture",
            "Nothing", "Products(99)",
            "Products(2)/Stock", "Photos(1)/$value\nRange: bytes=2-3", "Photos(1)/$value\nRange: bytes=99-",
            "v2/Products(1)", "v2/Products",
        ])
    func head(request: String) async throws {
        let file = try PublishedFile()
        let shown = ["Content-Length", "Content-Type", "ETag", "Content-Range", "OData-Version"]
        let get = try await file.responseText("GET " + (request.split(separator: "\n").first ?? ""), showing: shown)
        let head = try await file.responseText("HEAD " + request, showing: shown)
        #expect(head == get.components(separatedBy: "\n\n").first, "\(get)")
    }

    @Test(
        "a stream whose Content-Type is not a media type is 400",
        arguments: [
            "image", "image/", "/png", "image/png/x", "image png", "image/png; charset", "image/p,ng", "ima(ge/png",
            "text/html; a=", "text/html; a=\"b", "text/html; a=\"b\\", "text/html; a=\"b\"c", "text/html; a=b c",
            "text/html; a = b", "text/html; =b", "text/html a=b", "text/html,", "text /html", "*/*", "text/*", "*/png",
            "image/png, image/png", "text/html; a=(b)", "text/html/; a=b",
            "text/html;;", "text/html;;a=b", "text/html; ;", ";;", ";",
        ])
    func malformedType(type: String) async throws {
        let file = try PublishedFile()
        let told = type.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        for request in ["PUT Photos(1)/$value", "POST Photos", "PUT Categories(1)/Picture"] {
            let response = try await file.text.responseText("\(request)\nContent-Type: \(type)\n\nabc")
            #expect(response.hasPrefix("400") && response.contains("“\(told)”"), "\(response)")
        }
        #expect(try await file.responseText("GET Photos(1)/$value") == "200\n\n0123456789")
        #expect(
            try await file.responseText("PUT Photos(1)/$value\nContent-Type: image/svg+xml; charset=\"utf-8\"\n\nabc")
                == "204")
    }

    @Test(
        "a media type may have parameters, and end with a semicolon",
        arguments: [
            "text/html;", "text/html ;", "text/html ; a=b;", "text/html;a=b ;c=\"d;\\\"e\"", "TEXT/HTML;Charset=UTF-8",
            "application/vnd.oasis.opendocument.text", "image/x-a!b",
        ])
    func goodType(type: String) async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("PUT Photos(1)/$value\nContent-Type: \(type)\n\nabc") == "204")
        #expect(try await file.responseText("GET Photos(1)/$value") == "200\n\nabc")
    }

    @Test("OPTIONS * tells that the server is there, and which methods it has")
    func optionsOfEverything() async throws {
        let service = ODataService(store: try PublishedFile().store)
        let request = HTTPRequest(method: .options, scheme: nil, authority: nil, path: "*")
        let response = await service.respond(to: request, body: .empty, root: "http://localhost/service/").head
        #expect(response.status == .noContent)
        #expect(response.headerFields[.allow] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
    }

    @Test("messages begin with a sentence") func messages() async throws {
        let file = try PublishedFile()
        for url in [
            "Products?$filter=substring(Name,1,Stock sub 9) eq 'a'", "Products?$filter=matchesPattern(Name,'(')",
        ] {
            let response = try await file.text.responseText("GET \(url)")
            #expect(response.hasPrefix("400") && !response.contains("odata: "), "\(response)")
        }
    }

    @Test("texts go on behind U+0000") func texts() async throws {
        let file = try PublishedFile()
        try file.execute("UPDATE Products SET Name = 'a' || char(0) || 'bcd' WHERE ID = 1")
        for filter in [
            "length(Name) eq 5", "endswith(Name,'bcd')", "substring(Name,2) eq 'bcd'", "substring(Name,2,2) eq 'bc'",
            "indexof(Name,'c') eq 3", "contains(Name,'cd')", "substring(Name,-2) eq 'cd'", "length(toupper(Name)) eq 5",
            "length(concat(Name,'x')) eq 6", "startswith(Name,substring(Name,0,4))", "endswith(Name,substring(Name,1))",
        ] {
            let response = try await file.text.responseText("GET Products?$select=ID&$filter=ID eq 1 and \(filter)")
            #expect(response.contains(#""ID":1"#), "\(filter): \(response)")
        }
    }

    @Test("a stream property in the body of a create is refused, unless it is null") func streamsInBodies() async throws
    {
        let file = try PublishedFile()
        let create = "POST Categories\nContent-Type: application/json\n\n"
        let refused = try await file.responseText(create + #"{"ID":8,"Name":"A","Picture":"AQI="}"#)
        #expect(refused.hasPrefix("400") && refused.contains("Picture"), "\(refused)")
        let told = #""Picture@odata.mediaContentType":"image/png""#
        #expect(try await file.responseText(create + #"{"ID":8,"Name":"A","Picture":null,\#(told)}"#).hasPrefix("201"))
        #expect(try await file.responseText("GET Categories/$count") == "200\n\n3")
    }

    @Test("what is told of a stream property has a link beside it") func linksOfStreams() async throws {
        let link = #""Picture@odata.mediaEditLink":"Categories(1)/Picture","Picture@odata.mediaContentType""#
        #expect(try await PublishedFile().responseText("GET Categories(1)").contains(link))
        let readLink = link.replacing("mediaEditLink", with: "mediaReadLink")
        #expect(try await PublishedFile(isReadOnly: true).responseText("GET Categories(1)").contains(readLink))
        #expect(try await !PublishedFile().responseText("GET Categories(2)").contains("Picture@"))
    }

    @Test("clients of 4.0 get metadata of 4.0, and vocabularies are referred to by option only") func metadata()
        async throws
    {
        let file = try PublishedFile()
        for (request, version) in [
            ("GET $metadata?$format=json", #""$Version": "4.01""#),
            ("GET $metadata?$format=json\nOData-MaxVersion: 4.0", #""$Version": "4.0""#),
            ("GET $metadata\nOData-MaxVersion: 4.0", #"Version="4.0""#), ("GET $metadata", #"Version="4.01""#),
        ] {
            let response = try await file.text.responseText(request)
            #expect(
                response.contains(version) && !response.contains("oasis-tcs.github.io"),
                "\(request): \(response.prefix(300))"
            )
        }
        let referring = try PublishedFile(configure: { $0.refersToVocabularies = true })
        for request in ["GET $metadata", "GET $metadata?$format=json"] {
            #expect(try await referring.text.responseText(request).contains("oasis-tcs.github.io"))
        }
    }

    @Test(
        "what XML cannot have is refused in Atom by name, and told in JSON",
        arguments: ["Products(1)", "Products", "Products(1)/Name", "Categories(1)?$expand=Products"])
    func noXML(url: String) async throws {
        let file = try PublishedFile()
        try file.execute("UPDATE Products SET Name = 'a' || char(0) || 'b' WHERE ID = 1")
        let response = try await file.text.responseText("GET v2/\(url)")
        #expect(response.hasPrefix("406") && response.contains("Name") && response.contains("U+0000"), "\(response)")
        let json = try await file.text.responseText("GET v2/\(url)\nAccept: application/json")
        #expect(json.hasPrefix("200") && json.contains(#"a\u0000b"#), "\(json)")
    }
}
