import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

/// A device whose store has a resolver for conflicts.
extension Device {
    init(
        resolver: ConflictResolver, sets: [String: ConflictResolver] = [:], more: [String] = [],
        queries: [DefiningQuery] = [
            .init(name: "orders", query: "Orders?$expand=Items"), .init(name: "customers", query: "Customers"),
        ],
        combinesRequests: Bool = true
    ) async throws {
        service = try SampleService(more: more)
        folder = try TemporaryFolder()
        remote = FaultyStore(service.store)
        var configuration = Self.configuration()
        configuration.conflictResolver = resolver
        configuration.conflictResolvers = sets
        configuration.combinesRequests = combinesRequests
        store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        for query in queries { try store.addQuery(query) }
        try await store.download()
    }
}

/// What a resolver was asked.
final class ConflictRecorder: Sendable {
    private let state = Mutex<[ChangeConflict]>([])
    private let response: @Sendable (ChangeConflict) -> ConflictResolution

    init(_ response: @escaping @Sendable (ChangeConflict) -> ConflictResolution) { self.response = response }

    var conflicts: [ChangeConflict] { state.withLock { $0 } }

    var resolver: ConflictResolver {
        .custom { conflict in
            self.state.withLock { $0.append(conflict) }
            return self.response(conflict)
        }
    }
}

@Suite("Conflicts")
struct ConflictTests {
    private static let theirs = "UPDATE Orders SET Note = 'theirs', Amount = 1 WHERE OrderID = 3"

    @Test("The client wins: what was changed here is sent with the fresh ETag, the rest is the service's")
    func clientWins() async throws {
        let device = try await Device(resolver: .clientWins)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.theirs)
        let report = try await device.store.upload()
        #expect(report.isComplete && report.succeeded.count == 1)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["mine|1"])
        #expect(try await device.count("Orders?$filter=OrderID eq 3 and Amount eq 1 and Note eq 'mine'") == 1)
        #expect(try await device.count("ErrorArchive") == 0)
    }

    @Test("The service wins: the change is given up, later requests of others are sent")
    func serviceWins() async throws {
        let device = try await Device(resolver: .hold, sets: ["Orders": .serviceWins])
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try await device.update("Orders(4)", #"{"Note":"other"}"#)
        try device.service.execute(Self.theirs)
        let report = try await device.store.upload()
        #expect(report.isComplete && report.succeeded.map(\.url) == ["Orders(4)"])
        #expect(report.givenUp.map(\.url) == ["Orders(3)"])
        #expect(try await device.values("Orders(3)", "Note") == [.string("theirs")])
        #expect(try await device.store.queueEntries().isEmpty)
        try await device.update("Orders(3)", #"{"Note":"again"}"#)
        #expect(try await device.store.upload().isComplete)
    }

    @Test("The app merges with base, mine and theirs at hand")
    func merge() async throws {
        let recorder = ConflictRecorder { conflict in
            guard case .string(let mine)? = conflict.mine?["Note"], case .string(let theirs)? = conflict.theirs?["Note"]
            else { return .hold }
            return .merged(EntityPayload(["Note": .string("\(mine) + \(theirs)")]))
        }
        let device = try await Device(resolver: recorder.resolver)
        try await device.update("Orders(3)", #"{"Note":"mine","Amount":5}"#)
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().isComplete)
        let conflict = try #require(recorder.conflicts.first)
        #expect(
            recorder.conflicts.count == 1 && conflict.occasion == .upload && conflict.error?.code == .preconditionFailed
        )
        #expect(conflict.path == "Orders(3)" && conflict.requests.count == 1 && conflict.entitySet == "Orders")
        let notes = [conflict.base, conflict.mine, conflict.theirs].map { $0?["Note"] }
        #expect(notes == [.string("note 3"), .string("mine"), .string("theirs")])
        #expect(conflict.theirs?.etag != conflict.base?.etag && conflict.base?["CustomerID"] == .string("A"))
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["mine + theirs|1"])
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine + theirs")])
    }

    @Test("A held conflict goes to the error archive and is decided later", arguments: ["mine", "theirs", "merged"])
    func held(choice: String) async throws {
        let device = try await Device(resolver: .hold)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        let id = try #require(try await device.store.errorEntries().first).requestID
        let conflict = try #require(try await device.store.conflict(requestID: id))
        #expect(conflict.mine?["Note"] == .string("mine") && conflict.theirs?["Note"] == .string("theirs"))
        let resolution: ConflictResolution =
            choice == "mine"
            ? .mine : choice == "theirs" ? .theirs : .merged(EntityPayload(["Note": .string("merged")]))
        try await device.store.resolve(requestID: id, as: resolution)
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["\(choice)|1"])
        #expect(try await device.values("Orders(3)", "Note") == [.string(choice)])
        await #expect(throws: ODataError.self) { try await device.store.resolve(requestID: id, as: .mine) }
    }

    @Test("All conflicts are listed, each once, in the order of the queue")
    func list() async throws {
        let device = try await Device(resolver: .hold, combinesRequests: false)
        #expect(try await device.store.conflicts().isEmpty)
        try await device.update("Orders(4)", #"{"Note":"no conflict"}"#)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try await device.update("Orders(5)", #"{"Note":"mine too"}"#)
        try await device.update("Orders(3)", #"{"Amount":7}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 5")
        try await device.store.download()
        try device.service.execute(Self.theirs)
        _ = try await device.store.upload()
        let conflicts = try await device.store.conflicts()
        #expect(conflicts.map(\.path) == ["Orders(3)", "Orders(5)"])
        let first = try #require(conflicts.first)
        #expect(first.occasion == .upload && first.error?.code == .preconditionFailed && first.requests.count == 2)
        #expect(first.mine?["Note"] == .string("mine") && first.theirs?["Note"] == .string("theirs"))
        for conflict in conflicts {
            try await device.store.resolve(conflict, as: .mine)
        }
        #expect(try await device.store.conflicts().isEmpty)
        #expect(try await device.store.upload().isComplete)
        let error = await #expect(throws: ODataError.self) { try await device.store.resolve(first, as: .mine) }
        #expect(error?.code == .notFound && error?.message.contains("Orders(3)") == true)
    }

    @Test("A delete against an update", arguments: [true, false])
    func deleteAgainstUpdate(mine: Bool) async throws {
        let device = try await Device(resolver: mine ? .clientWins : .serviceWins)
        try await device.delete("Items(OrderID=3,LineNo=1)")
        try device.service.execute("UPDATE Items SET Quantity = 77 WHERE OrderID = 3 AND LineNo = 1")
        #expect(try await device.store.upload().isComplete)
        let left = try device.service.fetch("SELECT Quantity FROM Items WHERE OrderID = 3 AND LineNo = 1")
        #expect(left == (mine ? [] : ["77"]))
        #expect(try await device.count("Items?$filter=Quantity eq 77") == (mine ? 0 : 1))
    }

    @Test(
        "An update against a delete: created again, given up, merged or held",
        arguments: ["mine", "theirs", "merged", "hold"], [true, false])
    func updateAgainstDelete(choice: String, downloads: Bool) async throws {
        let recorder = ConflictRecorder { _ in
            switch choice {
            case "mine": .mine
            case "theirs": .theirs
            case "merged": .merged(EntityPayload(["Product": .string("merged")]))
            default: .hold
            }
        }
        let device = try await Device(resolver: recorder.resolver)
        try await device.update("Items(OrderID=3,LineNo=1)", #"{"Product":"mine"}"#)
        try device.service.execute("DELETE FROM Items WHERE OrderID = 3 AND LineNo = 1")
        if downloads { try await device.store.download() }
        let report = try await device.store.upload()
        let conflict = try #require(recorder.conflicts.first)
        #expect(conflict.theirs == nil && conflict.mine?["Product"] == .string("mine"))
        #expect(conflict.base?["Product"] == .string("product 1"))
        #expect(conflict.occasion == (downloads ? .download : .upload))
        #expect(report.failed.count == (choice == "hold" ? 1 : 0))
        let expected = ["mine": ["mine|1"], "merged": ["merged|1"]][choice] ?? []
        let there = "SELECT Product, Quantity FROM Items WHERE OrderID = 3 AND LineNo = 1"
        #expect(try device.service.fetch(there) == expected)
        let here = try await device.values("Items?$filter=OrderID eq 3 and LineNo eq 1", "Product")
        #expect(here == (choice == "theirs" ? [] : [.string(choice == "hold" ? "mine" : choice)]))
    }

    @Test("A download asks the resolver about rows with changes that wait", arguments: ["mine", "theirs", "hold"])
    func download(choice: String) async throws {
        let recorder = ConflictRecorder { _ in choice == "mine" ? .mine : choice == "theirs" ? .theirs : .hold }
        let device = try await Device(resolver: recorder.resolver)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.theirs)
        try await device.store.download()
        let conflict = try #require(recorder.conflicts.first)
        #expect(conflict.occasion == .download && conflict.error == nil && recorder.conflicts.count == 1)
        #expect(conflict.theirs?["Note"] == .string("theirs"))
        #expect(try await device.values("Orders(3)", "Note") == [.string(choice == "theirs" ? "theirs" : "mine")])
        let amount: [String] = choice == "hold" ? ["30"] : ["1"]
        #expect(try await device.values("Orders(3)", "Amount").map(\.lexical) == amount)
        #expect(try await device.store.queueEntries().count == (choice == "theirs" ? 0 : 1))
        let report = try await device.store.upload()
        #expect(report.failed.count == (choice == "hold" ? 1 : 0))
        #expect(report.succeeded.count == (choice == "mine" ? 1 : 0))
    }

    @Test("An entity that has only left its query is not a conflict")
    func leftQuery() async throws {
        let recorder = ConflictRecorder { _ in .theirs }
        let device = try await Device(
            resolver: recorder.resolver, queries: [.init(name: "cheap", query: "Items?$filter=Quantity le 9")])
        try await device.update("Items(OrderID=3,LineNo=1)", #"{"Product":"mine"}"#)
        try device.store.removeQuery("cheap")
        try device.store.addQuery(.init(name: "orders", query: "Orders"))
        try await device.store.download()
        #expect(recorder.conflicts.isEmpty)
        #expect(try await device.store.upload().isComplete)
    }

    @Test("An entity made here with a key that another client has used", arguments: ["mine", "theirs", "hold"])
    func createAgainstCreate(choice: String) async throws {
        let recorder = ConflictRecorder { _ in choice == "mine" ? .mine : choice == "theirs" ? .theirs : .hold }
        let device = try await Device(resolver: recorder.resolver)
        try await device.create("Customers", #"{"CustomerID":"X","Name":"Mine"}"#)
        try device.service.execute("INSERT INTO Customers VALUES ('X', 'Theirs')")
        let report = try await device.store.upload()
        let conflict = try #require(recorder.conflicts.first)
        #expect(conflict.base == nil && conflict.theirs?["Name"] == .string("Theirs"))
        #expect(report.failed.count == (choice == "hold" ? 1 : 0))
        let name = choice == "mine" ? "Mine" : "Theirs"
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'X'") == [name])
        try await device.store.download()
        #expect(try await device.values("Customers('X')", "Name") == [.string(choice == "theirs" ? "Theirs" : "Mine")])
        #expect(try await device.store.queueEntries().count == (choice == "hold" ? 1 : 0))
    }

    @Test("An entity that changes with every try is held in the end; a resolver that fails holds")
    func endless() async throws {
        let device = try await Device(
            resolver: .clientWins,
            more: [
                "CREATE TABLE Busy (ID INTEGER PRIMARY KEY, Note TEXT)", "INSERT INTO Busy VALUES (1, 'a')",
            ], queries: [.init(name: "busy", query: "Busy")])
        let recorder = ConflictRecorder { [service = device.service] _ in
            try? service.execute("UPDATE Busy SET Note = Note || 'x' WHERE ID = 1")
            return .mine
        }
        try device.store.close()
        var configuration = Device.configuration()
        configuration.conflictResolver = recorder.resolver
        let store = try OfflineStore(
            folder: device.folder.path + "/store", remote: device.remote, configuration: configuration)
        try await store.open()
        let path = try store.path("Busy(1)")
        _ = try await store.change(ChangeRequest(path, .update(EntityPayload(["Note": .string("mine")]))))
        try device.service.execute("UPDATE Busy SET Note = 'b' WHERE ID = 1")
        #expect(try await store.upload().failed.map(\.status) == [412])
        #expect(recorder.conflicts.count == 5)
        try store.close()
    }

    @Test("A constraint that has nothing to do with the entity's version is not a conflict")
    func constraint() async throws {
        let recorder = ConflictRecorder { _ in .mine }
        let device = try await Device(resolver: recorder.resolver)
        try await device.update("Orders(3)", #"{"Note":"refused"}"#)
        #expect(try await device.store.upload().failed.count == 1)
        #expect(recorder.conflicts.isEmpty)
    }
}
