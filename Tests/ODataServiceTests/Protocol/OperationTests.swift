import ODataService
import ODataStores
import Testing

@Suite("Operations over HTTP")
struct OperationTests {
    @Test("a service promises to recognize repeated requests, unless it has actions: what they do is not remembered")
    func repeatability() async throws {
        let file = try PublishedFile()
        let term = "Org.OData.Repeatability.V1.Supported"
        let plain = RequestText(service: ODataService(store: OperationStore(file.store, operations: Operations())))
        #expect(try await plain.answer("GET $metadata").contains(term))
        #expect(try await !file.answer("GET $metadata").contains(term))
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
        let answer = try await PublishedFile().answer(request)
        #expect(answer.hasPrefix(status), "\(answer)")
        #expect(answer.contains(part), "\(answer)")
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
        let answer = try await PublishedFile().answer(
            "POST Products(1)/shop.Rename\(options)\nContent-Type: application/json\n\n\(body)")
        #expect(answer.hasPrefix(status), "\(answer)")
        #expect(answer.contains(part), "\(answer)")
    }

    @Test("an action without a result answers 204; with return=minimal others do too")
    func nothing() async throws {
        let file = try PublishedFile()
        #expect(try await file.answer("POST Ping") == "204")
        let quiet = try await file.answer(
            "POST Products(1)/shop.Rename\nContent-Type: application/json\nPrefer: return=minimal\n\n{\"name\":\"X\"}")
        #expect(quiet == "204")
        #expect(try await file.answer("POST Products(99)/shop.Rename\n\n{\"name\":\"X\"}").hasPrefix("404"))
    }

    @Test("an action of each member happens to all of them, or to none")
    func each() async throws {
        let file = try PublishedFile()
        let each = "POST Products/$filter(ID le 2)/$each/shop.Rename\nContent-Type: application/json\n"
        let told = try await file.answer("\(each)\n{\"name\":\"Chai\"}")
        #expect(told.hasPrefix("501") && told.contains("return=minimal"), "\(told)")
        #expect(try await file.answer("GET Products(1)/Name/$value") == "200\n\nTea")
        #expect(try await file.answer("\(each)Prefer: return=minimal\n\n{\"name\":\"Chai\"}") == "204")
        let named = try await file.answer("GET Products/$count?$filter=Name eq 'Chai'")
        #expect(named == "200\n\n2", "\(named)")
        #expect(try await file.answer("POST Products/$each/shop.Remane\n\n{}").contains("shop.Rename"))
        #expect(try await file.answer("GET Products/$each/shop.Below(price=3)").hasPrefix("404"))
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
        let failed = try await file.answer(batch.replacing("%", with: "99"))
        #expect(failed.contains(#""status":404"#), "\(failed)")
        #expect(try await file.answer("GET Products(1)/Name/$value") == "200\n\nTea")
        _ = try await file.answer(batch.replacing("%", with: "4"))
        #expect(try await file.answer("GET Products(1)/Name/$value") == "200\n\nChai")
    }
}
