import ODataModel
import ODataQuery
import ODataStores
import Synchronization
import Testing

@testable import ODataOffline

@Suite("What the app decides of a creation whose response was lost")
struct DecisionTests {
    /// A new order whose response was lost, and an update of it that waits.
    private func device(
        _ decide: @escaping @Sendable (UnconfirmedRequest) -> UnconfirmedRequest.Decision = { _ in .hold }
    ) async throws -> Device {
        try await device(decide) { device in
            let made = try #require(try await device.create("Orders", #"{"Note":"once"}"#).path?.url)
            try await device.update(made, #"{"Amount":7}"#)
        }
    }

    /// The response to the first of the changes was lost.
    private func device(
        _ decide: @escaping @Sendable (UnconfirmedRequest) -> UnconfirmedRequest.Decision,
        changing: (Device) async throws -> Void
    ) async throws -> Device {
        let device = try await Device(
            [.init(name: "orders", query: "Orders?$filter=OrderID lt 20")], combines: false, wrap: { FaultyStore($0) },
            configure: {
                $0.exactlyOnce = .none
                $0.unconfirmed = decide
            })
        try await device.store.download()
        try await changing(device)
        let remote = try #require(device.remote as? FaultyStore)
        var plan = FaultyStore.Plan()
        plan.lostResponses = [1]
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        remote.set(.init())
        return device
    }

    private func check(_ device: Device) async throws {
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID > 25") == ["once|7"])
        #expect(try await device.count("Orders?$filter=OrderID eq 26 and Amount eq 7") == 1)
    }

    @Test("Executed, without the key that others need: refused. With it, what waits is sent")
    func decided() async throws {
        let device = try await device()
        let id = try #require(try await device.store.queueEntries().first).id
        for (decision, code) in [
            (UnconfirmedRequest.Decision.sent, ODataError.Code.conflict),
            (.made(EntityKey("CustomerID", .string("A"))), .badRequest),
        ] {
            await #expect { try await device.store.decide(requestID: id, decision) } throws: { error in
                (error as? ODataError)?.code == code
            }
        }
        #expect(try await device.store.queueEntries().count == 2)
        try await device.store.decide(requestID: id, .made(EntityKey("OrderID", .integer(26))))
        #expect(try await device.store.upload().isComplete)
        try await check(device)
    }

    @Test("Asked while uploading, the app tells the key", arguments: [true, false])
    func asked(isKnown: Bool) async throws {
        let device = try await device { _ in isKnown ? .made(EntityKey("OrderID", .integer(26))) : .sent }
        let report = try await device.store.upload()
        #expect(report.isComplete == isKnown && report.held.count == (isKnown ? 0 : 1))
        if isKnown { try await check(device) }
    }

    @Test(
        "Of a change set what it makes is asked about, and one key tells those that come from it",
        arguments: [true, false])
    func changeSet(isAsked: Bool) async throws {
        let key = EntityKey("OrderID", .integer(26))
        let decide: @Sendable (UnconfirmedRequest) -> UnconfirmedRequest.Decision = { question in
            isAsked && question.request.url == "Orders" ? .made(key) : .hold
        }
        let device = try await device(decide) { device in
            let set = device.store.beginChangeSet()
            let note = EntityPayload(["Note": .string("changed")])
            try set.change(ChangeRequest(try device.store.path("Orders(3)"), .update(note)))
            let order = EntityPayload(["Note": .string("once")])
            let made = try set.change(ChangeRequest(try device.store.path("Orders"), .create(order)))
            var item = EntityPayload(["LineNo": .integer(1), "Quantity": .integer(1)])
            item.bindings = [.init(navigation: "Order", references: [made])]
            try set.change(ChangeRequest(try device.store.path("Items"), .create(item)))
            let path = try #require(try await set.commit().last?.path?.url)
            try await device.update(path, #"{"Quantity":9}"#)
        }
        if !isAsked {
            let entries = try await device.store.queueEntries()
            #expect(entries.prefix(3).allSatisfy { $0.state == .unconfirmed })
            await #expect(throws: ODataError.self) {
                try await device.store.decide(requestID: entries[0].id, .sent)
            }
            #expect(try await device.store.queueEntries() == entries)
            try await device.store.decide(requestID: entries[1].id, .made(key))
        }
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.store.errorEntries().isEmpty)
        let notes = try device.service.fetch("SELECT Note FROM Orders WHERE OrderID IN (3, 26) ORDER BY OrderID")
        #expect(notes == ["changed", "once"])
        #expect(try device.service.fetch("SELECT LineNo, Quantity FROM Items WHERE OrderID = 26") == ["1|9"])
    }
}

@Suite("Requests that come to depend on others while an upload runs")
struct LateTieTests {
    @Test("A request that names what another one makes by now is not sent before it, and no temporary key is sent")
    func tied() async throws {
        let service = try await KeyService(.int32)
        let folder = try TemporaryFolder()
        let app = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let sent = Mutex<[String]>([])
        let remote = TappedStore(
            base: service,
            changing: { request in
                sent.withLock { $0.append(request.target.url) }
                guard request.target.url == "Parents" else { return request }
                try await app.withLock { $0 }?()
                throw ODataError(.badRequest, "Refused on purpose.")
            })
        var configuration = Device.configuration()
        configuration.batchSize = 1
        let store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        try store.addQuery(.init(name: "children", query: "Children"))
        try await store.download()
        let parents = try store.path("Parents")
        let made = try await store.change(
            ChangeRequest(parents, .create(EntityPayload(["Name": .string("p")]))))
        let parent = try #require(made.path)
        let child = try store.path("Children(101)")
        _ = try await store.change(ChangeRequest(child, .update(EntityPayload(["Name": .string("c")]))))
        app.withLock {
            $0 = {
                let binding = EntityPayload.Binding(navigation: "Parent", references: [.path(parent)])
                _ = try await store.change(ChangeRequest(child, .update(EntityPayload(bindings: [binding]))))
            }
        }
        let report = try await store.upload()
        #expect(sent.withLock { $0 } == ["Parents"])
        #expect(report.failed.map(\.url) == ["Parents"] && report.held.map(\.url) == ["Children(101)"])
        try store.close()
    }
}
