import HTTPTypes
import ODataService
import Testing

@Suite("Changing over HTTP")
struct ChangingTests {
    private static let context = #""@odata.context":"http://service.test/$metadata"#

    @Test("POST creates, and says where")
    func create() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            """
            POST Products
            Content-Type: application/json

            {"Name":"Milk","Price":1.20,"Category@odata.bind":"Categories(2)"}
            """, showing: ["Location", "OData-EntityId", "ETag", "Preference-Applied"])
        #expect(
            response == """
                201
                Location: http://service.test/Products(5)
                OData-EntityId: http://service.test/Products(5)
                ETag: …
                Preference-Applied: -

                {\(Self.context)#Products/$entity","@odata.etag":"…","ID":5,"Name":"Milk","Price":1.2,"Stock":null,\
                "CategoryID":2}
                """)
    }

    @Test(
        "numbers beyond the range of their type are refused, in every form, and nothing is changed",
        arguments: [
            "PATCH m(1)\nContent-Type: application/json\n\n{\"d\":1e400}",
            "PATCH m(1)\nContent-Type: application/json\n\n{\"d\":-1e400}",
            "PATCH m(1)\nContent-Type: application/json\n\n{\"n\":\"a\",\"d\":1\(zeros)}",
            "PUT m(1)/d\nContent-Type: application/json\n\n{\"value\":1e400}",
            "PUT m(1)/d/$value\nContent-Type: text/plain\n\n1e400",
            "PUT v2/m(1L)\nContent-Type: application/json\n\n{\"d\":1e400}",
            "PUT v2/m(1L)\nContent-Type: application/json\n\n{\"d\":\"-1e400\"}",
            "PUT v2/m(1L)\nContent-Type: application/atom+xml\n\n\(entry)",
            "POST m\nContent-Type: application/json\n\n{\"id\":2,\"d\":1e400}",
            "GET m?$filter=d eq 1e400", "GET m?$filter=d eq @p&@p=1e400", "GET v2/m?$filter=d eq 1e400d",
            "GET v2/m?$filter=d eq 1e39f",
        ])
    func numbersOutOfRange(request: String) async throws {
        let file = try PublishedFile(
            also: "CREATE TABLE m (id INTEGER PRIMARY KEY, n TEXT, d REAL); INSERT INTO m VALUES (1, 'b', 2.5);")
        let response = try await file.responseText(request)
        #expect(response.hasPrefix("400"), "\(response)")
        #expect(try await file.responseText("GET m?$select=n,d&$count=true").contains("\"@odata.count\":1"))
        #expect(try await file.responseText("GET m(1)/d/$value") == "200\n\n2.5")
    }

    private static let zeros = String(repeating: "0", count: 400)
    private static let entry = """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">\
        <m:properties><d:d m:type="Edm.Double">1e400</d:d></m:properties></content></entry>
        """

    @Test("POST with return=minimal returns no entity, but its id")
    func createMinimal() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            """
            POST Categories(1)/Products
            Content-Type: application/json
            Prefer: return=minimal

            {"Name":"Juice"}
            """, showing: ["Location", "OData-EntityId", "Preference-Applied"])
        #expect(
            response == """
                204
                Location: http://service.test/Products(5)
                OData-EntityId: http://service.test/Products(5)
                Preference-Applied: return=minimal
                """)
        #expect(try await file.responseText("GET Products(5)/CategoryID/$value") == "200\n\n1")
    }

    @Test("a creation in 4.0 keeps to return=minimal with $select and $expand; an update does not")
    func selectedInVersion4() async throws {
        let file = try PublishedFile()
        let headers = "\nContent-Type: application/json\nOData-MaxVersion: 4.0"
        let body = "\nPrefer: return=minimal\n\n{\"Name\":\"Milk\"}"
        for (id, options) in [(5, "$select=Name"), (6, "$expand=Category")] {
            let created = try await file.responseText(
                "POST Products?\(options)\(headers)\(body)", showing: ["Location", "Preference-Applied"])
            #expect(
                created == "204\nLocation: http://service.test/Products(\(id))\nPreference-Applied: return=minimal")
        }
        let shown = try await file.responseText("POST Products?$select=Name\(headers)\n\n{\"Name\":\"Milk\"}")
        #expect(shown.hasPrefix("201\n") && shown.contains(#""Name":"Milk"}"#), "\(shown)")
        let updated = try await file.responseText("PATCH Products(1)?$select=Name\(headers)\(body)")
        #expect(updated.hasPrefix("200\n") && updated.contains(#""Name":"Milk"}"#), "\(updated)")
    }

    @Test("$select and $expand ask for the entity, whatever Prefer says")
    func selected() async throws {
        let file = try PublishedFile()
        let json = "\nContent-Type: application/json"
        let minimal = "\nPrefer: return=minimal"
        let created = try await file.responseText(
            "POST Products?$select=Name\(json)\(minimal)\n\n{\"Name\":\"Milk\"}", showing: ["Preference-Applied"])
        #expect(
            created == "201\nPreference-Applied: -\n\n"
                + #"{\#(Self.context)#Products(Name)/$entity","@odata.id":"Products(5)","@odata.etag":"…","Name":"Milk"}"#
        )
        for (request, part) in [
            ("PATCH Products(1)?$select=Price", #""Price":8}"#),
            ("PATCH Products(1)?$select=Price\(minimal)", #""Price":8}"#),
            ("PATCH Products(1)?$expand=Category($select=Name)", #""Name":"Drinks"}"#),
            ("PUT Products(1)?$select=Price,Stock", #""Price":8,"Stock":null}"#),
        ] {
            let response = try await file.responseText(
                "\(request)\(json)\n\n{\"Name\":\"X\",\"Price\":8}", showing: ["Preference-Applied"])
            #expect(response.hasPrefix("200\nPreference-Applied: -\n") && response.contains(part), "\(response)")
        }
    }

    @Test("POST creates what is inside too, and shows it")
    func deepCreate() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(
            "POST Categories\nContent-Type: application/json\n\n"
                + #"{"Name":"New","Products":[{"Name":"A"},{"Name":"B","Price":2.5}]}"#)
        #expect(response.hasPrefix("201\n\n{\(Self.context)#Categories(Products())/$entity\","), "\(response)")
        #expect(response.contains(#""ID":6,"Name":"B","Price":2.5,"Stock":null,"CategoryID":3"#), "\(response)")
    }

    @Test("PATCH changes what it names, PUT resets the rest, DELETE deletes")
    func update() async throws {
        let file = try PublishedFile()
        let patch = try await file.responseText(
            "PATCH Products(1)\nContent-Type: application/json\n\n{\"Price\":5}",
            showing: ["ETag", "Preference-Applied"])
        #expect(patch == "204\nETag: …\nPreference-Applied: -")
        let shown = try await file.responseText(
            "PATCH Products(1)?$select=Price,Stock\nContent-Type: application/json\nPrefer: return=representation\n\n"
                + "{\"Price\":6}", showing: ["Preference-Applied"])
        #expect(
            shown == "200\nPreference-Applied: return=representation\n\n"
                + #"{\#(Self.context)#Products(Price,Stock)/$entity","@odata.id":"Products(1)","@odata.etag":"…","#
                + #""Price":6,"Stock":10}"#)
        let put = try await file.responseText("PUT Products(1)\nContent-Type: application/json\n\n{\"Name\":\"Chai\"}")
        #expect(put == "204")
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nChai")
        #expect(try await file.responseText("GET Products(1)/Price/$value") == "204")
        #expect(try await file.responseText("DELETE Products(4)") == "204")
        #expect(try await file.responseText("GET Products(4)").hasPrefix("404"))
    }

    @Test("a change is made only while its ETag matches")
    func conditions() async throws {
        let file = try PublishedFile()
        let etag = try #require(await file.text.response("GET Products(1)").head.headerFields[.eTag])
        let stale = "PATCH Products(1)\nIf-Match: W/\"0\"\nContent-Type: application/json\n\n{\"Stock\":1}"
        #expect(try await file.responseText(stale).hasPrefix("412"))
        let fresh = "PATCH Products(1)\nIf-Match: \(etag)\nContent-Type: application/json\n\n{\"Stock\":1}"
        #expect(try await file.responseText(fresh) == "204")
        #expect(try await file.responseText(fresh).hasPrefix("412"))
        #expect(try await file.responseText("DELETE Products(1)\nIf-Match: \(etag)").hasPrefix("412"))
    }

    @Test("properties are set, raw or in JSON, and taken away")
    func properties() async throws {
        let file = try PublishedFile()
        let json = "Content-Type: application/json"
        #expect(try await file.responseText("PUT Products(1)/Name\n\(json)\n\n{\"value\":\"Chai\"}") == "204")
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nChai")
        #expect(try await file.responseText("PUT Products(1)/Price/$value\nContent-Type: text/plain\n\n9.75") == "204")
        #expect(try await file.responseText("GET Products(1)/Price/$value") == "200\n\n9.75")
        #expect(try await file.responseText("DELETE Products(1)/Price") == "204")
        #expect(try await file.responseText("GET Products(1)/Price") == "204")
        #expect(try await file.responseText("DELETE Products(1)/Name").hasPrefix("400"))
        #expect(try await file.responseText("PUT Products(1)/Stock\n\(json)\n\n{\"value\":\"many\"}").hasPrefix("400"))
    }

    @Test("references are set, added and taken away")
    func references() async throws {
        let file = try PublishedFile()
        let json = "Content-Type: application/json"
        let category = "GET Products(4)/CategoryID/$value"
        #expect(
            try await file.responseText("PUT Products(4)/Category/$ref\n\(json)\n\n{\"@odata.id\":\"Categories(2)\"}")
                == "204")
        #expect(try await file.responseText(category) == "200\n\n2")
        #expect(try await file.responseText("DELETE Products(4)/Category/$ref") == "204")
        #expect(try await file.responseText(category) == "204")
        let body = "{\"@odata.id\":\"http://service.test/Products(4)\"}"
        #expect(try await file.responseText("POST Categories(1)/Products/$ref\n\(json)\n\n\(body)") == "204")
        #expect(try await file.responseText(category) == "200\n\n1")
        #expect(
            try await file.responseText("DELETE Categories(1)/Products/$ref?$id=http://service.test/Products(4)")
                == "204")
        #expect(try await file.responseText(category) == "204")
        #expect(try await file.responseText("DELETE Categories(1)/Products(2)/$ref") == "204")
        #expect(try await file.responseText("GET Categories(1)/Products/$count") == "200\n\n1")
        #expect(try await file.responseText("DELETE Categories(1)/Products/$ref").hasPrefix("400"))
    }

    @Test(
        "what the data does not allow is refused, and nothing has changed",
        arguments: [
            ("POST Categories", "{\"Name\":\"Food\"}", 409),
            ("POST Categories", "{}", 400),
            ("POST Products", "{\"Name\":\"X\",\"CategoryID\":77}", 409),
            ("POST Products", "{\"Name\":\"X\",\"Stock\":-1}", 400),
            ("POST Products", "{\"Name\":7}", 400),
            ("POST Products", "{\"Name\":\"X\"", 400),
            ("POST Products", "{\"Nome\":\"X\"}", 400),
            ("PATCH Products(1)", "{\"@odata.type\":\"#main.Categories\"}", 400),
            ("PATCH Products(77)\nIf-Match: *", "{\"Name\":\"X\"}", 412),
        ])
    func refusals(line: String, body: String, status: Int) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText("\(line)\nContent-Type: application/json\n\n\(body)")
        #expect(response.hasPrefix("\(status)\n\n{\"error\":{\"code\":"), "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
        #expect(try await file.responseText("GET Categories/$count") == "200\n\n2")
    }

    @Test(
        "what could not be returned as the client accepts it is refused before anything has changed",
        arguments: [
            "POST Products\nAccept: text/csv\nContent-Type: application/json\n\n{\"Name\":\"X\"}",
            "POST Products?$format=xml\nContent-Type: application/json\n\n{\"Name\":\"X\"}",
            "POST v2/Products\nAccept: text/csv\nContent-Type: application/json\n\n{\"Name\":\"X\"}",
            "POST Photos\nAccept: text/csv\nContent-Type: image/png\n\nabc",
            "PATCH Products(1)\nAccept: text/csv\nPrefer: return=representation\nContent-Type: application/json\n\n"
                + "{\"Name\":\"X\"}",
            "PATCH Products(1)?$select=Name\nAccept: text/csv\nContent-Type: application/json\n\n{\"Name\":\"X\"}",
            "PUT Products(1)/Name\nAccept: text/csv\nPrefer: return=representation\nContent-Type: application/json\n\n"
                + "{\"value\":\"X\"}",
            "POST Products(1)/shop.Rename\nAccept: text/csv\nContent-Type: application/json\n\n{\"name\":\"X\"}",
        ])
    func unacceptable(request: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(request, showing: ["Location"])
        #expect(response.hasPrefix("406\nLocation: -\n"), "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
        #expect(try await file.responseText("GET Photos/$count") == "200\n\n2")
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nTea")
    }

    @Test("What is accepted does not matter where nothing is shown; what was created unasked is returned by its id")
    func acceptanceOfNothing() async throws {
        let file = try PublishedFile()
        let json = "\nAccept: text/csv\nContent-Type: application/json"
        #expect(try await file.responseText("PATCH Products(1)\(json)\n\n{\"Name\":\"X\"}") == "204")
        let minimal = "POST Products\(json)\nPrefer: return=minimal\n\n{\"Name\":\"X\"}"
        #expect(try await file.responseText(minimal) == "204")
        let upsert = try await file.responseText("PATCH Products(9)\(json)\n\n{\"Name\":\"X\"}", showing: ["Location"])
        #expect(upsert == "204\nLocation: http://service.test/Products(9)")
        #expect(try await file.responseText("DELETE Products(9)\nAccept: text/csv") == "204")
    }

    @Test("If-Match: * asks for what is there, and says so")
    func absence() async throws {
        let file = try PublishedFile()
        let body = "\nIf-Match: *\nContent-Type: application/json\n\n{\"Name\":\"X\"}"
        #expect(try await file.responseText("PATCH Products(1)\(body)") == "204")
        let response = try await file.responseText("PATCH Products(77)\(body)")
        #expect(response.contains("\"message\":\"There is no such entity"), "\(response)")
    }

    @Test("a payload that cannot be read says at which byte")
    func offset() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText("POST Products\nContent-Type: application/json\n\n{\"Name\":\"X\",]")
        #expect(response.hasPrefix("400"))
        #expect(response.contains("(at byte "))
    }

    @Test("bodies of another kind are 415")
    func mediaType() async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("POST Products\nContent-Type: text/plain\n\nTea").hasPrefix("415"))
        #expect(
            try await file.responseText("PATCH Products(1)\nContent-Type: application/json;charset=utf-16\n\n{}")
                .hasPrefix("415"))
        #expect(
            try await file.responseText("POST Products\nContent-Type: application/json\nContent-Encoding: gzip\n\n{}")
                .hasPrefix("415"))
    }

    @Test("a repeated request is executed once")
    func repeatability() async throws {
        let file = try PublishedFile()
        let request = """
            POST Products
            Content-Type: application/json
            Repeatability-Request-ID: 6ba7b810-9dad-11d1-80b4-00c04fd430c8
            Repeatability-First-Sent: Thu, 01 Jan 2099 01:20:25 GMT

            {"Name":"Milk"}
            """
        for _ in 1...2 {
            let response = try await file.responseText(request, showing: ["Repeatability-Result", "Location"])
            #expect(
                response.hasPrefix("201\nRepeatability-Result: accepted\nLocation: http://service.test/Products(5)\n"))
        }
        #expect(try await file.responseText("GET Products/$count") == "200\n\n5")
        let half = "DELETE Products(5)\nRepeatability-Request-ID: x"
        #expect(
            try await file.responseText(half, showing: ["Repeatability-Result"]).hasPrefix(
                "400\nRepeatability-Result: rejected\n"))
    }
}
