import ByteStreams
import Foundation
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

/// A request that may have been executed stays one until somebody knows, also when it cannot be sent any more.
@Suite("Unconfirmed requests that cannot be sent as they are")
struct DoubtTests {
    /// Uploads while the response, or the request, is lost.
    private func lose(_ loss: UnconfirmedTests.Loss, _ store: OfflineStore, _ remote: FaultyStore) async throws {
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        if loss == .response { plan.lostResponses = [1] } else { plan.lostRequests = [1] }
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(try await store.queueEntries().first?.state == .unconfirmed)
        plan.lostResponses = []
        plan.lostRequests = []
        remote.set(plan)
    }

    @Test("After a rebuild whose metadata they do not fit the app decides, and nothing is edited or given up before")
    func misfit() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        let store = device.store
        let faulty = FaultyStore(device.service.store)
        service.remote.use(faulty)
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await lose(.request, store, faulty)
        try service.change(
            "DROP TABLE Photos", "DROP TABLE Items", "CREATE TABLE Kept AS SELECT OrderID, Amount FROM Orders",
            "DROP TABLE Orders", "CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, Amount NUMERIC(10,2))",
            "INSERT INTO Orders SELECT OrderID, Amount FROM Kept")
        let report = try await store.rebuild()
        let misfit = try #require(report.misfits.first)
        #expect(report.misfits.count == 1 && report.keptRequests == 0)
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        for refused: () async throws -> Void in [
            { try await store.edit(errorID: misfit.id, json: #"{"Amount":8}"#) },
            { try await store.skip(errorID: misfit.id) },
        ] {
            await #expect(performing: { try await refused() }, throws: { ($0 as? ODataError)?.code == .conflict })
        }
        let upload = try await store.upload()
        #expect(upload.unconfirmed.map(\.url) == ["Orders(2)"] && upload.failed.isEmpty)
        try await store.decide(requestID: misfit.requestID, .notSent)
        #expect(try await store.queueEntries().map(\.state) == [.failed])
        try await store.edit(errorID: misfit.id, json: #"{"Amount":8}"#)
        // It is based on the version before the rebuild.
        #expect(try await store.upload().failed.map(\.status) == [412])
    }

    /// The request that sets or takes away the customer of an order was sent, and has not arrived.
    private func loseReference(
        at path: String, isAdded: Bool
    ) async throws -> (device: Device, remote: SwitchingStore, faulty: FaultyStore) {
        let service = try SampleService()
        let faulty = FaultyStore(service.store)
        let remote = SwitchingStore(faulty)
        let device = try await Device(ChangeTests.queries, service: service) { _ in remote }
        try await device.store.download()
        let customer = EntityReference.path(try device.store.path("Customers('C')"))
        _ = try await device.store.change(
            ChangeRequest(try device.store.path(path), isAdded ? .addReference(customer) : .removeReference(nil)))
        try await lose(.request, device.store, faulty)
        return (device, remote, faulty)
    }

    @Test("A reference that is refused when it is sent again was made before only if it is there")
    func refusedReference() async throws {
        let (device, remote, _) = try await loseReference(at: "Orders(3)/Customer", isAdded: true)
        let service = device.service
        remote.use(RefusingStore(service.store) { ODataError(.conflict, "The order is locked.") })
        #expect(try await device.store.upload().failed.map(\.message) == ["The order is locked."])
        remote.use(service.store)
        #expect(try await device.store.upload().isComplete)
        #expect(try service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 3") == ["C"])
    }

    /// The response of the service to the probe: nil is nothing, 403 that it does not let itself be asked.
    @Test(
        "A refused repetition of a reference waits until the service can be asked; one that cannot be asked is believed",
        arguments: [true, false], [nil, 502, 403] as [Int?])
    func unseenReference(isAdded: Bool, status: Int?) async throws {
        let (device, remote, faulty) = try await loseReference(at: "Orders(3)/Customer/$ref", isAdded: isAdded)
        let service = device.service
        var plan = FaultyStore.Plan()
        (plan.failingRead, plan.failingReadStatus) = (1, status)
        faulty.set(plan)
        remote.use(RefusingStore(faulty) { ODataError(isAdded ? .conflict : .notFound, "Refused.") })
        guard status != 403 else {
            #expect(try await device.store.upload().isComplete)
            #expect(try await device.store.queueEntries().isEmpty)
            return
        }
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(try await device.store.queueEntries().map(\.state) == [.unconfirmed])
        remote.use(service.store)
        #expect(try await device.store.upload().isComplete)
        let expected = try service.fetch("SELECT ifnull(CustomerID, '-') FROM Orders WHERE OrderID = 3")
        #expect(expected == [isAdded ? "C" : "-"])
    }

    @Test("Of a set that is gone the app can decide too")
    func goneSet() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        let faulty = FaultyStore(device.service.store)
        service.remote.use(faulty)
        try await device.create("Customers", #"{"CustomerID":"X","Name":"new"}"#)
        try await lose(.response, device.store, faulty)
        try service.change(
            "DROP TABLE Photos", "DROP TABLE Items", "DROP TABLE Orders", "DROP TABLE Customers",
            "CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY)")
        let misfit = try #require(try await device.store.rebuild().misfits.first)
        #expect(try await device.store.upload().unconfirmed.count == 1)
        try await device.store.decide(requestID: misfit.requestID, .sent)
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.store.errorEntries().isEmpty)
    }

    @Test(
        "A media creation whose stream is lost is found by its content, or goes to the error archive",
        arguments: UnconfirmedTests.Loss.allCases)
    func lostStream(_ loss: UnconfirmedTests.Loss) async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")], wrap: { FaultyStore($0) })
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Photos"), .createMedia(content, slug: nil)))
        try await lose(loss, device.store, remote)
        try device.store.close()
        let path = device.folder.path + "/store"
        try FileManager.default.removeItem(atPath: path + "/media")
        let store = try OfflineStore(folder: path, remote: remote, configuration: Device.configuration())
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        #expect(try await store.errorEntries().map(\.code) == ["mediaNotInStore"])
        let report = try await store.upload()
        if loss == .response {
            #expect(report.isComplete && report.succeeded.count == 1)
            #expect(try await store.errorEntries().isEmpty)
        } else {
            #expect(report.failed.map(\.code) == ["mediaNotInStore"] && report.unconfirmed.isEmpty)
            #expect(try await store.queueEntries().map(\.state) == [.failed])
        }
        #expect(try device.service.fetch("SELECT count(*) FROM Photos") == [loss == .response ? "5" : "4"])
        try store.addQuery(.init(name: "streams", query: "Photos", retrievesStreams: true))
        #expect(try await store.download().streams == (loss == .response ? 5 : 4))
        try store.close()
    }

    @Test("What a lost media creation may have made is not changed before that is known", arguments: [true, false])
    func mediaBehindDoubt(isDeleted: Bool) async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")], wrap: { FaultyStore($0) })
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        _ = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"),
            properties: EntityPayload(["Title": .string("new")]))
        await remote.loseResponse(to: device.store)
        try await device.store.download()
        let photo = try device.store.path("Photos(5)")
        let content = MediaContent(ByteContent([7]), contentType: "image/png")
        _ = try await device.store.change(
            isDeleted ? ChangeRequest(photo, .delete) : ChangeRequest(photo, .replaceStream(content)))
        // The first read of the upload is to find the creation.
        var plan = FaultyStore.Plan()
        (plan.isForgetful, plan.failingRead, plan.failingReadStatus) = (true, 1, 502)
        remote.set(plan)
        let report = try await device.store.upload()
        #expect(report.unconfirmed.map(\.method) == ["POST"] && report.held.count == 2 && remote.count.changes == 0)
        plan.failingRead = nil
        remote.set(plan)
        #expect(try await device.store.upload().isComplete)
        let rows = try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID > 4")
        #expect(rows == (isDeleted ? [] : ["new|07"]))
    }

    @Test("A stream or a deletion whose repetition is refused for any reason is looked at", arguments: [true, false])
    func refusedRepetition(isDeletion: Bool) async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")], wrap: { FaultyStore($0) })
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        let content = MediaContent(ByteContent([7]), contentType: "image/png")
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Photos(1)"), isDeletion ? .delete : .replaceStream(content)))
        await remote.loseResponse(to: device.store)
        var plan = FaultyStore.Plan()
        (plan.isForgetful, plan.refusedChanges) = (true, [1])
        remote.set(plan)
        #expect(try await device.store.upload().isComplete)
        #expect(remote.count.changes == 1)
    }

    @Test("Where the service cannot execute the query of a probe, the app is asked")
    func impossible() async throws {
        let asked = AskedRequests()
        let device = try await Device(
            ChangeTests.queries, wrap: { FaultyStore($0) },
            configure: {
                $0.unconfirmed = { request in
                    asked.add(request.request.url)
                    return .hold
                }
            })
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        try await device.create("Orders", #"{"Note":"once"}"#)
        await remote.loseResponse(to: device.store)
        var plan = FaultyStore.Plan()
        (plan.isForgetful, plan.failingRead, plan.failingReadStatus) = (true, 1, 501)
        remote.set(plan)
        #expect(try await device.store.upload().unconfirmed.count == 1)
        #expect(asked.urls == ["Orders"])
    }
}
