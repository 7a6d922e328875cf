import Foundation
import ODataService
import Testing

@Suite("Operations over HTTP")
struct OperationTests {
    private static let once = """
        Content-Type: application/json
        Repeatability-Request-ID: 6ba7b810-9dad-11d1-80b4-00c04fd430c8
        Repeatability-First-Sent: Thu, 01 Jan 2099 01:20:25 GMT
        """

    @Test("a service promises to recognize repeated requests, but not of actions whose calls are not recorded")
    func promise() async throws {
        let term = #"<Annotation Term="Org.OData.Repeatability.V1.Supported""#
        let metadata = try await PublishedFile().responseText("GET $metadata")
        #expect(metadata.components(separatedBy: term).count == 3, "\(metadata)")
        let ping = try #require(metadata.range(of: #"<Action Name="Ping""#)).lowerBound
        #expect(metadata[ping...].prefix(300).contains(term + #" Bool="false""#), "\(metadata)")
        let readOnly = try await PublishedFile(isReadOnly: true).responseText("GET $metadata")
        #expect(!readOnly.contains(term))
    }

    @Test("an action that says what it does is carried out once, however often it is called with one id")
    func repetition() async throws {
        let file = try PublishedFile()
        let shown = ["Repeatability-Result"]
        let rename = "POST Products(4)/shop.Rename\n\(Self.once)\n\n"
        let first = try await file.responseText(rename + #"{"name":"Oxygen"}"#, showing: shown)
        #expect(first.hasPrefix("200\nRepeatability-Result: accepted\n") && first.contains("Oxygen"), "\(first)")
        #expect(try await file.responseText("PUT Products(4)/Name/$value\nContent-Type: text/plain\n\nOzone") == "204")
        // The product as it is now.
        let second = try await file.responseText(rename + #"{"name":"Oxygen"}"#, showing: shown)
        #expect(second.hasPrefix("200\nRepeatability-Result: accepted\n") && second.contains("Ozone"), "\(second)")
        let other = try await file.responseText(rename + #"{"name":"Helium"}"#, showing: shown)
        #expect(other.hasPrefix("400\nRepeatability-Result: rejected\n"), "\(other)")
        #expect(try await file.responseText("GET Products(4)/Name/$value") == "200\n\nOzone")
        // It has happened, though there is nothing left to show.
        #expect(try await file.responseText("DELETE Products(4)") == "204")
        let third = try await file.responseText(rename + #"{"name":"Oxygen"}"#, showing: shown)
        #expect(third == "204\nRepeatability-Result: accepted", "\(third)")
    }

    @Test(
        "what is not remembered is refused with an id, before anything happens",
        arguments: [
            "POST Ping\n\(once)\n\n{}", #"PATCH Products\#n\#(once)\#n\#n{"value":[{"Name":"New"}]}"#,
            #"PUT Categories(1)/Products/$ref\#n\#(once)\#n\#n{"value":[]}"#,
        ])
    func notRemembered(request: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(request, showing: ["Repeatability-Result"])
        #expect(response.hasPrefix("501\nRepeatability-Result: rejected\n"), "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
        #expect(try await file.responseText("GET Categories(1)/Products/$count") == "200\n\n2")
    }

    @Test(
        "functions are called with GET, and their results read like other resources",
        arguments: [
            (
                "GET Double(number=21)", "200",
                #"{"@odata.context":"http://service.test/$metadata#Edm.Int32","value":42}"#
            ),
            ("GET Double(number=@n)?@n=4", "200", #""value":8}"#),
            ("GET Double(number=21)/$value", "200", "42"),
            ("GET Words()", "200", #"$metadata#Collection(Edm.String)","value":["a","b"]}"#),
            ("GET Words()/$count", "200", "2"),
            ("GET Words?$top=1&$count=true", "200", #""@odata.count":2,"value":["a"]}"#),
            ("GET Void()", "204", "204"),
            ("GET Products/shop.Below(price=5)?$select=Name", "200", #"$metadata#Products(Name)","value":[{"#),
            ("GET Products/shop.Below(price=5)/$count", "200", "2"),
            ("GET Products/shop.Below(price=100)?$filter=Name eq 'Tea'&$select=Name", "200", #""Name":"Tea"}]}"#),
            ("GET Products/Below(price=5)/$count", "200", "2"),
            ("POST Products/shop.Below(price=5)", "405", "error"), ("POST Double(number=21)", "405", "error"),
            ("GET Products(1)/shop.Rename", "405", "error"),
            ("GET Double(number='x')", "400", "error"), ("GET Double(numbr=1)", "404", "error"),
        ])
    func functions(request: String, status: String, part: String) async throws {
        let response = try await PublishedFile().responseText(request)
        #expect(response.hasPrefix(status), "\(response)")
        #expect(response.contains(part), "\(response)")
    }

    @Test(
        "actions are called with POST",
        arguments: [
            (#"{"name":"Chai"}"#, "", "200", #""Name":"Chai""#),
            (#"{"name":"Chai"}"#, "?$select=ID", "200", #""ID":1}"#),
            ("{}", "", "400", "name"), (#"{"name":null}"#, "", "400", "name"),
            (#"{"name":"Chai","more":1}"#, "", "400", "more"), (#"{"name":7}"#, "", "400", "name"),
        ])
    func action(body: String, options: String, status: String, part: String) async throws {
        let response = try await PublishedFile().responseText(
            "POST Products(1)/shop.Rename\(options)\nContent-Type: application/json\n\n\(body)")
        #expect(response.hasPrefix(status), "\(response)")
        #expect(response.contains(part), "\(response)")
    }

    @Test("an action without a result returns 204; with return=minimal others do too")
    func nothing() async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("POST Ping") == "204")
        let quiet = try await file.responseText(
            "POST Products(1)/shop.Rename\nContent-Type: application/json\nPrefer: return=minimal\n\n{\"name\":\"X\"}")
        #expect(quiet == "204")
        #expect(
            try await file.responseText(
                "POST Products(99)/shop.Rename\nContent-Type: application/json\n\n{\"name\":\"X\"}"
            )
            .hasPrefix("404"))
    }

    @Test("an action of each member happens to all of them, or to none")
    func each() async throws {
        let file = try PublishedFile()
        let each = "POST Products/$filter(ID le 2)/$each/shop.Rename\nContent-Type: application/json\n"
        let told = try await file.responseText("\(each)\n{\"name\":\"Chai\"}")
        #expect(told.hasPrefix("501") && told.contains("return=minimal"), "\(told)")
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nTea")
        #expect(try await file.responseText("\(each)Prefer: return=minimal\n\n{\"name\":\"Chai\"}") == "204")
        let named = try await file.responseText("GET Products/$count?$filter=Name eq 'Chai'")
        #expect(named == "200\n\n2", "\(named)")
        #expect(try await file.responseText("POST Products/$each/shop.Remane\n\n{}").contains("shop.Rename"))
        #expect(try await file.responseText("GET Products/$each/shop.Below(price=3)").hasPrefix("404"))
    }

    @Test("actions in change sets happen with the rest or not at all")
    func changeSet() async throws {
        let file = try PublishedFile()
        let batch = """
            POST $batch
            Content-Type: application/json

            {"requests":[
            {"id":"1","atomicityGroup":"g","method":"post","url":"Products(1)/shop.Rename",
             "headers":{"content-type":"application/json"},"body":{"name":"Chai"}},
            {"id":"2","atomicityGroup":"g","method":"delete","url":"Products(%)"}]}
            """
        let failed = try await file.responseText(batch.replacing("%", with: "99"))
        #expect(failed.contains(#""status":404"#), "\(failed)")
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nTea")
        _ = try await file.responseText(batch.replacing("%", with: "4"))
        #expect(try await file.responseText("GET Products(1)/Name/$value") == "200\n\nChai")
    }

    @Test(
        "unbound functions stand in expressions by their qualified names",
        arguments: [
            ("Products?$filter=ID eq shop.Double(number=1)", ["2"]),
            ("Products?$filter=shop.Double(number=ID) gt 5", ["3", "4"]),
            ("Products?$filter=ID+eq+shop.Double(number=@n)&@n=1", ["2"]),
            ("Products?$filter=shop.Double(number=shop.Double(number=1)) eq ID", ["4"]),
            ("Products?$filter=shop.Double(number=shop.Double(number=ID)) eq 8", ["2"]),
            ("Products?$filter=shop.Double(number=Stock) eq 20", ["1"]),
            ("Products?$filter=shop.Double(number=Stock) eq null", ["2"]),
            ("Products?$filter=shop.Void() eq null and ID lt 2", ["1"]),
            ("Products?$filter=shop.Void() eq 'a'", []),
            ("Products?$filter=Name in shop.Words()", []), ("Products?$filter='b' in shop.Words() and ID eq 1", ["1"]),
            ("Products?$orderby=shop.Double(number=ID) desc", ["4", "3", "2", "1"]),
            ("Products?$orderby=shop.Double(number=Stock) desc,ID&$filter=Stock ne null", ["1", "3", "4"]),
            ("Products?$compute=shop.Double(number=ID) as D&$filter=D eq 4", ["2"]),
            ("Products?$compute=ID add 1 as N,shop.Double(number=N) as D&$filter=D eq 6", ["2"]),
            ("Products?$filter=shop.Cheapest()(1)/ID eq ID", ["1"]),
            ("Products?$filter=$root/Categories(1)/Products/$filter(Price lt 5)(1)/ID eq ID", ["1"]),
            ("Products?$filter=Category/Products/$filter(ID gt 1)(2)/Name eq 'Coffee'", ["1", "2"]),
            ("Products/$filter(ID eq shop.Double(number=1))", ["2"]),
            ("Categories?$expand=Products($filter=ID eq shop.Double(number=1))&$filter=ID eq 1", ["1", "2"]),
            ("Products?$apply=filter(ID eq shop.Double(number=2))", ["4"]),
        ])
    func inExpressions(url: String, ids: [String]) async throws {
        let file = try PublishedFile()
        let response = try await file.text.responseText("GET \(url)")
        #expect(response.matches(of: #/"ID":([0-9]+)/#).map { String($0.1) } == ids, "\(response)")
    }

    @Test("what unbound functions give is computed")
    func computed() async throws {
        let file = try PublishedFile()
        for url in [
            "Products(3)?$compute=shop.Double(number=ID) as D&$select=D",
            "Products?$filter=ID eq 3&$compute=shop.Double(number=ID) as D&$select=D",
        ] {
            let response = try await file.text.responseText("GET \(url)")
            #expect(response.contains(#""D":6"#), "\(response)")
        }
    }

    @Test(
        "a function in an expression that cannot be evaluated, or is written wrongly, is refused by its name",
        arguments: [
            ("Products?$filter=shop.Dobule(number=1) eq 2", "400", "shop.Dobule"),
            ("Products?$filter=shop.Double(numbr=1) eq 2", "400", "shop.Double"),
            ("Products?$filter=shop.Double(number='x') eq 2", "400", "number"),
            ("Products?$filter=shop.Rename(name='x') eq null", "400", "shop.Rename"),
            ("Products?$filter=shop.Double(number=1)/Name eq 'x'", "400", "shop.Double is not composable"),
            ("Double(number=1)/Name", "400", "shop.Double is not composable"),
            ("Categories?$filter=Products/any(p:shop.Double(number=p/ID) eq 2)", "501", "shop.Double"),
            ("Categories?$expand=Products($filter=shop.Double(number=ID) eq 2)", "501", "shop.Double"),
            ("Products?$apply=filter(shop.Double(number=ID) eq 4)", "501", "shop.Double"),
            ("Products?$filter=Name(1) eq 'x'", "400", "key"),
            ("Products?$filter=Category(1)/Name eq 'x'", "400", "key"),
            ("Products?$filter=Category/Products(1)(2)/Name eq 'x'", "400", "key"),
        ])
    func notInExpressions(url: String, status: String, part: String) async throws {
        let file = try PublishedFile()
        let response = try await file.text.responseText("GET \(url)")
        #expect(response.hasPrefix(status) && response.contains(part), "\(response)")
    }
}
