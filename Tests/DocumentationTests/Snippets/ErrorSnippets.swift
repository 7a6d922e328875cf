import OData
import ODataTesting
import Testing

@Suite("The article on errors and undo")
struct ErrorSnippets {
    private static let item = "SalesOrderItems(SalesOrderID=1000,Position=10)"

    /// A store whose change of a quantity the service refuses.
    private func refused(_ site: FieldSite) async throws -> OfflineStore {
        let store = try await site.device()
        let change = EntityPayload(["Quantity": .integer(0)])
        _ = try await store.change(ChangeRequest(store.path(Self.item), .update(change)))
        return store
    }

    @Test("What was refused is listed, asked for and mended")
    func mended() async throws {
        let site = try FieldSite()
        let store = try await refused(site)
        // snippet: an upload with errors
        let report = try await store.upload()
        show(report.succeeded.count, report.isComplete)
        for entry in report.failed { show(entry.status, entry.code, entry.message, entry.method, entry.url) }
        for request in report.held { show("not sent, because of an earlier one:", request.url) }
        // end
        // snippet: the error archive
        let archive = try await store.query("ErrorArchive?$filter=Status eq 400&$orderby=Occurred desc")
        for entry in try await store.entities(archive) { show(entry["Message"]?.lexical, entry["Entity"]?.lexical) }
        // end
        #expect(try await store.entities(archive).count == 1)
        // snippet: mending
        for entry in try await store.errorEntries() where entry.url.hasPrefix("SalesOrderItems") {
            try await store.edit(errorID: entry.id, payload: EntityPayload(["Quantity": .integer(1)]))
        }
        let second = try await store.upload()
        // end
        #expect(second.isComplete)
        #expect(try await site.text("Quantity", of: Self.item) == "1")
    }

    @Test("An entry is given up or undone")
    func givenUp() async throws {
        let site = try FieldSite()
        let store = try await refused(site)
        let before = try await site.text("Quantity", of: Self.item)
        _ = try await store.upload()
        let entry = try #require(try await store.errorEntries().first)
        // snippet: giving up
        let plan = try await store.undoPlan(errorID: entry.id)
        show(plan.requests.map(\.url), plan.removedEntities, plan.restoredEntities)
        try await store.undo(errorID: entry.id)
        // end
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.entities(store.query(Self.item)).first?["Quantity"]?.lexical == before)
    }

    @Test("Changes that wait are taken back")
    func undone() async throws {
        let site = try FieldSite()
        let store = try await refused(site)
        // snippet: undo
        try await store.undo(.entity(store.path("SalesOrderItems(SalesOrderID=1000,Position=10)")))
        try await store.undo(.everything)
        // end
        #expect(try await store.queueEntries().isEmpty)
    }

    @Test("An upload without network says what it sent")
    func interrupted() async throws {
        let site = try FieldSite()
        let store = try await site.device(FaultPlan { $0.request.method == .post ? .refused : nil })
        let change = EntityPayload(["State": .string("done")])
        for order in 5000...5001 {
            _ = try await store.change(ChangeRequest(store.path("WorkOrders(\(order))"), .update(change)))
        }
        // snippet: an upload that is cut
        do {
            try await store.upload()
        } catch let error as ODataError where error.code == .unreachable {
            guard let cut = error.cause as? UploadInterruption else { throw error }
            show(error.message, cut.report.succeeded.count, cut.report.notSent.count)
        }
        // end
        #expect(try await store.queueEntries().count == 2)
    }

    @Test("What became of a request whose response was lost is decided by the app")
    func unconfirmed() async throws {
        let site = try FieldSite()
        // snippet: lost responses
        var configuration = OfflineStore.Configuration()
        configuration.unconfirmed = { request in
            guard request.candidates.count == 1, let key = request.candidates.first?.key else { return .hold }
            return .made(key)
        }
        // end
        let store = try await site.device(.once(.responseLost) { $0.method == .post }, configuration: configuration)
        let orders = try store.path("SalesOrders")
        let new = try await store.payload(#"{"BusinessPartnerID": 100, "OrderDate": "2026-03-01"}"#, for: orders)
        _ = try await store.change(ChangeRequest(orders, .create(new)))
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        // snippet: deciding on lost responses
        for request in try await store.queueEntries() where request.state == .unconfirmed {
            try await store.decide(requestID: request.id, .notSent)
        }
        // end
        #expect(try await store.queueEntries().map(\.state) == [.waiting])
        #expect(try await store.upload().isComplete)
    }
}
