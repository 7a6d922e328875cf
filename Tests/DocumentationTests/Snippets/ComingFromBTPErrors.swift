import OData
import Testing

@Suite("The part on media, errors and support of the page for those who come from the BTP SDK")
struct ComingFromBTPErrors {
    @Test("Streams are made, read, replaced and deleted")
    func media() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let file = try site.write([1, 2, 3, 4], to: "valve.png")
        // snippet: BTP media
        let picture = MediaContent(ByteContent(try FileSource(path: file)), contentType: "image/png")
        let made = try await store.createMedia(
            picture, in: store.path("Photos"), properties: EntityPayload(["Caption": .string("Valve")]))
        let photo = try store.path(made.entity?.id ?? "")
        let bytes = try await store.readStream(StreamRequest(photo)).content.collect(upTo: 10_000_000)
        let other = MediaContent(ByteContent([5, 6]), contentType: "image/png")
        _ = try await store.change(ChangeRequest(photo, .replaceStream(other)))
        _ = try await store.change(ChangeRequest(store.path("Photos(9001)"), .deleteStream))
        for stream in try await store.streamEntries() { show(stream.path, stream.state, stream.length) }
        // end
        #expect(bytes == [1, 2, 3, 4])
        #expect(try await store.upload().isComplete)
    }

    /// A store with three changes that the service refuses.
    private func refused(_ site: FieldSite) async throws -> OfflineStore {
        let store = try await site.device()
        for order in 1000...1002 {
            let path = "SalesOrderItems(SalesOrderID=\(order),Position=10)"
            let change = ChangeRequest(try store.path(path), .update(EntityPayload(["Quantity": .integer(0)])))
            _ = try await store.change(change, options: RequestOptions(tag: "order-\(order)"))
        }
        _ = try await store.upload()
        return store
    }

    @Test("What was refused is listed, mended, and taken back one by one")
    func errors() async throws {
        let site = try FieldSite()
        let store = try await refused(site)
        // snippet: BTP error archive
        let archive = try await store.query("ErrorArchive?$filter=Method eq 'PATCH'&$orderby=RequestID")
        for entry in try await store.entities(archive) { show(entry["Status"], entry["Message"], entry["Entity"]) }
        for entry in try await store.errorEntries() {
            show(entry.code, entry.innerError, entry.method, entry.url, entry.body)
            if let path = entry.entity { show(try await store.entities(store.query(path)).first) }
            switch entry.tag {
            case "order-1000":
                try await store.edit(errorID: entry.id, payload: EntityPayload(["Quantity": .integer(2)]))
            case "order-1001": try await store.skip(errorID: entry.id)
            default: try await store.undo(errorID: entry.id)
            }
        }
        // end
        #expect(try await store.upload().isComplete)
    }

    @Test("The queue is listed, and requests are cancelled")
    func queue() async throws {
        let site = try FieldSite()
        let store = try await refused(site)
        // snippet: BTP pending requests
        for request in try await store.queueEntries() {
            show(request.id, request.method, request.url, request.body, request.state, request.tag)
            show(request.dependsOn, request.entity, request.headers)
        }
        let failed = try await store.entities(store.query("RequestQueue?$filter=State eq 'failed'"))
        if let first = try await store.queueEntries().first {
            show(try await store.undoPlan(.request(first.id)).restoredEntities)
            try await store.undo(.request(first.id))
        }
        try await store.undo(.entity(store.path("SalesOrderItems(SalesOrderID=1001,Position=10)")))
        try await store.undo(.everything)
        // end
        #expect(failed.count == 3)
        #expect(try await store.queueEntries().isEmpty)
    }

    @Test("Events are read, and a copy is made for support")
    func support() async throws {
        let site = try FieldSite()
        let (store, copy) = (try await site.device(), site.folder + "/for-support")
        // snippet: BTP events
        let log = try await store.query("EventLog?$filter=Kind eq 'download'&$top=10")
        for event in try await store.entities(log) { show(event["Started"], event["Outcome"]) }
        for event in try await store.events() { show(event.kind, event.started, event.outcome, event.counts?.seconds) }
        try await store.export(to: copy, omitting: ["BusinessPartners/Email"])
        // end
        #expect(try await store.entities(log).count == 1)
    }
}
