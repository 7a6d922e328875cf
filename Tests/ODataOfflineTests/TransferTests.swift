import ByteStreams
import HTTPTypes
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import ODataTransport
import Synchronization
import Testing

@Suite("What happens between the device and the service")
struct TransferTests {
    @Test("A service that responds to a conditional creation with a key of its own: references and old links follow")
    func keyOfTheService() async throws {
        let device = try await Device(
            ChangeTests.queries,
            wrap: { base in
                TappedStore(
                    base: base,
                    changing: { request in
                        guard request.ifNoneMatch == "*", case .replace(var payload) = request.operation,
                            let set = request.target.entitySet
                        else { return request }
                        var request = request
                        payload.properties["CustomerID"] = .string("S1")
                        request.target = ResourcePath(set, key: EntityKey("CustomerID", .string("S1")))
                        request.operation = .replace(payload)
                        return request
                    })
            }, configure: { $0.exactlyOnce = .conditional })
        try await device.store.download()
        try await device.create("Customers", #"{"CustomerID":"MINE","Name":"new"}"#)
        try await device.update("Orders(3)", #"{"CustomerID":"MINE"}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT CustomerID FROM Customers WHERE Name = 'new'") == ["S1"])
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 3") == ["S1"])
        #expect(try await device.values("Customers('MINE')", "CustomerID") == [.string("S1")])
        #expect(try await device.values("Orders(3)/Customer", "Name") == [.string("new")])
        try await device.store.download()
        #expect(try await device.count("Customers") == 4)
    }

    @Test("A batch whose parts say 200 and hold errors tells nothing: the requests are found out, and none is lost")
    func errorsInSuccess() async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let device = try await ShopDevice(
            [.init(name: "orders", query: "Orders")], remote: responses.remote(over: service.store)
        ) { _ in }
        let store = device.store
        try await store.download()
        for order in 1...2 {
            let path = try store.path("Orders(\(order))")
            let payload = EntityPayload(["Note": .string("mine \(order)")])
            _ = try await store.change(ChangeRequest(path, .update(payload)))
        }
        let part =
            "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            + #"{"error":{"code":"X","message":"Out of order"}}"# + "\r\n"
        let body = part + part + "--b--\r\n"
        responses.set("/$batch", .body(Array(body.utf8), contentType: "multipart/mixed; boundary=b"))
        await #expect { try await store.upload() } throws: { "\($0)".contains("Out of order") }
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed])
        responses.clear()
        #expect(try await store.upload().isComplete)
        let notes = try service.fetch("SELECT Note FROM Orders WHERE OrderID < 3 ORDER BY OrderID")
        #expect(notes == ["mine 1", "mine 2"])
    }

    @Test(
        "A batch whose response has too few parts: what has none is found out, and all is done once",
        arguments: [nil, "", "Content-ID: r1\r\n"])
    func tooFewParts(header: String?) async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let device = try await ShopDevice(
            [.init(name: "orders", query: "Orders")], remote: responses.remote(over: service.store)
        ) { _ in }
        let store = device.store
        try await store.download()
        let update = ChangeRequest(try store.path("Orders(1)"), .update(EntityPayload(["Note": .string("mine")])))
        let creation = ChangeRequest(try store.path("Orders"), .create(EntityPayload(["Note": .string("made")])))
        for change in [update, creation] { _ = try await store.change(change) }
        let part = header.map { header in
            "--b\r\nContent-Type: application/http\r\n\(header)\r\nHTTP/1.1 204 No Content\r\nOData-Version: 4.0\r\n\r\n\r\n"
        }
        let body = (part ?? "") + "--b--\r\n"
        responses.set("/$batch", .body(Array(body.utf8), contentType: "multipart/mixed; boundary=b"))
        // Where no request got a response the upload throws.
        _ = try? await store.upload()
        let open = header?.isEmpty == false ? 1 : 2
        #expect(try await store.queueEntries().map(\.state) == Array(repeating: .unconfirmed, count: open))
        responses.clear()
        #expect(try await store.upload().isComplete)
        #expect(try service.fetch("SELECT Note FROM Orders WHERE OrderID = 1 OR OrderID > 25") == ["mine", "made"])
        try await store.download()
        let url = "Orders?$filter=Note in ('mine','made')&$orderby=OrderID"
        #expect(try await device.lines(url, "OrderID") == ["1", "26"])
    }

    @Test(
        "Without the service's metadata nothing is sent, and nothing counts as sent",
        arguments: [.refused, .status(404), .body(Array("<html>".utf8), contentType: "text/html")] as [TransportFault])
    func noMetadata(fault: TransportFault) async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let device = try await ShopDevice(
            [.init(name: "orders", query: "Orders")], remote: responses.remote(over: service.store)
        ) { _ in }
        try await device.store.download()
        let update = ChangeRequest(
            try device.store.path("Orders(1)"), .update(EntityPayload(["Note": .string("mine")])))
        _ = try await device.store.change(update)
        try device.store.close()
        responses.set("/$metadata", fault)
        let store = try OfflineStore(
            folder: device.folder.path + "/store", remote: responses.remote(over: service.store),
            configuration: Device.configuration())
        await #expect {
            try await store.upload()
        } throws: { error in
            let error = error as? ODataError
            return error?.code == .unreachable && (error?.cause as? UploadInterruption)?.report.notSent.count == 1
        }
        let entry = try #require(try await store.queueEntries().first)
        #expect(entry.attempts == 0 && entry.lastSent == nil && entry.state == .waiting)
        responses.clear()
        #expect(try await store.upload().isComplete)
        #expect(try service.fetch("SELECT Note FROM Orders WHERE OrderID = 1") == ["mine"])
        try store.close()
    }

    @Test("A delta link of another query of the same set: what it brings is shown until the query is read as a whole")
    func deltaOfSameSet() async throws {
        let service = try await ShopService()
        let page = { (value: String, more: String) in
            #"{"@odata.context":"http://service.test/$metadata#Orders","value":[\#(value)]\#(more)}"#
        }
        let first = #"{"ID":1,"Note":"first","Rank":1,"ModifiedAt":null}"#
        let delta = #","@odata.deltaLink":"http://service.test/Orders?$deltatoken=1""#
        service.responses.set("/Orders", page(first, delta))
        let device = try await service.device([.init(name: "low", query: "Orders?$filter=Rank lt 5")])
        try await device.store.download()
        service.responses.set(
            "/Orders?$deltatoken=1",
            page(#"{"ID":9,"Note":"of another","Rank":90,"ModifiedAt":null}"#, delta).replacing(
                "#Orders", with: "#Orders/$delta"))
        #expect(try await device.refresh().isDelta)
        // Nothing in the payload tells that the link leads to the changes of another filter.
        #expect(try await device.lines("Orders", "ID") == ["1", "9"])
        try device.store.setRefresh(.comparison, checksStreams: false, of: "low")
        #expect(try await device.refresh().isDelta == false)
        #expect(try await device.lines("Orders", "ID", "Note") == ["1 first"])
    }

    @Test("Two requests are on their way at once, where the app allows it", .timeLimit(.minutes(2)))
    func parallel() async throws {
        let meeting = Meeting()
        let device = try await Device(
            ChangeTests.queries,
            wrap: {
                TappedStore(
                    base: $0,
                    changing: { request in
                        await meeting.wait()
                        return request
                    })
            },
            configure: {
                $0.batchSize = 1
                $0.parallelUploads = 2
            })
        try await device.store.download()
        for order in 1...2 { try await device.update("Orders(\(order))", #"{"Note":"mine"}"#) }
        // The first request gets its response when the second one has come, and not before.
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["2"])
    }

    @Test("A header of the app's own reaches the service, in a batch as by itself", arguments: [1, 100])
    func header(batchSize: Int) async throws {
        let service = try SampleService()
        let transport = SeenTransport(next: InProcessTransport(service: ODataService(store: service.store)))
        let device = try await ShopDevice(
            [.init(name: "orders", query: "Orders")],
            remote: OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        ) { $0.batchSize = batchSize }
        try await device.store.download()
        for order in 1...2 {
            var request = ChangeRequest(
                try device.store.path("Orders(\(order))"), .update(EntityPayload(["Note": .string("mine")])))
            request.headers = [HeaderField(name: "X-Reason", value: "reason \(order)")]
            _ = try await device.store.change(request)
        }
        #expect(try await device.store.upload().isComplete)
        let seen = transport.texts.filter { $0.contains("reason 1") || $0.contains("reason 2") }
        #expect(seen.count == (batchSize == 1 ? 2 : 1))
        #expect(seen.joined().contains("reason 1") && seen.joined().contains("reason 2"))
    }

    @Test("A download that is cancelled goes on with the page it had come to")
    func cancelled() async throws {
        let task = Mutex<Task<Void, any Error>?>(nil)
        let links = Mutex<[String?]>([])
        let device = try await Device(
            [.init(name: "orders", query: "Orders")], pageSize: 10,
            wrap: {
                TappedStore(
                    base: $0,
                    reading: { request in
                        let count = links.withLock { links in
                            links.append(request.continuation)
                            return links.count
                        }
                        if count == 2 { task.withLock { $0?.cancel() } }
                        try Task.checkCancellation()
                    })
            })
        let store = device.store
        task.withLock { $0 = Task { _ = try await store.download() } }
        let download = try #require(task.withLock { $0 })
        await #expect { try await download.value } throws: { ($0 as? ODataError)?.code == .cancelled }
        #expect(try await device.count("Orders") == 0)
        try await store.download()
        let seen = links.withLock { $0 }
        #expect(seen.count == 4 && seen[0] == nil && seen[1] != nil && seen[2] == seen[1])
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("A stream whose media ETag alone has changed is fetched again")
    func mediaETag() async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let serve = { (version: String) in
            responses.set(
                "/Photos?",
                """
                {"@odata.context":"http://service.test/$metadata#Photos","value":[
                {"@odata.etag":"W/\\"1\\"","@odata.mediaEtag":"\\"\(version)\\"","PhotoID":1,"Title":"photo 1","OrderID":1}]}
                """)
            responses.set("/Photos(1)/$value", .body(Array(version.utf8), contentType: "image/png"))
        }
        serve("a")
        let device = try await ShopDevice(
            [.init(name: "photos", query: "Photos?$filter=PhotoID eq 1", retrievesStreams: true)],
            remote: responses.remote(over: service.store)
        ) { _ in }
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.store.download().streams == 0)
        serve("b")
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.text("Photos(1)") == "b")
    }
}

/// The first one waits for the second; nobody waits after that.
private actor Meeting {
    private var count = 0
    private var first: CheckedContinuation<Void, Never>?

    func wait() async {
        count += 1
        guard count == 1 else {
            first?.resume()
            first = nil
            return
        }
        await withCheckedContinuation { first = $0 }
    }
}

/// Keeps the header fields and bodies of what is sent.
private final class SeenTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let seen = Mutex<[String]>([])

    init(next: any HTTPTransport) { self.next = next }

    var texts: [String] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        let bytes = try await body?.collect(upTo: 1 << 20)
        let fields = request.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        seen.withLock { $0.append(fields + "\n\n" + String(decoding: bytes ?? [], as: UTF8.self)) }
        return try await next.send(request, body: bytes.map { ByteContent($0) }, context: context)
    }
}
