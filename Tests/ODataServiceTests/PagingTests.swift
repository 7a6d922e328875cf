import HTTPTypes
import ODataModel
import ODataQuery
import ODataService
import ODataStores
import Testing

@Suite("Pages and deltas over HTTP")
struct PagingTests {
    /// The value of an annotation in a payload, and the rest of the URL behind the root.
    private func link(_ name: String, in response: String) -> String? {
        guard let start = response.firstRange(of: "\"@odata.\(name)\":\"\(RequestText.root)") else { return nil }
        return String(response[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test("follow each other by absolute next links")
    func pages() async throws {
        let file = try PublishedFile()
        var url: String? = "Products?$select=ID&$orderby=Name"
        var bodies: [String] = []
        while let next = url {
            let response = try await file.text.responseText(
                "GET \(next)\nPrefer: odata.maxpagesize=3", showing: ["Preference-Applied"])
            #expect(response.hasPrefix("200\nPreference-Applied: odata.maxpagesize=3\n"))
            bodies.append(response)
            url = link("nextLink", in: response)
        }
        let ids = bodies.map { $0.matches(of: #/"ID":(\d)/#).map { String($0.1) }.joined() }
        #expect(ids == ["432", "1"])
    }

    @Test("keep the size of the first page where a client follows the links alone")
    func pageSizeOfLinks() async throws {
        let file = try PublishedFile()
        var url: String? = "Products?$select=ID&$orderby=ID"
        var headers = "\nPrefer: odata.maxpagesize=3, odata.track-changes"
        var pages: [String] = []
        var delta: String?
        while let next = url {
            let response = try await file.text.responseText("GET \(next)\(headers)")
            pages.append(response.matches(of: #/"ID":(\d)/#).map { String($0.1) }.joined())
            url = link("nextLink", in: response)
            delta = link("deltaLink", in: response)
            headers = ""
        }
        #expect(pages == ["123", "4"])
        for id in 1...4 {
            let change = "PATCH Products(\(id))\nContent-Type: application/json\n\n{\"Name\":\"New\"}"
            #expect(try await file.responseText(change) == "204")
        }
        let changes = try await file.text.responseText("GET \(try #require(delta))")
        #expect(changes.matches(of: #/"ID":(\d)/#).count == 3, "\(changes)")
        let smaller = try await file.text.responseText(
            "GET \(try #require(link("nextLink", in: changes)))\nPrefer: maxpagesize=1")
        #expect(smaller.matches(of: #/"ID":(\d)/#).count == 1, "\(smaller)")
        #expect(smaller.matches(of: #/deltatoken=[^"]*odata-maxpagesize/#).count <= 1)
    }

    @Test("have links that do not grow from page to page")
    func lengthOfLinks() async throws {
        let file = try PublishedFile()
        var response = try await file.text.responseText("GET Products?$select=ID\nPrefer: odata.maxpagesize=1")
        var count = 1
        while let next = link("nextLink", in: response) {
            #expect(next.matches(of: #/odata-maxpagesize=1/#).count == 1, "\(next)")
            response = try await file.text.responseText("GET \(next)")
            count += 1
        }
        #expect(count >= 4)
    }

    @Test("have a size above zero, else the client's wish is passed over", arguments: ["0", "-1", "abc", "", "1.5"])
    func unusableSize(size: String) async throws {
        let file = try PublishedFile()
        let response = try await file.text.responseText(
            "GET Products?$select=ID\nPrefer: odata.maxpagesize=\(size), odata.track-changes",
            showing: ["Preference-Applied"])
        #expect(response.hasPrefix("200\nPreference-Applied: odata.track-changes\n"), "\(response)")
        #expect(link("nextLink", in: response) == nil)
        #expect(try await file.responseText("GET Products?odata-maxpagesize=2").contains("nextLink") == false)
    }

    @Test(
        "deltas tell what changed and what is gone, in the words of the version",
        arguments: [
            ("4.01", #"{"@removed":{"reason":"deleted"},"@id":"Products(4)"}"#),
            (
                "4.0",
                ##"{"@odata.context":"#Products/$deletedEntity","id":"Products(4)","reason":"deleted"}"##
            ),
        ])
    func deltas(version: String, removed: String) async throws {
        let file = try PublishedFile()
        let headers = "OData-MaxVersion: \(version)\nPrefer: odata.track-changes"
        let first = try await file.text.responseText(
            "GET Products?$select=ID,Name\n\(headers)", showing: ["Preference-Applied"])
        #expect(first.hasPrefix("200\nPreference-Applied: odata.track-changes\n"))
        let delta = try #require(link("deltaLink", in: first))
        #expect(try await file.responseText("DELETE Products(4)") == "204")
        #expect(
            try await file.responseText("PATCH Products(1)\nContent-Type: application/json\n\n{\"Name\":\"Chai\"}")
                == "204")
        let second = try await file.text.responseText("GET \(delta)\n\(headers)")
        #expect(second.contains("$metadata#Products(ID,Name)/$delta\""))
        #expect(second.contains(removed), "\(second)")
        #expect(second.contains(#""ID":1,"Name":"Chai""#))
        #expect(!second.contains("Coffee"))
        let third = try #require(link("deltaLink", in: second))
        let last = try await file.text.responseText("GET \(third)\n\(headers)")
        #expect(last.contains("\"value\":[]"))
    }

    @Test("an unknown delta token is 410")
    func unknownToken() async throws {
        let file = try PublishedFile()
        let response = try await file.responseText("GET Products?$deltatoken=nonsense")
        #expect(response.hasPrefix("410\n\n{\"error\":{"), "\(response)")
    }

    @Test("a result that breaks off is not a complete response")
    func breakingOff() async throws {
        let file = try PublishedFile()
        let service = ODataService(store: BreakingStore(file.store))
        let response = await RequestText(service: service).response("GET Products")
        #expect(response.head.status == .ok)
        await #expect(throws: ODataError.self) { try await response.body.collect(upTo: 1_000_000) }
    }

    @Test("a result that fails before its first row gets its status")
    func failingFirst() async throws {
        let file = try PublishedFile()
        let service = ODataService(store: BreakingStore(file.store, goodBlocks: 0))
        let response = try await RequestText(service: service).responseText("GET Products")
        #expect(response == #"507\#n\#n{"error":{"code":"storage","message":"The disk is gone."}}"#)
    }
}

/// A store whose rows stop coming.
struct BreakingStore: ODataStore {
    let next: any ODataStore
    let goodBlocks: Int

    init(_ next: any ODataStore, goodBlocks: Int = 1) {
        self.next = next
        self.goodBlocks = goodBlocks
    }

    func model() async throws -> EdmModel { try await next.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var result = try await next.read(request)
        if case .entities(let reader) = result.body { result.body = .entities(BreakingReader(reader, goodBlocks)) }
        return result
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { try await next.change(request) }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await next.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await next.readStream(request) }
}

actor BreakingReader: EntityReader {
    private let reader: any EntityReader
    private var remaining: Int
    nonisolated let shape: RowShape

    init(_ reader: any EntityReader, _ goodBlocks: Int) {
        self.reader = reader
        shape = reader.shape
        remaining = goodBlocks
    }

    func next() async throws -> RowBlock? {
        guard remaining > 0 else { throw ODataError(.storage, "The disk is gone.") }
        remaining -= 1
        return try await reader.next()
    }
}
