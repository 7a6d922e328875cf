import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Error archive")
struct ErrorArchiveTests {
    private func device() async throws -> Device {
        let device = try await Device(ChangeTests.queries, configure: { $0.deepInserts = .parts })
        try await device.store.download()
        return device
    }

    /// A refused creation with an item, a refused update with a good one behind it, and a request that has nothing to
    /// do with them.
    private func failed() async throws -> (Device, creation: ErrorEntry, update: ErrorEntry, order: String) {
        let device = try await device()
        let made = try await device.create("Orders", #"{"Note":"refused","Items":[{"LineNo":1},{"LineNo":2}]}"#)
        try await device.update("Orders(3)", #"{"Note":"refused","Amount":5}"#)
        _ = try await device.store.change(
            ChangeRequest(
                try device.store.path("Orders(3)"), .update(EntityPayload(["CustomerID": .string("B")]))),
            options: RequestOptions(combines: false))
        try await device.update("Orders(4)", #"{"Note":"fine"}"#)
        let report = try await device.store.upload()
        #expect(report.failed.count == 2 && report.succeeded.count == 1)
        let entries = try await device.store.errorEntries()
        let creation = try #require(entries.first)
        let update = try #require(entries.last)
        return (device, creation, update, try #require(made.entity?.id))
    }

    @Test("An entry says what was asked and the response of the service, as an entity too")
    func entry() async throws {
        let (device, creation, update, order) = try await failed()
        #expect(creation.method == "POST" && creation.url == "Orders" && creation.entity == order)
        #expect(update.entity == "Orders(3)" && update.body?.contains("refused") == true)
        let entity = try #require(
            try await device.entities("ErrorArchive?$filter=Status eq 400 and Entity eq 'Orders(3)'").first)
        #expect(entity["RequestID"] == .integer(update.requestID))
        for name in ["Code", "Message", "Method", "URL", "Body", "Entity", "Occurred"] {
            #expect(entity[name]?.isNull == false)
        }
        for name in ["Target", "Details", "InnerError"] { #expect(entity[name] != nil) }
    }

    @Test("Target and details of the service's error are kept")
    func details() async throws {
        let service = try SampleService()
        let refusing = RefusingStore(service.store) {
            var error = ODataError(.badRequest, "Refused.")
            error.status = 422
            error.service = ServiceError(
                code: "X1", message: "No.", target: "Note",
                details: [.init(code: "X2", message: "Too long", target: "Note")], innerError: #"{"trace":1}"#)
            return error
        }
        let device = try await Device([.init(name: "orders", query: "Orders")], service: service) { _ in refusing }
        try await device.store.download()
        try await device.update("Orders(3)", #"{"Note":"x"}"#)
        #expect(try await device.store.upload().failed.count == 1)
        let entry = try #require(try await device.store.errorEntries().first)
        #expect(entry.status == 422 && entry.code == "X1" && entry.target == "Note")
        #expect(entry.details == [.init(code: "X2", message: "Too long", target: "Note")])
        #expect(entry.innerError == #"{"trace":1}"#)
        #expect(try await device.count("ErrorArchive?$filter=contains(Details,'Too long') and Target eq 'Note'") == 1)
    }

    @Test("Retry: the request waits again, and those that were held")
    func retry() async throws {
        let (device, creation, _, _) = try await failed()
        try await device.store.retry(errorID: creation.id)
        #expect(try await device.store.errorEntries().count == 1)
        #expect(try await device.store.queueEntries().map(\.state).prefix(3) == [.waiting, .waiting, .waiting])
        #expect(try await device.store.upload().failed.count == 2)
        await #expect { try await device.store.retry(errorID: 999) } throws: {
            ($0 as? ODataError)?.code == .notFound
        }
    }

    @Test("Edit: another body for an update and for a creation, with everything behind it")
    func edit() async throws {
        let (device, creation, update, order) = try await failed()
        let path = try device.store.path("Orders(3)")
        try await device.store.edit(
            errorID: update.id, payload: try await device.store.payload(#"{"Note":"edited"}"#, for: path))
        #expect(try await device.values("Orders(3)", "Note") == [.string("edited")])
        // What the old body changed and the new one does not is what was downloaded; later requests are on top.
        #expect(try await device.values("Orders(3)", "Amount").map(\.lexical) == ["30"])
        #expect(try await device.values("Orders(3)", "CustomerID") == [.string("B")])
        let set = try device.store.path("Orders")
        try await device.store.edit(
            errorID: creation.id,
            payload: try await device.store.payload(
                #"{"Note":"made","Customer@odata.bind":"Customers('C')"}"#, for: set),
            headers: [HeaderField(name: "X-Test", value: "1")])
        #expect(try await device.values(order, "CustomerID") == [.string("C")])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID = 26") == ["made|C"])
        #expect(try device.service.fetch("SELECT count(*) FROM Items WHERE OrderID = 26") == ["2"])
        #expect(try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID = 3") == ["edited|B"])
    }

    @Test("Edit: a creation with a key that is taken gets another one")
    func editKey() async throws {
        let device = try await device()
        try await device.create("Customers", #"{"CustomerID":"X","Name":"Mine"}"#)
        try await device.create("Orders", #"{"Note":"of x","CustomerID":"X"}"#)
        try device.service.execute("INSERT INTO Customers VALUES ('X', 'Theirs')")
        #expect(try await device.store.upload().failed.count == 1)
        let entry = try #require(try await device.store.errorEntries().first)
        let set = try device.store.path("Customers")
        let taken = try await device.store.payload(#"{"CustomerID":"A","Name":"Mine"}"#, for: set)
        await #expect { try await device.store.edit(errorID: entry.id, payload: taken) } throws: {
            ($0 as? ODataError)?.code == .conflict
        }
        let other = try await device.store.payload(#"{"CustomerID":"Y","Name":"Mine"}"#, for: set)
        try await device.store.edit(errorID: entry.id, payload: other)
        #expect(try await device.values("Customers('Y')", "Name") == [.string("Mine")])
        #expect(try await device.values("Orders?$filter=Note eq 'of x'", "CustomerID") == [.string("Y")])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE Note = 'of x'") == ["Y"])
        #expect(
            try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID IN ('X', 'Y') ORDER BY 1")
                == ["Mine", "Theirs"])
    }

    @Test("Skip: only that request goes; what it changed is as downloaded, later changes stay")
    func skip() async throws {
        let (device, creation, update, _) = try await failed()
        try await device.store.skip(errorID: update.id)
        #expect(try await device.values("Orders(3)", "Note") == [.string("note 3")])
        #expect(try await device.values("Orders(3)", "CustomerID") == [.string("B")])
        // The items would have nothing to belong to.
        await #expect { try await device.store.skip(errorID: creation.id) } throws: {
            ($0 as? ODataError)?.code == .conflict
        }
        #expect(try await device.store.queueEntries().count == 4)
        let report = try await device.store.upload()
        #expect(report.succeeded.map(\.url) == ["Orders(3)"])
        #expect(try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID = 3") == ["note 3|B"])
    }

    @Test("Undo of a failed creation takes what depends on it, and only that", arguments: [true, false])
    func undo(byDelete: Bool) async throws {
        let (device, creation, update, _) = try await failed()
        let plan = try await device.store.undoPlan(errorID: creation.id)
        #expect(plan.requests.map(\.method) == ["POST", "POST", "POST"])
        #expect(plan.removedEntities.count == 3 && plan.restoredEntities.isEmpty)
        #expect(try await device.store.queueEntries().count == 5)
        if byDelete {
            try await device.delete("ErrorArchive(\(creation.id))")
        } else {
            #expect(try await device.store.undo(errorID: creation.id) == plan)
        }
        #expect(try await device.store.errorEntries().map(\.id) == [update.id])
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(3)", "Orders(3)"])
        #expect(try await device.count("Orders") == 25)
        #expect(try await device.count("Items") == 50)
    }

    /// A change set of two updates, of which the service refuses the first, and an update that waits for the second.
    private func refusedSet() async throws -> (Device, ErrorEntry, ErrorEntry) {
        let device = try await device()
        let changes = try [(3, "refused"), (4, "fine")].map { number, note in
            ChangeRequest(
                try device.store.path("Orders(\(number))"), .update(EntityPayload(["Note": .string(note)])))
        }
        _ = try await device.store.changeSet(changes)
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Orders(4)"), .update(EntityPayload(["Amount": .integer(1)]))),
            options: RequestOptions(combines: false))
        #expect(try await device.store.upload().failed.count == 1)
        let entries = try await device.store.errorEntries()
        #expect(entries.count == 2)
        #expect(try await device.store.queueEntries().map(\.state) == [.failed, .failed, .held])
        return (device, try #require(entries.first { $0.url == "Orders(3)" }), try #require(entries.last))
    }

    @Test("All requests of a refused change set are in the archive, and wait again together")
    func changeSet() async throws {
        let (device, cause, other) = try await refusedSet()
        #expect(cause.status == 400 && other.status == 424 && other.url == "Orders(4)")
        #expect(cause.changeSet != nil && cause.changeSet == other.changeSet)
        #expect(other.message.contains("\(cause.requestID)") && other.message.contains(cause.message))
        #expect(try await device.count("Orders?$filter=OfflineStore.isInErrorState()") == 2)
        try await device.store.retry(errorID: other.id)
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try await device.store.queueEntries().map(\.state) == [.waiting, .waiting, .waiting])
        #expect(try await device.count("Orders?$filter=OfflineStore.isInErrorState()") == 0)
        #expect(try await device.store.upload().failed.count == 1)
        let again = try #require(try await device.store.errorEntries().first { $0.url == "Orders(3)" })
        try await device.store.edit(errorID: again.id, json: #"{"Note":"mended"}"#)
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID IN (3, 4)")
                == ["mended|30", "fine|1"])
    }

    @Test("A refused change set is given up or taken back as one", arguments: [true, false])
    func dropChangeSet(skips: Bool) async throws {
        let (device, _, other) = try await refusedSet()
        #expect(try await device.store.undoPlan(errorID: other.id).restoredEntities == ["Orders(3)", "Orders(4)"])
        if skips {
            try await device.store.skip(errorID: other.id)
        } else {
            #expect(try await device.store.undo(errorID: other.id).requests.count == 2)
        }
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try await device.store.queueEntries().map(\.state) == [.waiting])
        #expect(
            try await device.values("Orders?$filter=OrderID in (3,4)", "Note") == [
                .string("note 3"), .string("note 4"),
            ])
        #expect(try await device.values("Orders(4)", "Amount").map(\.lexical) == ["1"])
        #expect(try await device.store.upload().isComplete)
    }

    @Test("Entries can be deleted but not changed, and not twice")
    func refused() async throws {
        let (device, creation, _, _) = try await failed()
        let path = try device.store.path("ErrorArchive(\(creation.id))")
        await #expect {
            try await device.store.change(ChangeRequest(path, .update(EntityPayload(["Message": .string("x")]))))
        } throws: { ($0 as? ODataError)?.code == .methodNotAllowed }
        try await device.delete("ErrorArchive(\(creation.id))")
        await #expect { try await device.delete("ErrorArchive(\(creation.id))") } throws: {
            ($0 as? ODataError)?.code == .notFound
        }
    }
}

/// Responds to all changes with an error.
final class RefusingStore: ODataStore {
    private let base: any ODataStore
    private let error: @Sendable () -> ODataError

    init(_ base: any ODataStore, _ error: @escaping @Sendable () -> ODataError) {
        self.base = base
        self.error = error
    }

    func model() async throws -> EdmModel { try await base.model() }
    func read(_ request: ReadRequest) async throws -> ReadResult { try await base.read(request) }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw error() }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw error() }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}
