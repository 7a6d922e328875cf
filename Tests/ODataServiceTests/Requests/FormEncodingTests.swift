import ODataService
import Testing

@Suite("Queries that forms have encoded")
struct FormEncodingTests {
    private static func published() throws -> PublishedFile {
        let file = try PublishedFile()
        try file.execute("INSERT INTO Categories VALUES (3, 'Soft Drinks', NULL), (4, 'Soft+Drinks', NULL)")
        return file
    }

    @Test(
        "read plus signs as blanks where white space is needed, else literally",
        arguments: [
            ("GET Categories?$select=Name&$filter=Name+eq+'Soft+Drinks'", ["Soft Drinks"]),
            ("GET Categories?$select=Name&$filter=Name eq 'Soft+Drinks'", ["Soft+Drinks"]),
            ("GET Categories?$select=Name&$filter=Name+eq+'Soft%2BDrinks'", ["Soft+Drinks"]),
            (
                "GET Categories?$select=Name&$filter=Name+in+('Soft+Drinks','Food')&$orderby=ID+desc",
                ["Soft Drinks", "Food"]
            ),
            ("GET Categories?$select=Name&$filter=Name+eq+@p&@p='Soft+Drinks'", ["Soft Drinks"]),
            ("GET Categories/$filter(Name+eq+'Soft+Drinks')?$select=Name", ["Soft Drinks"]),
            ("GET Categories/$filter(Name eq 'Soft+Drinks')?$select=Name", ["Soft+Drinks"]),
            (
                "POST Categories/$query\nContent-Type: text/plain\n\n$select=Name&$filter=Name+eq+'Soft+Drinks'",
                ["Soft Drinks"]
            ),
            (
                "POST Categories/$query\nContent-Type: text/plain\n\n$select=Name&$filter=Name eq 'Soft+Drinks'",
                ["Soft+Drinks"]
            ),
            (
                "POST Categories/$query\nContent-Type: application/x-www-form-urlencoded\n\n"
                    + "$select=Name&$filter=contains(Name,'t+D')", ["Soft Drinks"]
            ),
            ("GET $entity?$id=Categories(4)&$select=ID,+Name", ["Soft+Drinks"]),
            ("GET $entity?$id=Categories(4)&$select=ID,Name", ["Soft+Drinks"]),
        ])
    func queries(request: String, names: [String]) async throws {
        let file = try Self.published()
        let response = try await file.text.responseText(request)
        #expect(response.matches(of: #/"Name":"([^"]*)"/#).map { String($0.1) } == names, "\(response)")
    }

    @Test("stand in the parts of a batch too")
    func batch() async throws {
        let response = try await Self.published().responseText(
            """
            POST $batch
            Content-Type: application/json

            {"requests":[{"id":"1","method":"GET","url":"Categories/$count?$filter=Name+eq+'Soft+Drinks'"},\
            {"id":"2","method":"GET","url":"Categories?$filter=Name+eq+'Soft+Drinks'&$select=ID"}]}
            """)
        #expect(response.contains(#""ID":3"#) && !response.contains(#""ID":4"#), "\(response)")
    }

    @Test(
        "go on in their next links as they are",
        arguments: [("ID+gt+0+and+Name+ne+'Soft+Drinks'", "4"), ("ID gt 0 and Name ne 'Soft+Drinks'", "3")])
    func nextLinks(filter: String, last: String) async throws {
        let file = try Self.published()
        var url: String? = "Categories?$select=ID&$filter=\(filter)"
        var ids: [String] = []
        while let page = url {
            let response = try await file.text.responseText("GET \(page)\nPrefer: maxpagesize=1")
            ids += response.matches(of: #/"ID":([0-9]+)/#).map { String($0.1) }
            url = response.firstMatch(of: #/"@odata.nextLink":"http:\/\/service.test\/([^"]+)"/#).map { String($0.1) }
        }
        #expect(ids == ["1", "2", last])
    }
}
