import ByteStreams
import HTTPTypes
import OData
import Testing

// snippet: BTP headers that change
/// Sends the headers that hold at the moment, also after the store was opened; to the service alone.
struct CurrentHeaders: HTTPMiddleware {
    let fields: @Sendable () -> HTTPFields

    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        guard !next.context.isForeign else { return try await next.send(request, body: body) }
        var changed = request
        for field in fields() { changed.headerFields[field.name] = field.value }
        return try await next.send(changed, body: body)
    }
}
// end

@Suite("The part on services, batches and states of the page for those who come from the BTP SDK")
struct ComingFromBTPServices {
    @Test("Entities tell what is only known here")
    func states() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let change = ChangeRequest(
            try store.path("SalesOrders(1000)"), .update(EntityPayload(["Note": .string("Call first")])))
        _ = try await store.change(change)
        // snippet: BTP states of an entity
        var request = ReadRequest(try await store.query("SalesOrders(1000)"))
        request.annotations = "OfflineStore.isLocal,OfflineStore.hasPendingChanges,OfflineStore.isInErrorState"
        for order in try await store.entities(request) {
            show(order.annotations["OfflineStore.isLocal"], order.annotations["OfflineStore.isInErrorState"])
            show(order.annotations["OfflineStore.hasPendingChanges"])
        }
        // end
        let order = try await store.entities(request).first
        #expect(order?.annotations["OfflineStore.hasPendingChanges"] == EdmValue.boolean(true))
        #expect(order?.annotations["OfflineStore.isLocal"] == EdmValue.boolean(false))
    }

    @Test("Requests go together in one batch")
    func batch() async throws {
        let site = try FieldSite()
        let service = try site.online()
        let note = EntityPayload(["Note": .string("Call first")])
        // snippet: BTP batch
        let parser = QueryParser(model: try await service.model())
        let changes = try [1000, 1001].map { number in
            ChangeRequest(try parser.path("SalesOrders(\(number))"), .update(note))
        }
        for outcome in await service.batch(changes.map { [$0] }) {
            if case .failure(let error) = outcome { show(error.code, error.service?.message) }
        }
        // end
        #expect(try await site.text("Note", of: "SalesOrders(1001)") == "Call first")
    }

    @Test("Metadata and errors are values")
    func metadata() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: BTP metadata and errors
        let model = try await store.model()
        show(model.entitySet(named: "SalesOrders")?.type.properties.map(\.name))
        do {
            show(try await store.query("SalesOrders?$filter=Colour eq 'red'"))
        } catch let error as ODataError {
            show(error.code, error.message, error.status, error.service?.code, error.request)
        }
        // end
        #expect(model.entitySet(named: "SalesOrders") != nil)
    }

    @Test("Operations are called by their names")
    func operations() async throws {
        let site = try FlightSite()
        let service = try site.online()
        // snippet: BTP functions and actions
        let collections = EntityCollections(service)
        let free: Int32 = try await collections.function("FreeSeats", ["flight": .string("LH400")]).value()
        try await collections.action("CancelFlight", ["flight": .string("LH401")])
        // end
        #expect(free == 3 && site.cancelled == ["LH401"])
    }
}
