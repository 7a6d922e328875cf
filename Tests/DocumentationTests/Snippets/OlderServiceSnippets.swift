import OData
import ODataTesting
import Testing

@Suite("The article on services of V2")
struct OlderServiceSnippets {
    @Test("A service of V2 is asked, taken offline and changed as one of V4 is")
    func legacy() async throws {
        let site = try FieldSite()
        try await site.update("SalesOrders(1000)", ["Note": .string("Please call")])
        let (folder, transport) = (site.folder + "/store", InProcessTransport(service: site.service))
        // snippet: a service of V2
        var configuration = OnlineStore.Configuration()
        configuration.headers = [HeaderField(name: "sap-client", value: "100")]
        configuration.csrf = .always
        let service = try OnlineStore(
            serviceRoot: "http://service.test/v2/", transport: transport, configuration: configuration)
        let new = try await service.entities(
            QueryParser(model: service.model()).query("SalesOrders?$filter=contains(Note,'call')&$count=true"))
        // end
        #expect(new.map { $0["SalesOrderID"]?.lexical } == ["1000"])
        // snippet: SAP Gateway offline
        var offline = OfflineStore.Configuration()
        offline.exactlyOnce = .sapGateway
        let store = try OfflineStore(folder: folder, remote: service, configuration: offline)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "orders", query: "SalesOrders?$expand=SalesOrderItems"))
        try await store.download()
        // end
        let query = try await store.query("SalesOrders?$filter=SalesOrderItems/any(i:i/Position eq 10)&$top=1")
        #expect(try await store.entities(query).count == 1)
        let note = ChangeRequest(try store.path("SalesOrders(1001)"), .update(EntityPayload(["Note": .string("Now")])))
        _ = try await store.change(note)
        #expect(try await store.upload().isComplete)
        #expect(try await site.text("Note", of: "SalesOrders(1001)") == "Now")
        try store.close()
    }

    @Test("A service that speaks Atom through something that knows two methods")
    func atom() async throws {
        let site = try FieldSite()
        var configuration = OnlineStore.Configuration()
        // snippet: how V2 is spoken
        configuration.version = .v2
        configuration.legacy.format = .atom
        configuration.legacy.usesMerge = true
        configuration.legacy.tunnelsMethods = true
        configuration.legacy.usesFormatOption = true
        // end
        let service = try OnlineStore(
            serviceRoot: "http://service.test/v2/", transport: InProcessTransport(service: site.service),
            configuration: configuration)
        let path = try QueryParser(model: try await service.model()).path("SalesOrders(1000)")
        _ = try await service.change(ChangeRequest(path, .update(EntityPayload(["Note": .string("Atom")]))))
        #expect(try await site.text("Note", of: "SalesOrders(1000)") == "Atom")
    }
}
