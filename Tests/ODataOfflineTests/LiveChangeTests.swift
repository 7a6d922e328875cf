import ByteStreams
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import TestSupport
import Testing

@testable import ODataOffline

/// Which commits make a live query read again, and that none is missed.
@Suite("Commits and live queries")
struct LiveChangeTests {
    private static let queries = [
        DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
        DefiningQuery(name: "customers", query: "Customers"),
        DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true),
    ]

    private func device() async throws -> Device {
        let device = try await Device(Self.queries)
        try await device.store.download()
        return device
    }

    /// Those that decide on each entity by its own properties.
    static let rowwise = [
        "Orders", "Orders(3)", "Orders(3)?$expand=Items", "Orders?$filter=contains(Note,'x')",
        "Orders?$filter=Amount gt 5 and not (Note eq null)&$orderby=Note desc&$top=3",
        "Orders?$select=OrderID&$orderby=length(Note)", "Orders?$filter=year(OrderDate) in (2024,2025)&$expand=Items",
        "Items?$filter=Quantity add 1 gt 2", "Orders?$expand=Items($filter=Quantity gt 1;$top=1),Customer",
        "Photos?$filter=Title ne 'a'&$select=PhotoID", "Customers?$expand=Orders($expand=Items)",
    ]

    /// Those whose result depends on other rows, tables or the time.
    static let others = [
        "Orders?$skip=3", "Orders?$count=true", "Orders/$count", "Orders(1)/Items", "Orders(1)/Note",
        "Orders(1)/Customer", "Orders?$filter=Customer/Name eq 'Alpha'", "Orders?$orderby=Customer/Name",
        "Orders?$filter=Items/any(i:i/Quantity gt 1)", "Orders?$filter=Items/$count gt 1", "Orders?$search=note",
        "Orders?$apply=groupby((CustomerID),aggregate(Amount with sum as Total))",
        "Orders?$compute=Amount mul 2 as Two",
        "Orders?$filter=OrderDate lt now()", "Orders?$filter=OfflineStore.hasPendingChanges()", "RequestQueue",
        "Customers?$expand=Orders($expand=Customer)", "Orders?$expand=Items($expand=Order)", "$all", "ErrorArchive",
        "Orders?$expand=Items($filter=$it/Amount gt 5)", "Orders?$filter=$root/Orders(1)/Amount eq Amount",
    ]

    @Test("Whether a query decides on each entity by its own properties", arguments: rowwise + others)
    func kind(_ url: String) async throws {
        let device = try await Device([])
        let query = try await device.store.query(url)
        let schema = try device.store.offlineModel().schema
        #expect((RowwiseQuery(query, in: schema) != nil) == Self.rowwise.contains(url))
    }

    private func isUnchanged(_ url: String, by rows: Set<Int64>, since last: [EdmEntity], _ device: Device) async throws
        -> Bool
    {
        let byID = Dictionary(uniqueKeysWithValues: last.compactMap { entity in entity.id.map { ($0, entity) } })
        return try await device.store.liveReads.isUnchanged(
            by: rows, of: ReadRequest(try await device.store.query(url)), since: byID)
    }

    private func row(_ order: Int, _ device: Device) throws -> Int64 {
        try #require(
            try device.store.database.read {
                try Int64.fetchOne($0, sql: #"SELECT "$id" FROM "Orders" WHERE "OrderID" = ?"#, arguments: [order])
            })
    }

    @Test("Rows that were not in the result and do not match leave it as it was; others do not")
    func rows() async throws {
        let device = try await device()
        let url = "Orders?$filter=contains(Note,'x')&$orderby=Note"
        try await device.update("Orders(4)", #"{"Note":"x"}"#)
        try await device.update("Orders(5)", #"{"Note":"xx"}"#)
        let last = try await device.entities(url)
        #expect(last.count == 2)
        let rows = try (1...9).map { try row($0, device) }
        func isUnchanged(_ orders: Int...) async throws -> Bool {
            try await self.isUnchanged(url, by: Set(orders.map { rows[$0 - 1] }), since: last, device)
        }
        #expect(try await isUnchanged(1, 2, 3), "none of them matches")
        #expect(try await isUnchanged(1, 4, 5), "those that match are as they were")
        try await device.update("Orders(6)", #"{"Note":"other"}"#)
        #expect(try await isUnchanged(6), "it did not match and does not")
        try await device.update("Orders(7)", #"{"Note":"axb"}"#)
        #expect(try await !isUnchanged(7), "it matches now")
        try await device.update("Orders(4)", #"{"Amount":7}"#)
        #expect(try await !isUnchanged(4), "it has another value")
        try await device.update("Orders(5)", #"{"Note":"none"}"#)
        #expect(try await !isUnchanged(5), "it does not match any more")
        try await device.delete("Orders(8)")
        #expect(try await !isUnchanged(8), "it is hidden, and might have been shown")
        #expect(try await !self.isUnchanged(url, by: [987_654], since: last, device), "it is gone")
        try await device.update("Orders(1)", #"{"Note":null}"#)
        #expect(try await isUnchanged(1), "null does not match")
    }

    @Test("The order may depend on what the result does not show")
    func order() async throws {
        let device = try await device()
        let row = try row(3, device)
        for (url, isTold) in [
            ("Orders?$select=OrderID&$orderby=Note", false), ("Orders?$select=OrderID,Note&$orderby=Note", true),
            ("Orders?$select=OrderID,Note&$orderby=length(Note)", false), ("Orders?$select=OrderID", true),
        ] {
            let last = try await device.entities(url)
            #expect(try await isUnchanged(url, by: [row], since: last, device) == isTold, "\(url)")
        }
    }

    @Test("For an entity by its key, rows of other keys make no difference")
    func key() async throws {
        let device = try await device()
        let url = "Orders(3)?$expand=Items"
        let last = try await device.entities(url)
        #expect(try await isUnchanged(url, by: [row(4, device), row(5, device)], since: last, device))
        #expect(try await !isUnchanged(url, by: [row(3, device), row(5, device)], since: last, device))
        #expect(try await !isUnchanged("Orders(99)", by: [row(5, device)], since: [], device))
    }

    @Test("Events of rows are insertions and updates that leave the key")
    func events() async throws {
        let device = try await device()
        func region(_ url: String) async throws -> LiveRegion {
            try await device.store.liveReads.region(of: ReadRequest(try await device.store.query(url)))
        }
        let state = DatabaseEventKind.update(tableName: "Orders", columnNames: ["$state"])
        let notes = try await region("Orders?$filter=contains(Note,'x')&$select=Note")
        #expect(notes.isOfRows(.insert(tableName: "Orders")) && notes.isOfRows(state))
        #expect(notes.isOfRows(.update(tableName: "Orders", columnNames: ["Note", "$etag"])))
        #expect(!notes.isOfRows(.delete(tableName: "Orders")) && !notes.isOfRows(.insert(tableName: "Items")))
        #expect(!notes.isOfRows(.update(tableName: "Orders", columnNames: ["Note", "OrderID"])))
        #expect(!notes.isModified(byEventsOfKind: .update(tableName: "Orders", columnNames: ["Amount"])))
        let counted = try await region("Orders/$count?$filter=contains(Note,'x')")
        #expect(!counted.isOfRows(.insert(tableName: "Orders")))
        for region in [notes, counted, try await region("Orders?$expand=Items,Customer"), try await region("$all")] {
            #expect(region.isModified(byEventsOfKind: state))
        }
    }

    @Test("Changes of several commits are taken together, and what was rolled back is not taken")
    func log() {
        let log = CommittedChangeLog()
        #expect(!log.add(.rows([1])) && log.commit() && !log.add(.rows([2, 3])) && log.commit() && !log.commit())
        guard case .rows([1, 2, 3]) = log.take(), case .nothing = log.take() else { return #expect(Bool(false)) }
        #expect(!log.add(.rows([4])))
        log.rollBack()
        #expect(!log.commit())
        #expect(!log.add(.rows([5])) && log.add(.anything) && log.add(.rows([6])) && log.commit())
        guard case .anything = log.take() else { return #expect(Bool(false)) }
        #expect(log.add(.rows(Set(1...1000))) == false && log.add(.rows([1001])), "too many are not held")
        #expect(log.commit())
        log.addUnobserved()
        guard case .anything = log.take() else { return #expect(Bool(false)) }
    }

    /// Of each kind that a live query can be.
    static let forms =
        (rowwise + others).filter { !$0.contains("now()") } + [
            "Orders?$filter=contains(Note,'x')&$top=2", "Orders?$orderby=Amount&$select=OrderID&$top=4",
            "Orders?$orderby=Note,Amount desc&$top=5", "Orders?$filter=OrderID eq -2147483647", "Orders(-2147483647)",
            "Orders/$count?$filter=contains(Note,'x')", "Orders(-2147483647)/Items", "Customers('A')/Orders",
            "Orders?$filter=CustomerID eq 'A'&$expand=Customer", "Photos?$select=Title", "Items?$filter=OrderID eq 4",
            "Orders?$filter=OfflineStore.isLocal()", "Photos?$filter=OfflineStore.mediaIsOffline()",
            "Orders?$filter=OfflineStore.isUpsertedByLastDownload()&$select=OrderID", "EventLog/$count",
            "Orders?$filter=Amount eq null", "Orders?$apply=filter(contains(Note,'x'))/aggregate($count as Number)",
        ]

    /// A live query, and the result that it gave last.
    private struct Followed {
        var request: ReadRequest
        var results: LiveQuery.Iterator
        var last: LiveQuery.Element?
    }

    @Test("No result is missed, whatever is changed", .timeLimit(.minutes(5)), arguments: [1, 2, 3] as [UInt64])
    func twins(seed: UInt64) async throws {
        let device = try await device()
        var random = SplitMix(seed: seed)
        var followed: [Followed] = []
        for (url, annotations) in Self.forms.map({ ($0, nil) }) + [("Orders?$filter=Amount gt 50", "*")] {
            var request = ReadRequest(try await device.store.query(url))
            request.annotations = annotations
            var results = LiveQuery(store: device.store, request: request).makeAsyncIterator()
            let first = await results.next()
            followed.append(Followed(request: request, results: results, last: first))
        }
        for step in 0..<40 {
            try await change(device, step, using: &random)
            for index in followed.indices { try await follow(&followed[index], device, step) }
        }
    }

    /// Takes results until they are what a read gives: for ever if one was missed.
    private func follow(_ query: inout Followed, _ device: Device, _ step: Int) async throws {
        let now: LiveResult?
        do { now = try await device.store.liveReads.result(of: query.request) } catch let error as ODataError {
            #expect(error.code == .notFound, "\(query.request.query.url)")
            now = nil
        }
        func isCurrent(_ element: LiveQuery.Element?) -> Bool {
            guard case .success(let last)? = element else { return now == nil }
            return last.content == now?.content && last.count == now?.count
        }
        while !isCurrent(query.last) { query.last = await query.results.next() }
    }

    /// One of the ways in which the content of a store changes.
    private func change(_ device: Device, _ step: Int, using random: inout SplitMix) async throws {
        let order = Int.random(in: 1...9, using: &random)
        let note = ["x", "axb", "none", "zx", "a"].randomElement(using: &random) ?? ""
        let store = device.store
        do {
            switch Int.random(in: 0..<16, using: &random) {
            case 0...3: try await device.update("Orders(\(order))", #"{"Note":"\#(note)"}"#)
            case 4: try await device.update("Orders(\(order))", #"{"Amount":\#(step)}"#)
            case 5:
                let customer = step.isMultiple(of: 2) ? "A" : "C"
                try await device.update("Orders(\(order))", #"{"CustomerID":"\#(customer)"}"#)
            case 6: try await device.create("Orders", #"{"Note":"\#(note)","Items":[{"LineNo":1}]}"#)
            case 7: try await device.delete("Orders(\(order))")
            case 8: try await device.update("Items(OrderID=\(order),LineNo=1)", #"{"Quantity":\#(step)}"#)
            case 9: try await store.upload()
            case 10: try await store.undo(.everything)
            case 11:
                try device.service.execute("UPDATE Orders SET Note = '\(note)', Amount = NULL WHERE OrderID = \(order)")
                try await store.download()
            case 12:
                try device.service.execute("INSERT INTO Orders (Note, Amount) VALUES ('\(note)', \(step))")
                try device.service.execute("DELETE FROM Items WHERE OrderID = \(order)")
                try await store.download()
            case 13:
                let content = MediaContent(ByteContent(Array("\(step)".utf8)), contentType: "text/plain")
                let path = try store.path("Photos(\(order % 4 + 1))")
                _ = try await store.change(ChangeRequest(path, .replaceStream(content)))
            case 14:
                let link = ChangeRequest(
                    try store.path("Orders(\(order))/Customer"), .addReference(.path(try store.path("Customers('B')"))))
                _ = try await store.change(link)
            default: try await device.update("Photos(\(order % 4 + 1))", #"{"Title":"\#(note)"}"#)
            }
        } catch is ODataError {
            // The entity was deleted before.
        }
    }
}
