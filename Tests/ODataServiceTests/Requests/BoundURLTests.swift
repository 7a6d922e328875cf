import Testing

@testable import ODataService

@Suite("URLs that are sent again")
struct BoundURLTests {
    @Test("Requests with the same URL get what each asks for")
    func sameURL() async throws {
        let file = try PublishedFile()
        let requests = [
            "GET Products?$top=1", "GET Products?$top=1&$orderby=ID desc", "GET Products(1)", "GET products(1)",
            "GET Products(1)\nMaxDataServiceVersion: 2.0", "GET v2/Products(1)", "GET Products?$filter=Price gt 5",
            "GET Products?filter=Price gt 5", "GET Products?$filter=Price%20gt%205",
            "GET Products?$filter=Name eq 'a+b'",
            "GET Products?$filter=Price+gt+5", "GET Products?$format=json;metadata=none", "GET Products?$nonsense=1",
            "GET Products(1)\nAccept: application/json;odata.metadata=none", "HEAD Products(1)", "OPTIONS Products(1)",
            "GET Products(1)\nOData-MaxVersion: 4.0", "GET Products(1)\nAccept: text/html", "GET Products/$count",
            "GET Products(1)\nPrefer: omit-values=nulls", "GET Nothing", "GET Products?$schemaversion=x",
            "POST Products/$query\nContent-Type: text/plain\n\n$top=1", "GET $entity?$id=Products(1)",
            "POST Products/$query\nContent-Type: text/plain\n\n$top=2", "GET $entity?$id=Products(2)",
            "GET Products(1)/Category?$select=Name", "GET Products?$index=1", "GET Products(1)?$id=x",
            "DELETE Products(1)/Name", "GET Products?$expand=Category($select=Name)&$top=1",
        ]
        var first: [String: String] = [:]
        for request in requests { first[request] = try await PublishedFile().responseText(request) }
        for request in requests + requests.reversed() where !request.hasPrefix("DELETE") {
            let text = try await file.responseText(request, showing: ["OData-Version", "DataServiceVersion"])
            let again = try await file.responseText(request, showing: ["OData-Version", "DataServiceVersion"])
            #expect(text == again)
            #expect(try await file.responseText(request) == first[request], "\(request)")
        }
    }

    @Test("A URL is bound for each method that it is sent with")
    func methods() async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText("GET Categories").hasPrefix("200"))
        let created = "POST Categories\nContent-Type: application/json\n\n{\"ID\":7,\"Name\":\"New\"}"
        #expect(try await file.responseText(created).hasPrefix("201"))
        #expect(try await file.responseText("GET Categories").contains("New"))
        #expect(try await file.responseText("DELETE Categories").hasPrefix("405"))
        #expect(try await file.responseText("GET Categories(7)").hasPrefix("200"))
        #expect(try await file.responseText("DELETE Categories(7)").hasPrefix("204"))
        #expect(try await file.responseText("GET Categories(7)").hasPrefix("404"))
        #expect(try await file.responseText("DELETE Categories(1)/Products/$ref?$id=Products(1)").hasPrefix("204"))
        #expect(try await file.responseText("GET Categories(1)/Products/$ref?$id=Products(9)").hasPrefix("400"))
    }

    @Test("What an id stands for in one batch is not what it stands for in another one")
    func batches() async throws {
        let file = try PublishedFile()
        for (number, set) in ["Categories", "Products", "Categories"].enumerated() {
            let text = try await file.responseText(
                """
                POST $batch
                Content-Type: application/json

                {"requests":[{"id":"1","method":"post","url":"\(set)","atomicityGroup":"g",
                "body":{"Name":"\(set) number \(number)"}},{"id":"2","method":"patch","url":"$1",
                "atomicityGroup":"g","body":{"Name":"\(set) \(number)"}},
                {"id":"3","dependsOn":["g"],"method":"get","url":"\(set)?$orderby=ID%20desc&$top=1&$select=Name"}]}
                """)
            #expect(!text.contains("\"status\":4"), "\(text)")
            #expect(text.contains("\"Name\":\"\(set) "), "\(text)")
        }
    }

    @Test("More URLs than are kept get their own responses, long ones too")
    func manyURLs() async throws {
        let file = try PublishedFile()
        for round in 0..<2 {
            for number in 0..<300 {
                let padding = number % 3 == 0 ? String(repeating: " or ID eq 0", count: 60) : ""
                let text = try await file.responseText("GET Products?$select=ID&$filter=ID eq \(number % 5)\(padding)")
                let expected = (1...4).contains(number % 5) ? "\"ID\":\(number % 5)}]" : "\"value\":[]"
                #expect(text.contains(expected), "\(round), \(number): \(text)")
            }
        }
    }
}
