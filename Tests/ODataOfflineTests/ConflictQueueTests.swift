import ByteStreams
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Conflicts and the queue around them")
struct ConflictQueueTests {
    private static let theirs = "UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3"

    /// A resolver that uses the device that it belongs to.
    private final class Asker: Sendable {
        private let state = Mutex<Device?>(nil)
        private let response: @Sendable (Device) async throws -> ConflictResolution

        init(_ response: @escaping @Sendable (Device) async throws -> ConflictResolution) { self.response = response }

        func use(_ device: Device) { state.withLock { $0 = device } }

        var resolver: ConflictResolver {
            .custom { _ in
                guard let device = self.state.withLock({ $0 }) else { return .hold }
                return try await self.response(device)
            }
        }
    }

    @Test("What is changed while the app decides stays, whatever it decides", arguments: ["mine", "theirs", "hold"])
    func changedMeanwhile(choice: String) async throws {
        let asker = Asker { device in
            try await device.update("Orders(3)", #"{"Amount":7}"#)
            return choice == "mine" ? .mine : choice == "theirs" ? .theirs : .hold
        }
        let device = try await Device(resolver: asker.resolver)
        asker.use(device)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.theirs)
        let report = try await device.store.upload()
        #expect(report.failed.count == (choice == "hold" ? 1 : 0))
        #expect(try await device.values("Orders(3)", "Note") == [.string(choice == "theirs" ? "theirs" : "mine")])
        #expect(try await device.values("Orders(3)", "Amount").map(\.lexical) == ["7"])
        #expect(try await device.store.queueEntries().last?.body == #"{"Amount":7}"#)
        guard choice != "hold" else { return }
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3")
                == [choice == "mine" ? "mine|7" : "theirs|7"])
    }

    @Test("What the service has executed is in the store before the app is asked about the rest")
    func executedFirst() async throws {
        let left = Mutex<[Int]>([])
        let asker = Asker { device in
            let count = try await device.count("RequestQueue")
            left.withLock { $0.append(count) }
            return .theirs
        }
        let device = try await Device(resolver: asker.resolver)
        asker.use(device)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try await device.update("Orders(4)", #"{"Note":"other"}"#)
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().succeeded.map(\.url) == ["Orders(4)"])
        #expect(left.withLock { $0 } == [1])
    }

    private func update(_ device: Device, _ path: String, _ name: String, _ value: String) throws -> ChangeRequest {
        let members = [EdmComplexValue.Member(name: name, value: .string(value))]
        return ChangeRequest(try device.store.path(path), .update(EntityPayload(EdmComplexValue(members))))
    }

    @Test("Rows of two sets share no id, so that a conflict is one of its entity alone")
    func rowsOfTwoSets() async throws {
        let device = try await Device(resolver: .hold)
        let path = try OfflineStore.databasePath(in: device.folder.path + "/store")
        let file = try DatabaseQueue(path: path)
        let shared = try await file.read { db in
            try Int.fetchOne(
                db, sql: #"SELECT count(*) FROM "Orders" WHERE "$id" IN (SELECT "$id" FROM "Customers")"#)
        }
        try file.close()
        #expect(shared == 0)
        try await device.update("Customers('B')", #"{"Name":"mine"}"#)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().failed.map(\.url) == ["Orders(3)"])
        #expect(try await device.store.conflicts().map(\.path) == ["Orders(3)"])
        try await device.update("Customers('B')", #"{"Name":"again"}"#)
        #expect(try await device.store.conflicts().map(\.path) == ["Orders(3)"])
        try device.service.execute("UPDATE Customers SET Name = 'theirs' WHERE CustomerID = 'B'")
        #expect(try await device.store.upload().failed.map(\.url) == ["Orders(3)", "Customers('B')"])
        let both = try await device.store.conflicts()
        #expect(both.map(\.path) == ["Orders(3)", "Customers('B')"])
        #expect(both.map { $0.requests.map(\.url) } == [["Orders(3)"], ["Customers('B')"]])
        try await device.store.resolve(try #require(both.first), as: .theirs)
        #expect(try await device.store.conflicts().map(\.path) == ["Customers('B')"])
    }

    @Test("A change set stays one when a conflict in it is decided later", arguments: ["mine", "theirs", "merged"])
    func changeSet(choice: String) async throws {
        let device = try await Device(resolver: .hold)
        _ = try await device.store.change(
            try update(device, "Orders(3)", "Note", "before"), options: RequestOptions(combines: false))
        _ = try await device.store.changeSet([
            try update(device, "Customers('B')", "Name", "set"), try update(device, "Orders(3)", "Note", "mine"),
        ])
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().failed.count == 1)
        let first = try #require(try await device.store.queueEntries().first).id
        let resolution: ConflictResolution =
            choice == "mine"
            ? .mine : choice == "theirs" ? .theirs : .merged(EntityPayload(["Note": .string("merged")]))
        try await device.store.resolve(requestID: first, as: resolution)
        let entries = try await device.store.queueEntries()
        #expect(entries.map(\.state) == entries.map { _ in .waiting })
        let set = try #require(entries.last?.changeSet)
        #expect(entries.filter { $0.changeSet == set }.count == (choice == "theirs" ? 1 : 2))
        #expect(entries.count == ["mine": 3, "theirs": 1, "merged": 2][choice])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == [choice])
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'B'") == ["set"])
    }

    @Test("A refused change set waits as a whole once its conflict is decided")
    func refusedChangeSet() async throws {
        let device = try await Device(resolver: .hold)
        _ = try await device.store.changeSet([
            try update(device, "Customers('B')", "Name", "set"), try update(device, "Orders(3)", "Note", "mine"),
        ])
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().failed.count == 1)
        #expect(try await device.store.queueEntries().map(\.state) == [.failed, .failed])
        let error = try #require(try await device.store.errorEntries().first { $0.status == 412 })
        let conflict = try #require(try await device.store.conflict(requestID: error.requestID))
        #expect(conflict.occasion == .upload && conflict.error?.code == .preconditionFailed)
        try await device.store.resolve(requestID: error.requestID, as: .mine)
        #expect(try await device.store.queueEntries().map(\.state) == [.waiting, .waiting])
        #expect(try await device.count("Customers?$filter=OfflineStore.isInErrorState()") == 0)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Name FROM Customers WHERE CustomerID = 'B'") == ["set"])
    }

    @Test("A merge that does not fit is told in the error archive, and stops nothing", arguments: [true, false])
    func badMerge(downloads: Bool) async throws {
        let asker = Asker { _ in .merged(EntityPayload(["Nothing": .string("x")])) }
        let device = try await Device(resolver: asker.resolver)
        asker.use(device)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try await device.update("Orders(4)", #"{"Note":"other"}"#)
        try device.service.execute(Self.theirs)
        if downloads { try await device.store.download() }
        let entries = { try await device.store.errorEntries() }
        if downloads { #expect(try await entries().count == 1) }
        let report = try await device.store.upload()
        #expect(report.failed.map(\.url) == ["Orders(3)"] && report.succeeded.map(\.url) == ["Orders(4)"])
        #expect(try #require(try await entries().first).message.contains("Nothing"))
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
        try await device.store.download()
        #expect(try await device.store.queueEntries().count == 1)
    }

    @Test("Merged properties of an entity of which only the stream has changed are sent in the same upload")
    func mergedBesideStream() async throws {
        let asker = Asker { _ in .merged(EntityPayload(["Title": .string("merged")])) }
        let device = try await Device(
            resolver: asker.resolver, queries: [.init(name: "photos", query: "Photos", retrievesStreams: true)])
        asker.use(device)
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(1)"), .replaceStream(content)))
        try device.service.execute("UPDATE Photos SET Image = x'0909' WHERE PhotoID = 1")
        let report = try await device.store.upload()
        #expect(report.isComplete && report.succeeded.map(\.method) == ["PUT", "PATCH"])
        #expect(
            try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID = 1") == ["merged|010203"])
    }

    @Test("What was deleted there is created again before earlier references are made", arguments: [true, false])
    func earlierReference(hasUpdate: Bool) async throws {
        let device = try await Device(resolver: .clientWins)
        let customer = EntityReference.path(try device.store.path("Customers('C')"))
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Orders(25)/Customer"), .addReference(customer)))
        if hasUpdate { try await device.update("Orders(25)", #"{"Note":"mine"}"#) }
        for table in ["Items", "Photos", "Orders"] {
            try device.service.execute("DELETE FROM \(table) WHERE OrderID = 25")
        }
        let report = try await device.store.upload()
        #expect(report.isComplete && report.succeeded.map(\.method) == ["POST", "PUT"])
        #expect(
            try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID >= 25")
                == [hasUpdate ? "mine|C" : "note 25|C"])
    }

    @Test(
        "What is changed while an entity is created again waits for that", arguments: ["mine", "merged"], [true, false])
    func changedBeforeCreation(choice: String, downloads: Bool) async throws {
        let asker = Asker { device in
            try await device.update("Orders(25)", #"{"Note":"later"}"#)
            return choice == "mine" ? .mine : .merged(EntityPayload(["Note": .string("merged")]))
        }
        let device = try await Device(resolver: asker.resolver)
        asker.use(device)
        let customer = EntityReference.path(try device.store.path("Customers('C')"))
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Orders(25)/Customer"), .addReference(customer)))
        for table in ["Items", "Photos", "Orders"] {
            try device.service.execute("DELETE FROM \(table) WHERE OrderID = 25")
        }
        if downloads { try await device.store.download() }
        let report = try await device.store.upload()
        #expect(report.isComplete && report.succeeded.map(\.method) == ["POST", "PUT"] + (downloads ? ["PATCH"] : []))
        #expect(try await device.store.queueEntries().map(\.body) == (downloads ? [] : [#"{"Note":"later"}"#]))
        #expect(try await device.values("Orders(25)", "Note") == [.string("later")])
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID >= 25") == ["later|C"])
    }

    @Test("What is changed after an entity is to be created again waits for earlier requests too")
    func afterCreationAgain() async throws {
        let device = try await Device(resolver: .clientWins)
        let refer = { (customer: String) in
            let reference = EntityReference.path(try device.store.path("Customers('\(customer)')"))
            let path = try device.store.path("Orders(25)/Customer")
            _ = try await device.store.change(ChangeRequest(path, .addReference(reference)))
        }
        try await refer("A")
        try await device.update("Orders(25)", #"{"Note":"mine"}"#)
        try await refer("B")
        for table in ["Items", "Photos", "Orders"] {
            try device.service.execute("DELETE FROM \(table) WHERE OrderID = 25")
        }
        try await device.store.download()
        try await refer("C")
        let entries = try await device.store.queueEntries()
        let ids = entries.map(\.id)
        #expect(entries.map(\.method) == ["PUT", "POST", "PUT", "PUT"])
        #expect(entries.map(\.dependsOn) == [[ids[1]], [], [ids[0], ids[1]], [ids[2]]])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 25") == ["C"])
    }

    @Test("Where the creation is the last request, what comes next waits for the ones before it as well")
    func afterLastCreation() async throws {
        let device = try await Device(resolver: .clientWins)
        for customer in ["A", "B"] {
            let reference = EntityReference.path(try device.store.path("Customers('\(customer)')"))
            let path = try device.store.path("Orders(25)/Customer")
            _ = try await device.store.change(ChangeRequest(path, .addReference(reference)))
            guard customer == "A" else { continue }
            for table in ["Items", "Photos", "Orders"] {
                try device.service.execute("DELETE FROM \(table) WHERE OrderID = 25")
            }
            try await device.store.download()
        }
        let entries = try await device.store.queueEntries()
        let ids = entries.map(\.id)
        #expect(entries.map(\.method) == ["PUT", "POST", "PUT"])
        #expect(entries.map(\.dependsOn) == [[ids[1]], [], [ids[0], ids[1]]])
    }

    @Test("What a merge names and another category makes is sent before it")
    func mergeAcrossCategories() async throws {
        let merged = EntityPayload(["Note": .string("merged"), "CustomerID": .string("X")])
        let device = try await Device(resolver: .custom { _ in .merged(merged) })
        let set = try device.store.path("Customers")
        let customer = try await device.store.payload(#"{"CustomerID":"X","Name":"new"}"#, for: set)
        _ = try await device.store.change(
            ChangeRequest(set, .create(customer)), options: RequestOptions(category: "other"))
        _ = try await device.store.change(
            try update(device, "Orders(3)", "Note", "mine"), options: RequestOptions(category: "orders"))
        try device.service.execute(Self.theirs)
        let report = try await device.store.upload(categories: ["orders"])
        #expect(report.isComplete && report.succeeded.map(\.url) == ["Customers", "Orders(3)"])
        #expect(try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID = 3") == ["merged|X"])
    }

    @Test("What takes a link away that was given up goes with it")
    func givenUpLink() async throws {
        let device = try await KeyDevice(.int32)
        let tag = try await device.create("Tags", #"{"Name":"made"}"#)
        #expect(try await device.store.upload().isComplete)
        let parent = try device.store.path("Parents(101)")
        _ = try await device.store.change(
            ChangeRequest(parent, .update(EntityPayload(["Name": .string("mine")]))))
        try await device.refer("Parents(101)/Tags/$ref", to: tag)
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("\(tag)/Parents/$ref"), .removeReference(.path(parent))))
        _ = try await device.service.base.change(
            ChangeRequest(parent, .update(EntityPayload(["Name": .string("theirs")]))))
        #expect(try await device.store.upload().failed.count == 1)
        let first = try #require(try await device.store.queueEntries().first)
        try await device.store.resolve(requestID: first.id, as: .theirs)
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.entities("Tags?$filter=OfflineStore.hasPendingChanges()").isEmpty)
        #expect(try await device.names("Parents?$filter=Name eq 'theirs'") == ["theirs"])
    }

    @Test("Merged properties of an entity that only references change do not make a change set wait for itself")
    func mergedBesideReferences() async throws {
        let device = try await Device(
            resolver: .custom { _ in .merged(EntityPayload(["Note": .string("merged")])) })
        let path = try device.store.path("Orders(3)/Customer")
        let refer = { (customer: String) in
            ChangeRequest(path, .addReference(.path(try device.store.path("Customers('\(customer)')"))))
        }
        _ = try await device.store.changeSet([
            try refer("A"), try update(device, "Customers('B')", "Name", "set"),
        ])
        _ = try await device.store.change(try refer("C"))
        try device.service.execute(Self.theirs)
        try device.service.execute("UPDATE Orders SET CustomerID = 'B' WHERE OrderID = 3")
        try await device.store.download()
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID = 3") == ["merged|C"])
    }
}
