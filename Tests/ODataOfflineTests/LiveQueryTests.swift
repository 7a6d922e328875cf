import Dispatch
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Live queries")
struct LiveQueryTests {
    static let queries = [
        DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
        DefiningQuery(name: "customers", query: "Customers"),
    ]

    private func device() async throws -> Device {
        let device = try await Device(Self.queries)
        try await device.store.download()
        return device
    }

    private func live(_ url: String, _ device: Device) async throws -> LiveQuery.Iterator {
        device.store.live(try await device.store.query(url)).makeAsyncIterator()
    }

    @Test("A result comes at once and again after each change, with what differs")
    func changes() async throws {
        let device = try await device()
        var live = try await live("Orders?$orderby=Note&$filter=OrderID ne 5", device)
        let first = try #require(try await live.next()?.get())
        #expect(first.entities.count == 24)
        #expect(first.difference == nil)

        try await device.update("Orders(3)", #"{"Note":"zzz"}"#)
        let second = try #require(try await live.next()?.get())
        #expect(second.entities.last?.id == "Orders(3)")
        #expect(second.difference?.moves.map(\.to) == [23])
        #expect(second.difference?.changes == second.difference?.moves)
        #expect(second.difference?.removals == [] && second.difference?.insertions == [])

        try await device.delete("Orders(3)")
        let third = try #require(try await live.next()?.get())
        #expect(third.difference?.removals == [23])
        try await device.create("Orders", #"{"Note":"aaa"}"#)
        let fourth = try #require(try await live.next()?.get())
        #expect(fourth.difference?.insertions == [0])
        #expect(fourth.entities.count == 24)
    }

    @Test("Changes of what is expanded, of counts and of values are seen")
    func kinds() async throws {
        let device = try await device()
        var orders = try await live("Orders?$expand=Items&$filter=OrderID le 2&$count=true", device)
        var count = try await live("Items/$count", device)
        var note = try await live("Items(OrderID=1,LineNo=2)/Product", device)
        var customer = try await live("Orders(1)/Customer", device)
        _ = try (
            await orders.next()?.get(), await count.next()?.get(), await note.next()?.get(),
            await customer.next()?.get()
        )

        try await device.update("Items(OrderID=1,LineNo=2)", #"{"Product":"other"}"#)
        #expect(try await orders.next()?.get().difference?.changes.map(\.to) == [0])
        #expect(try await note.next()?.get().content == .value(.string("other")))
        try await device.delete("Items(OrderID=25,LineNo=2)")
        #expect(try await count.next()?.get().content == .count(49))
        try await device.update("Orders(1)", #"{"CustomerID":"C"}"#)
        #expect(try await customer.next()?.get().entities.first?["Name"] == .string("Gamma"))
        let second = try #require(try await orders.next()?.get())
        #expect(second.count == 2)
        #expect(second.entities.first?["CustomerID"] == .string("C"))
    }

    @Test("Changes that come while nobody takes results are seen together")
    func burst() async throws {
        let device = try await device()
        var live = try await live("Orders", device)
        _ = await live.next()
        for number in 1...20 { try await device.update("Orders(\(number))", #"{"Note":"a"}"#) }
        let result = try #require(try await live.next()?.get())
        #expect(result.difference?.changes.map(\.from) == Array(0..<20))
        try await device.update("Orders(25)", #"{"Note":"a"}"#)
        #expect(try await live.next()?.get().difference?.changes.map(\.from) == [24])
    }

    @Test("Only what the query reads wakes it")
    func region() async throws {
        let device = try await device()
        let region = try await device.store.liveReads.region(
            of: ReadRequest(try await device.store.query("Orders?$expand=Items")))
        let touching: [DatabaseEventKind] = [
            .insert(tableName: "Orders"), .delete(tableName: "Items"),
            .update(tableName: "Orders", columnNames: ["Note"]), .update(tableName: "Items", columnNames: ["$state"]),
        ]
        let others: [DatabaseEventKind] = [
            .insert(tableName: "Customers"), .insert(tableName: "$queue"), .insert(tableName: "$stage$0"),
            .update(tableName: "Orders", columnNames: ["$holders0", "$download"]),
        ]
        #expect(touching.allSatisfy { region.isModified(byEventsOfKind: $0) })
        #expect(!others.contains { region.isModified(byEventsOfKind: $0) })
        let queue = try await device.store.liveReads.region(
            of: ReadRequest(try await device.store.query("RequestQueue")))
        #expect(queue.isModified(byEventsOfKind: .insert(tableName: "$queue")))
        #expect(!queue.isModified(byEventsOfKind: .insert(tableName: "Orders")))
    }

    @Test("Properties that nothing keeps up to date any more, or that are again, are seen though no value is written")
    func mask() async throws {
        let device = try await device()
        var live = try await live("Orders?$filter=OrderID le 2", device)
        #expect(try await live.next()?.get().entities.first?["Amount"] != nil)
        try device.store.addQuery(.init(name: "notes", query: "Orders?$select=Note"))
        try await device.store.download()
        try device.store.removeQuery("orders")
        let masked = try #require(try await live.next()?.get())
        #expect(masked.entities.count == 2 && masked.difference?.changes.map(\.to) == [0, 1])
        #expect(masked.entities.first?["Amount"] == nil && masked.entities.first?["Note"] != nil)
        try device.store.removeQuery("notes")
        try await device.store.download()
        #expect(try await live.next()?.get().entities.isEmpty == true)
    }

    @Test("What a comparison of keys finds gone is seen, and is a conflict where changes wait")
    func comparedKeys() async throws {
        let query = DefiningQuery(
            name: "orders", query: "Orders?$select=Note", refresh: .changedSince("Amount", compareEvery: 1))
        let device = try await Device([query])
        try await device.store.download()
        var live = try await live("Orders?$filter=OrderID ge 22", device)
        _ = await live.next()
        try await device.update("Orders(23)", #"{"Note":"mine"}"#)
        _ = await live.next()
        for table in ["Items", "Photos", "Orders"] {
            try device.service.execute("DELETE FROM \(table) WHERE OrderID IN (22, 23)")
        }
        try await device.store.download()
        let result = try #require(try await live.next()?.get())
        #expect(result.difference?.removals == [0] && result.entities.first?["Note"] == .string("mine"))
        let request = try #require(try await device.store.queueEntries().first)
        let conflict = try await device.store.conflict(requestID: request.id)
        #expect(conflict != nil && conflict?.theirs == nil)
    }

    @Test("A commit that changes nothing of the result gives none")
    func equalResults() async throws {
        let device = try await device()
        var live = try await live("Orders?$select=OrderID,Note&$filter=OrderID lt 10", device)
        _ = await live.next()
        try await device.update("Orders(20)", #"{"Note":"outside"}"#)
        try await device.store.download()
        try await device.update("Customers('A')", #"{"Name":"x"}"#)
        try await device.update("Orders(2)", #"{"Note":"inside"}"#)
        #expect(try await live.next()?.get().difference?.changes.map(\.from) == [1])
    }

    @Test("An error is a value; the entity may come")
    func errors() async throws {
        let device = try await device()
        var live = try await live("Orders(99)", device)
        guard case .failure(let error) = await live.next() else { return #expect(Bool(false)) }
        #expect(error.code == .notFound)
        try await device.update("Orders(2)", #"{"Note":"x"}"#)
        try device.service.execute("INSERT INTO Orders (OrderID, Note) VALUES (99, 'late')")
        try await device.store.download()
        #expect(try await live.next()?.get().entities.first?["Note"] == .string("late"))
        try await device.delete("Orders(99)")
        guard case .failure(let gone) = await live.next() else { return #expect(Bool(false)) }
        #expect(gone.code == .notFound)
    }

    @Test("What the store does not support ends with its error")
    func impossible() async throws {
        let device = try await device()
        var query = try await device.store.query("Orders")
        let unknown = EdmOperationDeclaration(
            kind: .function, name: EdmQualifiedName("service.Guess"), result: .init(type: .boolean))
        query.options.filter = .operation(OperationCall(unknown), on: nil)
        var live = device.store.live(query).makeAsyncIterator()
        guard case .failure(let error) = await live.next() else { return #expect(Bool(false)) }
        #expect(error.code == .notImplemented)
        #expect(await live.next() == nil)
    }

    @Test("It ends when the store closes, and gives nothing of a closed store")
    func close() async throws {
        let device = try await device()
        let query = try await device.store.query("Orders")
        var live = device.store.live(query).makeAsyncIterator()
        _ = await live.next()
        try device.store.close()
        #expect(await live.next() == nil)
        #expect(await live.next() == nil)
        var late = device.store.live(query).makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("It ends with its task")
    func cancellation() async throws {
        let device = try await device()
        let query = try await device.store.query("Orders")
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            var results = 0
            for await _ in device.store.live(query) {
                results += 1
                start.yield()
            }
            return results
        }
        for await _ in started { break }
        task.cancel()
        #expect(await task.value == 1)
    }

    @Test("An entity made here is the same one after its upload")
    func identity() async throws {
        let device = try await device()
        var live = try await live("Orders?$expand=Items&$orderby=Note", device)
        _ = await live.next()
        let made = try await device.create("Orders", #"{"Note":"aaa","Items":[{"LineNo":1}]}"#)
        let new = try #require(try await live.next()?.get())
        #expect(new.difference?.insertions == [0])
        #expect(new.entities[0].id == made.entity?.id)
        try await device.store.upload()
        var result = new
        while result.entities[0].id != "Orders(26)" {
            result = try #require(try await live.next()?.get())
            #expect(result.difference?.removals == [] && result.difference?.insertions == [])
            #expect(result.difference?.moves == [])
        }
        #expect(result.difference?.changes.map(\.from) == [0])
    }

    @Test("The first download and clearing are seen, though they exchange tables")
    func tables() async throws {
        let device = try await Device(Self.queries)
        var live = try await live("Orders", device)
        #expect(try await live.next()?.get().entities.isEmpty == true)
        try await device.store.download()
        #expect(try await live.next()?.get().difference?.insertions.count == 25)
        try device.store.clear()
        #expect(try await live.next()?.get().difference?.removals.count == 25)
    }

    @Test("A transaction that ran when the query began is not missed")
    func running() async throws {
        let device = try await device()
        let query = try await device.store.query("Orders(3)")
        let (changed, change) = AsyncStream<Void>.makeStream()
        let permission = DispatchSemaphore(value: 0)
        device.store.database.pool.asyncWriteWithoutTransaction { db in
            try? db.inTransaction {
                try db.execute(sql: #"UPDATE "Orders" SET "Note" = 'meanwhile' WHERE "OrderID" = 3"#)
                change.yield()
                permission.wait()
                return .commit
            }
        }
        for await _ in changed { break }
        var live = device.store.live(query).makeAsyncIterator()
        #expect(try await live.next()?.get().entities.first?["Note"] == .string("note 3"))
        permission.signal()
        #expect(try await live.next()?.get().entities.first?["Note"] == .string("meanwhile"))
    }

    @Test("Many live queries leave readers a connection, and all see the last state")
    func many() async throws {
        let device = try await device()
        let query = try await device.store.query("Orders?$expand=Items")
        try await withThrowingTaskGroup(of: EdmValue?.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    for await result in device.store.live(query) {
                        let order = try result.get().entities.first
                        if order?["Note"] == .string("30") { return order?["Note"] }
                    }
                    return nil
                }
            }
            for number in 1...30 {
                try await device.update("Orders(1)", #"{"Note":"\#(number)"}"#)
                #expect(try await device.count("Orders(1)/Items") == 2)
            }
            for try await note in group { #expect(note == .string("30")) }
        }
    }

    @Test("Annotations are part of what is compared")
    func annotations() async throws {
        let device = try await device()
        let query = try await device.store.query("Orders(3)?$select=OrderID")
        var live = device.store.live(query, annotations: "OfflineStore.hasPendingChanges").makeAsyncIterator()
        let term = "OfflineStore.hasPendingChanges"
        #expect(try await live.next()?.get().entities.first?.annotations == [term: .boolean(false)])
        try await device.update("Orders(3)", #"{"Note":"x"}"#)
        #expect(try await live.next()?.get().entities.first?.annotations == [term: .boolean(true)])
    }

    @Test("A store that is only read sees what its writer does")
    func reader() async throws {
        let device = try await device()
        let reader = try OfflineStore(folder: device.folder.path + "/store", remote: nil, isReadOnly: true)
        try await reader.open()
        var live = reader.live(try await reader.query("Orders(3)")).makeAsyncIterator()
        #expect(try await live.next()?.get().entities.first?["Note"] == .string("note 3"))
        try await device.update("Orders(3)", #"{"Note":"x"}"#)
        #expect(try await live.next()?.get().entities.first?["Note"] == .string("x"))
        try reader.close()
        #expect(await live.next() == nil)
    }

    @Test("The request queue is live")
    func queue() async throws {
        let device = try await device()
        var live = try await live("RequestQueue", device)
        #expect(try await live.next()?.get().entities.isEmpty == true)
        try await device.update("Orders(3)", #"{"Note":"x"}"#)
        #expect(try await live.next()?.get().entities.first?["URL"] == .string("Orders(3)"))
        try await device.store.upload()
        var result = try #require(try await live.next()?.get())
        while !result.entities.isEmpty { result = try #require(try await live.next()?.get()) }
    }
}
