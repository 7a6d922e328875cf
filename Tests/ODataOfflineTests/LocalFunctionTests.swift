import GRDB
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataService
import ODataStores
import ODataTransport
import Testing

@testable import ODataOffline

@Suite("Functions of the store")
struct LocalFunctionTests {
    static let queries = [
        DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
        DefiningQuery(name: "customers", query: "Customers", retrievesStreams: true),
        DefiningQuery(name: "photos", query: "Photos?$filter=PhotoID le 2", retrievesStreams: true),
    ]

    /// Order 3 is changed, item 1 of order 4 too, and one order without customer is made with one item. One customer has
    /// a logo.
    private func device() async throws -> Device {
        let service = try SampleService(more: [
            "ALTER TABLE Customers ADD COLUMN Logo BLOB", "UPDATE Customers SET Logo = x'0102' WHERE CustomerID = 'A'",
        ])
        let device = try await Device(Self.queries, service: service)
        try await device.store.download()
        try await device.update("Orders(3)", #"{"Note":"changed"}"#)
        try await device.update("Items(OrderID=4,LineNo=1)", #"{"Quantity":9}"#)
        try await device.create("Orders", #"{"Note":"new","Items":[{"LineNo":1}]}"#)
        return device
    }

    static let filters: [(String, Int)] = [
        ("Orders?$filter=sap.islocal()", 1),
        ("Orders?$filter=OfflineStore.isLocal()", 1),
        ("Orders?$filter=$it/OfflineStore.isLocal() eq true", 1),
        ("Orders?$filter=not sap.islocal()", 25),
        ("Orders?$filter=sap.islocal($it)", 1),
        ("Orders?$filter=sap.haspendingchanges()", 2),
        ("Orders?$filter=sap.hasPendingChanges() and not sap.isLocal()", 1),
        ("Orders?$filter=sap.haspendingchanges() and not OfflineStore.isLocal()", 1),
        ("Orders?$filter=Items/any(i: sap.islocal(i))", 1),
        ("Orders?$filter=Items/any(i:i/OfflineStore.hasPendingChanges())", 2),
        ("Orders?$filter=Items/all(i:not sap.haspendingchanges( i ))", 24),
        ("Orders?$filter=Items/any(i:sap.islocal($it) and sap.islocal(i))", 1),
        ("Orders?$filter=Items/$count($filter=sap.haspendingchanges()) eq 1", 2),
        ("Orders(4)/Items?$filter=sap.haspendingchanges()", 1),
        ("Orders/$filter(sap.islocal())", 1),
        ("Items?$filter=Order/sap.islocal()", 1),
        ("Items?$filter=sap.haspendingchanges(Order)", 3),
        ("Items?$filter=Order/Customer/OfflineStore.entityExists()", 50),
        ("Orders?$filter=sap.entityexists(Customer)", 25),
        ("Orders?$filter=not sap.entityexists(Customer)", 1),
        ("Orders?$filter=sap.entityexists(Items)", 26),
        ("Orders?$filter=sap.entityexists(Photos)", 2),
        ("Orders?$filter=Items(OrderID=4,LineNo=1)/sap.haspendingchanges()", 1),
        ("Orders?$filter=sap.entityexists(Items(OrderID=4,LineNo=1))", 1),
        ("Orders?$filter=not sap.entityexists(Items(OrderID=4,LineNo=1))", 25),
        ("Orders?$filter=$root/Orders(3)/sap.haspendingchanges() and OrderID le 2 and OrderID gt 0", 2),
        ("Photos?$filter=sap.mediaisoffline()", 2),
        ("Photos?$filter=OfflineStore.mediaIsOffline()", 2),
        ("Orders?$filter=OfflineStore.mediaIsOffline()", 0),
        ("Customers?$filter=sap.mediaisoffline(Logo)", 1),
        ("Customers?$filter=not Logo/OfflineStore.mediaIsOffline()", 2),
        ("Orders?$filter=sap.inerrorstate()", 0),
        ("Orders?$filter=sap.upsertedlastdownload()", 2),
        ("Orders?$filter=sap.upsertedLastDownload() and sap.entityExists(Customer) and not sap.inErrorState()", 2),
        ("Photos?$filter=sap.mediaIsOffline()", 2),
        ("Orders?$filter=OfflineStore.isUpsertedByLastDownload() or sap.islocal()", 3),
        ("Orders?$apply=filter(sap.haspendingchanges())", 2),
    ]

    @Test("The state of entities can be asked anywhere in an expression")
    func filters() async throws {
        let device = try await device()
        try await device.store.database.writing { db in
            try db.execute(sql: #"UPDATE "Orders" SET "$download" = CASE WHEN "OrderID" IN (1, 2) THEN 7 ELSE 1 END"#)
            try StoreValues(db: db).set("download", 7)
        }
        for (url, count) in Self.filters {
            #expect(try await device.count(url) == count, "\(url)")
        }
    }

    @Test(
        "What the last download has brought or changed is told",
        arguments: [DefiningQuery.Refresh.delta, .comparison])
    func lastDownload(refresh: DefiningQuery.Refresh) async throws {
        let device = try await Device([
            .init(name: "orders", query: "Orders", refresh: refresh),
            .init(name: "customers", query: "Customers", refresh: refresh),
        ])
        let told = { (set: String) in
            try await device.entities("\(set)?$filter=sap.upsertedlastdownload()").compactMap(\.id).sorted()
        }
        try await device.store.download()
        #expect(try await told("Orders").count == SampleService.orders)
        #expect(try await told("Customers").count == 3)
        for order in [5, 7] {
            try device.service.execute("UPDATE Orders SET Note = 'changed' WHERE OrderID = \(order)")
            try await device.store.download()
            #expect(try await told("Orders") == ["Orders(\(order))"])
            #expect(try await told("Customers").isEmpty)
        }
        try device.service.execute("INSERT INTO Orders (OrderID, Note) VALUES (99, 'new')")
        try await device.update("Orders(8)", #"{"Note":"mine"}"#)
        try await device.store.download()
        #expect(try await told("Orders") == ["Orders(99)"])
        try await device.store.download()
        #expect(try await told("Orders").isEmpty)
    }

    @Test("It orders, is computed, and stands in $expand")
    func options() async throws {
        let device = try await device()
        let first = try await device.values("Orders?$orderby=sap.islocal() desc,OrderID&$top=2", "Note")
        #expect(first == [.string("new"), .string("note 1")])
        let pending = try await device.values(
            "Orders?$filter=OrderID gt 0&$compute=sap.haspendingchanges() as Waits&$select=OrderID,Waits&$top=3",
            "Waits")
        #expect(pending == [.boolean(false), .boolean(false), .boolean(true)])
        let order = try #require(
            try await device.entities("Orders(4)?$expand=Items($filter=sap.haspendingchanges())").first)
        guard case .many(let items, _)? = order.expanded["Items"] else { return #expect(Bool(false)) }
        #expect(items.map(\.id) == ["Items(OrderID=4,LineNo=1)"])
    }

    static let preferences: [(String, String)] = [
        ("*", "hasPendingChanges isInErrorState isLocal isUpsertedByLastDownload"),
        ("OfflineStore.isLocal", "isLocal"), ("Core.*", ""),
        ("OfflineStore.*,-OfflineStore.isInErrorState", "hasPendingChanges isLocal isUpsertedByLastDownload"),
        ("*,-OfflineStore.*,OfflineStore.isLocal", "isLocal"), ("-*,*", ""),
    ]

    @Test("Entities tell their state as instance annotations when asked", arguments: preferences)
    func annotations(_ preference: String, _ expected: String) async throws {
        let device = try await device()
        var request = ReadRequest(try await device.store.query("Orders(4)?$expand=Items"))
        request.annotations = preference
        let order = try #require(try await device.store.entities(request).first)
        guard case .many(let items, _)? = order.expanded["Items"] else { return #expect(Bool(false)) }
        let terms = order.annotations.keys.map { String($0.dropFirst("OfflineStore.".count)) }.sorted()
        #expect(terms.joined(separator: " ") == expected)
        #expect(items.first?.annotations.keys.sorted() == order.annotations.keys.sorted())
        if expected.contains("Pending") {
            #expect(order.annotations["OfflineStore.hasPendingChanges"] == .boolean(false))
            #expect(items.first?.annotations["OfflineStore.hasPendingChanges"] == .boolean(true))
        }
    }

    @Test(
        "Published, a store says that it sends annotations, of one entity as of many",
        arguments: ["Orders(4)", "Orders"])
    func publishedAnnotations(_ path: String) async throws {
        let device = try await device()
        let preference = #"include-annotations="OfflineStore.isLocal""#
        let request = HTTPRequest(
            method: .get, scheme: "http", authority: "h", path: "/\(path)", headerFields: [.prefer: preference])
        let response = await ODataService(store: device.store).respond(to: request, body: .empty, root: "http://h/")
        #expect(response.head.headerFields[.preferenceApplied] == preference)
        let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
        #expect(text.contains(#""@OfflineStore.isLocal":false"#), "\(text)")
    }

    @Test("Annotations are written in JSON; media entities tell of their stream; nobody tells without being asked")
    func writtenAnnotations() async throws {
        let device = try await device()
        var request = ReadRequest(try await device.store.query("Photos(1)?$select=Title"))
        #expect(try await device.store.entities(request).first?.annotations == [:])
        request.annotations = "OfflineStore.mediaIsOffline,OfflineStore.isLocal"
        guard case .entities(let reader) = try await device.store.read(request).body else {
            return #expect(Bool(false))
        }
        var writer = JSONEntityWriter(shape: reader.shape, kind: .entity)
        writer.begin()
        while let block = try await reader.next() { writer.write(block) }
        writer.end()
        let text = String(decoding: writer.takeBytes(), as: UTF8.self)
        #expect(
            text.contains(#""@OfflineStore.isLocal":false,"@OfflineStore.mediaIsOffline":true,"Title":"#), "\(text)")
    }

    @Test("A refused request puts its entity into error state until it is mended")
    func errorState() async throws {
        let device = try await device()
        try await device.update("Orders(7)", #"{"Note":"refused"}"#)
        try await device.store.upload()
        #expect(try await device.values("Orders?$filter=sap.inerrorstate()", "OrderID") == [.integer(7)])
        try await device.update("Orders(7)", #"{"Note":"allowed"}"#)
        try await device.store.upload()
        #expect(try await device.count("Orders?$filter=OfflineStore.isInErrorState() or sap.islocal()") == 0)
    }

    @Test("A stream is offline when its content is in the store")
    func media() async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")])
        try await device.store.download()
        #expect(try await device.count("Photos?$filter=sap.mediaisoffline()") == 0)
        let path = try device.store.path("Photos(1)")
        _ = try await device.store.change(
            ChangeRequest(path, .replaceStream(MediaContent(.init([1, 2, 3]), contentType: "image/png"))))
        #expect(try await device.count("Photos?$filter=sap.mediaisoffline()") == 1)
    }

    @Test("The service is not asked what only the store knows")
    func definingQuery() async throws {
        let device = try await device()
        for query in [
            "Orders?$filter=sap.islocal()", "Orders?$expand=Items($filter=OfflineStore.isLocal())",
            "Orders?$filter=Items/any(i:sap.haspendingchanges(i))",
        ] {
            let error = #expect(throws: ODataError.self) {
                try device.store.addQuery(DefiningQuery(name: "local", query: query))
            }
            #expect(error?.code == .badRequest)
            #expect(error?.message.contains("sap.") == true || error?.message.contains("OfflineStore.") == true)
        }
        let query = try await device.store.query("Orders?$filter=sap.islocal()")
        let error = await #expect(throws: ODataError.self) { try await device.remote.entities(query) }
        #expect(error?.message.contains("sap.islocal") == true)
    }

    static let refusals = [
        "Orders?$filter=sap.islocal(Note)", "Orders?$filter=sap.unknown()", "Orders?$filter=sap.islocal(1)",
        "Orders?$filter=sap.islocal(Items)", "Orders?$filter=sap.islocal(Customer", "Orders?$filter=sap.islocal(a,b)",
        "Orders?$filter=sap.mediaisoffline(Note)", "Orders?$filter=Note/sap.islocal()",
    ]

    @Test("What is not an entity has no state", arguments: refusals)
    func refusal(_ url: String) async throws {
        let device = try await Device(Self.queries)
        let error = await #expect(throws: ODataError.self) { try await device.entities(url) }
        #expect(error?.code == .badRequest)
    }

    @Test("A service that has a schema named sap keeps it")
    func ownSchema() throws {
        let service = try EdmModel(schemas: [EdmSchema(namespace: "Sales", alias: "sap", container: "Container")])
        let model = try OfflineModel(service: service, locals: nil).model
        #expect(model.operations(named: EdmQualifiedName("sap.islocal")).isEmpty)
        #expect(model.operations(named: EdmQualifiedName("OfflineStore.isLocal")).count == 1)
    }
}
