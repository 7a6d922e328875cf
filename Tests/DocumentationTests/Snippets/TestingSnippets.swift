import OData
import ODataConformance
import ODataService
import ODataTesting
import Testing

// snippet: a test in process
@Test("A work order that is done offline is done at the service")
func finishing() async throws {
    let site = try FieldSite()
    let transport = InProcessTransport(service: ODataService(store: site.file), root: "http://service.test/")
    let service = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
    let store = try OfflineStore(folder: site.folder + "/store", remote: service)
    try await store.open()
    try store.addQuery(DefiningQuery(name: "work", query: "WorkOrders"))
    try await store.download()

    let done = EntityPayload(["State": .string("done")])
    _ = try await store.change(ChangeRequest(store.path("WorkOrders(5000)"), .update(done)))
    #expect(try await store.upload().isComplete)
    #expect(try await site.text("State", of: "WorkOrders(5000)") == "done")
}
// end

@Suite("The article on testing an app")
struct TestingSnippets {
    @Test("A response is lost, and the request is executed once")
    func faults() async throws {
        let site = try FieldSite()
        // snippet: a bad connection
        let lossy = FaultTransport(
            next: InProcessTransport(service: site.service), plan: .once(.responseLost) { $0.method == .post })
        let service = try OnlineStore(serviceRoot: "http://service.test/", transport: lossy)
        // end
        let store = try OfflineStore(folder: site.folder + "/store", remote: service)
        try await store.open()
        let payload = EntityPayload(["WorkOrderID": .integer(5000), "Remarks": .string("once")])
        _ = try await store.change(ChangeRequest(store.path("Inspections"), .create(payload)))
        await #expect(throws: ODataError.self) { try await store.upload() }
        // snippet: after a lost response
        let report = try await store.upload()
        #expect(report.isComplete)
        // end
        let parser = QueryParser(model: try await site.file.model())
        let made = try await site.file.entities(parser.query("Inspections?$filter=Remarks eq 'once'"))
        #expect(made.count == 1)
    }

    @Test("Faults are given in order, by rule or drawn")
    func plans() {
        // snippet: plans of faults
        let inOrder = FaultPlan.requests([0: .refused, 2: .cut(after: 100)])
        let byRule = FaultPlan { attempt in attempt.request.path?.contains("Photos") == true ? .status(503) : nil }
        let drawn = FaultPlan.random(seed: 7, percent: 10, of: [.responseLost, .requestLost, .late])
        // end
        _ = (inOrder, byRule, drawn)
    }

    @Test("A sample is made")
    func sample() throws {
        let site = try FieldSite()
        let path = site.folder + "/sample.db"
        // snippet: a sample
        var size = FieldServiceSample.Size()
        (size.orders, size.photos) = (30, 6)
        try FieldServiceSample.create(at: path, size: size)
        // end
        #expect(try FileSource(path: path).length ?? 0 > 0)
    }

    @Test("A store of one's own passes checks of the suite")
    func conformance() async throws {
        // snippet: the checks of a store
        let checks = ConformanceSuite.checks(for: [.constraints, .etags])
        // end
        #expect(checks.count > 400)
        for check in checks.prefix(5) { try await conforms(check) }
    }

    // snippet: a conformance test
    func conforms(_ check: ConformanceCheck) async throws {
        let site = try ConformanceSite()
        try await check.run(on: site.store)
    }
    // end
}
