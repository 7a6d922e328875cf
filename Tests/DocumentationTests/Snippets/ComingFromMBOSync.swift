import Foundation
import OData
import ODataTesting
import Synchronization
import Testing

@Suite("The part on synchronisation of the page for those who come from mobile business objects")
struct ComingFromMBOSync {
    @Test("A database is made, synchronised by groups, and given up")
    func synchronizing() async throws {
        let site = try FieldSite()
        let (folder, service) = (site.folder + "/store", try site.online())
        let (key, next) = (EncryptionKey.random(), EncryptionKey.random())
        // snippet: MBO database
        let store = try OfflineStore(folder: folder, remote: service, key: key)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "sales", query: "SalesOrders?$expand=SalesOrderItems"))
        try store.addQuery(DefiningQuery(name: "partners", query: "BusinessPartners"))
        try await store.rekey(to: next)
        // end
        // snippet: MBO synchronize
        let sent = try await store.upload(categories: ["sales"])
        let brought = try await store.download(["sales"]) { progress in show(progress.query, progress.entities) }
        let all = Task {
            try await store.upload()
            return try await store.download()
        }
        show(sent.isComplete, brought.summary, try await all.value.queries.count)
        let orders = FieldService(store).salesOrders
        let new = try orders.options("$filter=OfflineStore.isUpsertedByLastDownload()")
        // end
        #expect(try await new.count() == 0, "the second download brought nothing new")
        #expect(try await store.status.entities["SalesOrders"] == 30)
        // snippet: MBO replay queue
        let isReplayQueueEmpty = try await store.queueEntries().isEmpty
        let rebuilt = try await store.rebuild()
        show(rebuilt.keptRequests, rebuilt.misfits.count)
        // end
        #expect(isReplayQueueEmpty)
        #expect(try await store.status.entities["SalesOrders"] == 30)
        // snippet: MBO removing the database
        try store.removeQuery("sales")
        try store.clear()
        try store.close()
        try FileManager.default.removeItem(atPath: folder)
        // end
    }

    @Test("Local objects stay on the device")
    func local() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        // snippet: MBO local objects
        let draft = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName("App.Draft"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .primitive(.guid), isNullable: false),
                EdmProperty(name: "Text", type: .string),
            ])
        let sets = [EdmEntitySetDeclaration(name: "Drafts", type: draft.name)]
        try await store.addLocalSets(EdmSchema(namespace: "App", types: [draft], entitySets: sets))
        let drafts = EntityCollections(store)["Drafts"]
        let made = try await drafts.create(DynamicEntity(["Text": .string("Ask for the key")]))
        show(made["Text"], try await drafts.count())
        // end
        #expect(try await store.queueEntries().isEmpty)
        #expect(try await drafts.count() == 1)
    }

    @Test("What was refused is told, and stays until somebody decides")
    func callbacks() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let refused = EntityPayload(["Quantity": .integer(0)])
        let path = "SalesOrderItems(SalesOrderID=1000,Position=10)"
        _ = try await store.change(ChangeRequest(store.path(path), .update(refused)))
        // snippet: MBO replay results
        let report = try await store.upload()
        for request in report.succeeded { show("replayed", request.entity, request.tag) }
        for entry in report.failed { show("refused", entry.entity, entry.code, entry.message) }
        for entry in try await store.errorEntries() { try await store.retry(errorID: entry.id) }
        for event in try await store.events() { show(event.kind, event.outcome, event.message) }
        // end
        #expect(report.failed.count == 1)
    }

    @Test("A list follows the database until its task is cancelled")
    func imports() async throws {
        let site = try FieldSite()
        let orders = FieldService(try await site.device()).salesOrders
        let (shown, list) = AsyncStream.makeStream(of: Int.self)
        @Sendable func show(_ values: Any?...) { list.yield(values.first as? Int ?? -1) }
        let task = Task {
            // snippet: MBO imports
            for await result in orders.where({ $0.status == "new" }).orderBy(\.orderDate).updates {
                switch result {
                case .success(let snapshot): show(snapshot.count, snapshot.difference?.insertions)
                case .failure(let error): show(error)
                }
            }
            // end
        }
        var counts = shown.makeAsyncIterator()
        let new = try await orders.where { $0.status == "new" }.findAll()
        #expect(await counts.next() == new.count)
        let first = try #require(new.first)
        try await orders.delete(first)
        #expect(await counts.next() == new.count - 1)
        task.cancel()
        await task.value
    }

    @Test("An operation waits in the queue like a change")
    func operations() async throws {
        let site = try FlightSite()
        let store = try OfflineStore(folder: site.folder + "/store", remote: try site.online())
        try await store.open()
        // snippet: MBO operations
        let collections = EntityCollections(store)
        try await collections.action("CancelFlight", ["flight": .string("LH401")])
        show(try await store.queueEntries().map(\.url))
        let report = try await store.upload()
        show(report.succeeded.count, report.failed.map(\.message))
        // end
        #expect(report.isComplete && site.cancelled == ["LH401"])
        try store.close()
    }

    @Test("Without a network there is an error")
    func connection() async throws {
        let site = try FieldSite()
        let isCut = Mutex(false)
        let store = try await site.device(FaultPlan { _ in isCut.withLock { $0 } ? .refused : nil })
        isCut.withLock { $0 = true }
        let (codes, told) = AsyncStream.makeStream(of: String.self)
        func show(_ values: Any?...) { told.yield(values.first as? String ?? "") }
        // snippet: MBO connection errors
        do { try await store.download() } catch let error as ODataError {
            switch error.code {
            case .unauthorized: show("log in again")
            case .unreachable: show("no network", error.message)
            default: throw error
            }
        }
        // end
        told.finish()
        #expect(await codes.reduce(into: []) { $0.append($1) } == ["no network"])
    }

    @Test("Large values are streams")
    func large() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        var read = 0
        // snippet: MBO large values
        let stream = store.stream(StreamRequest(try store.path("Photos(9000)")))
        for try await chunk in try stream.chunks() { read += chunk.count }
        let other = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await store.change(ChangeRequest(store.path("Photos(9000)"), .replaceStream(other)))
        // end
        #expect(read > 0)
    }
}
