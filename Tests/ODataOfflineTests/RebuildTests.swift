import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization
import Testing

/// Does something before a read.
private final class HookedStore: ODataStore {
    private let base: any ODataStore
    private let hook = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ base: any ODataStore) { self.base = base }

    func beforeNextRead(_ body: @escaping @Sendable () async throws -> Void) { hook.withLock { $0 = body } }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        let body = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        try await body?()
        return try await base.read(request)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { try await base.change(request) }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}

/// Cancels the task that asks for the time, once a condition holds.
private final class CancellingClock: Sendable {
    private let condition = Mutex<(@Sendable () -> Bool)?>(nil)
    private let fired = Mutex(false)

    func cancel(when condition: @escaping @Sendable () -> Bool) { self.condition.withLock { $0 = condition } }

    var hasFired: Bool { fired.withLock { $0 } }

    var date: Date {
        if condition.withLock({ $0?() ?? false }) {
            fired.withLock { $0 = true }
            withUnsafeCurrentTask { $0?.cancel() }
        }
        return Date()
    }
}

@Suite("Rebuild")
struct RebuildTests {
    @Test("Streams of contained entities are carried over too")
    func containedStreams() async throws {
        let service = try await ShopService()
        for order in Int64(1)...2 {
            try await service.create("Orders", ["ID": .integer(order)])
            try await service.create("Orders(\(order))/Remarks", ["ID": .integer(7 - order)])
            try await service.upload("Orders(\(order))/Remarks(\(7 - order))/Scan", "scan \(order)")
        }
        let device = try await service.device([
            .init(name: "orders", query: "Orders?$expand=Remarks", retrievesStreams: true)
        ])
        #expect(try await device.store.download().streams == 2)
        let report = try await device.store.rebuild()
        #expect(report.keptStreams == 2)
        #expect(report.download.streams == 0)
        #expect(try await device.text("Orders(2)/Remarks(5)/Scan") == "scan 2")
    }

    @Test("Keeps the queue, local rows, temporary keys and media, and takes the new metadata")
    func keepsAll() async throws {
        let service = try await ChangingService([
            .init(name: "orders", query: "Orders?$expand=Items"), .init(name: "customers", query: "Customers"),
            .init(name: "photos", query: "Photos", retrievesStreams: true),
        ])
        let device = service.device
        let store = device.store
        let made = try await device.create("Orders", #"{"Note":"made here","CustomerID":"B"}"#)
        let path = try #require(made.path)
        try await device.create("\(path.url)/Items", #"{"LineNo":1,"Product":"own"}"#)
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.delete("Orders(3)")
        _ = try await store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try store.path("Photos"))
        let queue = try await store.queueEntries()
        try service.change(
            "CREATE TABLE Old AS SELECT OrderID, Amount FROM Orders", "ALTER TABLE Orders DROP COLUMN Amount",
            "ALTER TABLE Orders ADD COLUMN Amount TEXT", "UPDATE Orders SET Amount = 'much', Note = 'theirs'",
            "DELETE FROM Items WHERE OrderID = 5")
        _ = try await service.difference { try await store.download() }
        let report = try await store.rebuild()
        #expect(report.misfits.isEmpty)
        #expect(report.keptRequests == queue.count)
        #expect(report.keptStreams == 4)
        #expect(report.download.streams == 0)
        #expect(try await store.queueEntries() == queue)
        #expect(try await device.values("Orders(1)", "Amount") == [.string("much")])
        #expect(try await device.values("Orders(2)", "Note") == [.string("mine")])
        #expect(try await device.count("Orders?$filter=OrderID eq 3") == 0)
        #expect(try await device.count("Orders(5)/Items") == 0)
        #expect(try await device.values("\(path.url)/Items", "Product") == [.string("own")])
        #expect(try await device.bytes("Photos(2)/$value").count == 20_000)
        #expect(try await store.events().first?.kind == .rebuild)
        try await store.undo(.request(try #require(queue.first { $0.url == "Orders(3)" }).id))
        #expect(try await device.values("Orders(3)", "Note") == [.string("theirs")])
        let upload = try await store.upload()
        #expect(upload.succeeded.count == queue.count - 2)
        #expect(upload.failed.map(\.status) == [412])
        let orders = try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'made here'")
        #expect(orders == ["1"])
        #expect(try await device.values(path.url, "Note") == [.string("made here")])
    }

    @Test("Requests that do not fit any more go to the error archive")
    func misfits() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.create("Customers", #"{"CustomerID":"X","Name":"new"}"#)
        try service.change(
            "ALTER TABLE Orders DROP COLUMN Note", "DROP TABLE Photos", "DROP TABLE Items",
            "CREATE TABLE Kept AS SELECT OrderID FROM Orders", "DROP TABLE Orders", "DROP TABLE Customers",
            "CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY)", "INSERT INTO Orders SELECT OrderID FROM Kept")
        let report = try await device.store.rebuild()
        #expect(report.keptRequests == 0)
        #expect(report.misfits.map(\.url) == ["Orders(2)", "Customers"])
        #expect(report.misfits.first?.message.contains("Note") == true)
        #expect(report.misfits.last?.body?.contains(#""Name":"new""#) == true)
        #expect(try await device.store.queueEntries().map(\.state) == [.failed, .failed])
        #expect(try await device.store.events().first?.outcome == .partial)
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("Each misfit of a change set has its own reason; the others wait for it and are not kept as they were")
    func misfitsOfChangeSet() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let store = service.device.store
        let order = { (id: Int, name: String, value: EdmValue) in
            let payload = EntityPayload(EdmComplexValue([.init(name: name, value: value)]))
            return ChangeRequest(try store.path("Orders(\(id))"), .update(payload))
        }
        _ = try await store.changeSet([
            try order(2, "Note", .string("mine")), try order(3, "OrderDate", .null),
            try order(4, "Amount", .decimal(EdmDecimal(1))),
        ])
        try service.change("ALTER TABLE Orders DROP COLUMN OrderDate", "ALTER TABLE Orders DROP COLUMN Note")
        let report = try await store.rebuild()
        #expect(report.misfits.map(\.url) == ["Orders(2)", "Orders(3)"])
        for (misfit, name) in zip(report.misfits, ["Note", "OrderDate"]) { #expect(misfit.message.contains(name)) }
        #expect(report.keptRequests == 0)
        let codes = try await store.errorEntries().map(\.code)
        #expect(codes == ["metadataChanged", "metadataChanged", "failedDependency"])
    }

    @Test("What does not fit any more hinders no change, and can be edited and taken back", arguments: [true, false])
    func misfitsLater(edits: Bool) async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let device = service.device
        let amount = try await device.values("Orders(2)", "Amount")
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.create("Customers", #"{"CustomerID":"X","Name":"new"}"#)
        try service.change(
            "DROP TABLE Photos", "DROP TABLE Items", "CREATE TABLE Kept AS SELECT OrderID, Amount FROM Orders",
            "DROP TABLE Orders", "DROP TABLE Customers",
            "CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, Amount NUMERIC(10,2))",
            "INSERT INTO Orders SELECT OrderID, Amount FROM Kept")
        let misfit = try #require(try await device.store.rebuild().misfits.first)
        try await device.update("Orders(2)", #"{"Amount":7}"#)
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(2)", "Customers", "Orders(2)"])
        if edits { try await device.store.edit(errorID: misfit.id, json: #"{"Amount":8}"#) }
        // The later change lies on top.
        #expect(try await device.values("Orders(2)", "Amount").map(\.lexical) == ["7"])
        let plan = try await device.store.undo(.everything)
        #expect(plan.requests.count == 3 && plan.removedEntities == ["Customers('X')"])
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try await device.values("Orders(2)", "Amount") == amount)
    }

    @Test("A rebuild that ends early leaves the store as it was; after one the new file opens")
    func interrupted() async throws {
        let service = try SampleService()
        let remote = FaultyStore(service.store)
        let device = try await Device([.init(name: "orders", query: "Orders")], service: service, pageSize: 10) { _ in
            remote
        }
        try await device.store.download()
        let path = device.folder.path + "/store"
        remote.set(.init(failingRead: 2))
        await #expect(throws: ODataError.self) { try await device.store.rebuild() }
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.store.events().first?.outcome == .failed)
        remote.set(.init())
        // What a process that died in the middle would leave.
        let copy = device.folder.path + "/copy"
        try await device.store.rebuild { step in
            guard step.phase == .publishing, !FileManager.default.fileExists(atPath: copy) else { return }
            try? FileManager.default.copyItem(atPath: path, toPath: copy)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: copy)
        #expect(files.contains("store-1.sqlite"))
        let killed = try OfflineStore(folder: copy, remote: nil)
        #expect(try await killed.entities(try await killed.query("Orders")).count == SampleService.orders)
        #expect(try await killed.events().first?.outcome == .interrupted)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: copy).contains("store-1.sqlite"))
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.store.rebuild()
        try device.store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".sqlite") }
        #expect(names == ["store-2.sqlite"])
        let again = try OfflineStore(folder: path, remote: nil)
        #expect(try await again.queueEntries().map(\.url) == ["Orders(2)"])
        #expect(try await again.entities(try await again.query("Orders")).count == SampleService.orders)
    }

    @Test("A rebuild that is cancelled late is done or not, and nothing is lost", arguments: [true, false])
    func cancelledLate(isSwapped: Bool) async throws {
        let clock = CancellingClock()
        let device = try await Device(
            [.init(name: "orders", query: "Orders")], configure: { $0.now = { clock.date } })
        try await device.store.download()
        try await device.create("Orders", #"{"Note":"made here"}"#)
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        let queue = try await device.store.queueEntries()
        let path = device.folder.path + "/store"
        let isPublishing = Mutex(false)
        clock.cancel {
            let isDone = FileManager.default.fileExists(atPath: path + "/current")
            return isDone == isSwapped && isPublishing.withLock { $0 }
        }
        let rebuild = Task {
            try await device.store.rebuild { step in
                if step.phase == .publishing { isPublishing.withLock { $0 = true } }
            }
        }
        let result = await rebuild.result
        clock.cancel { false }
        #expect(clock.hasFired)
        let name = try OfflineStore.databasePath(in: path).split(separator: "/").last
        switch result {
        case .success: #expect(name == "store-1.sqlite")
        case .failure(let error):
            #expect(!isSwapped && (error as? ODataError)?.code == .cancelled, "\(error)")
            #expect(name == "store.sqlite")
        }
        #expect(try await device.store.queueEntries() == queue)
        #expect(try await device.count("Orders") == SampleService.orders + 1)
        #expect(try await device.values("Orders(2)", "Note") == [.string("mine")])
        #expect(try await device.store.check().isSound)
        #expect(try await device.store.upload().isComplete)
        try device.store.close()
        let again = try OfflineStore(folder: path, remote: nil)
        #expect(try await again.queueEntries().isEmpty)
        try again.close()
    }

    @Test("What is made during the download is kept, and definitions are refused meanwhile")
    func changesMeanwhile() async throws {
        let service = try SampleService()
        let remote = HookedStore(service.store)
        let device = try await Device([.init(name: "orders", query: "Orders")], service: service) { _ in remote }
        try await device.store.download()
        let codes = Mutex<[ODataError.Code]>([])
        remote.beforeNextRead {
            for number in 1...3 { try await device.create("Orders", #"{"Note":"made \#(number)"}"#) }
            for refused: () async throws -> Void in [
                { try device.store.addQuery(.init(name: "more", query: "Customers")) },
                { try device.store.removeQuery("orders") }, { try await device.store.addLocalSets(csdl: Self.drafts) },
            ] {
                do { try await refused() } catch let error as ODataError { codes.withLock { $0.append(error.code) } }
            }
        }
        let report = try await device.store.rebuild()
        #expect(codes.withLock { $0 } == [.conflict, .conflict, .conflict])
        #expect(report.keptRequests == 3)
        #expect(try await device.count("Orders") == SampleService.orders + 3)
        for order in [1, 2, 25] {
            #expect(try await device.values("Orders(\(order))", "Note") == [.string("note \(order)")])
        }
        #expect(try await device.count("Orders?$filter=startswith(Note,'made')") == 3)
        #expect(try await device.store.upload().isComplete)
        #expect(try service.fetch("SELECT count(*) FROM Orders WHERE Note LIKE 'made%'") == ["3"])
        // A download has taken up the service's metadata beside the declared sets.
        remote.beforeNextRead {
            do { try await device.store.addLocalSets(csdl: Self.drafts) } catch let error as ODataError {
                codes.withLock { $0.append(error.code) }
            }
        }
        try await device.store.download()
        #expect(codes.withLock { $0.count } == 4)
        try await device.store.addLocalSets(csdl: Self.drafts)
        #expect(try await device.count("Orders") == SampleService.orders + 3)
    }

    private static let drafts = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="App" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Draft">
        <Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="Local"><EntitySet Name="Drafts" EntityType="App.Draft"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test("Contained entities stay with a changed entity, and the service's version keeps its type")
    func hiddenColumns() async throws {
        let service = try await ShopService()
        try await service.fill()
        try await service.create(
            "Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car"), "Doors": .integer(4)])
        let device = try await service.directDevice([
            .init(name: "orders", query: "Orders?$expand=Remarks"), .init(name: "vehicles", query: "Vehicles"),
        ])
        let store = device.store
        try await store.download()
        for (entity, json) in [("Orders(2)", #"{"Note":"mine"}"#), ("Vehicles(2)/Shop.Car", #"{"Name":"mine"}"#)] {
            let path = try store.path(entity)
            _ = try await store.change(
                ChangeRequest(path, .update(try await store.payload(json, for: path))))
        }
        try await service.update("Vehicles(2)/Shop.Car", ["Name": .string("theirs"), "Doors": .integer(5)])
        try await store.rebuild()
        #expect(try await device.lines("Orders(2)", "Note") == ["mine"])
        #expect(try await device.lines("Orders(2)/Remarks", "ID", "Text") == ["1 remark 2"])
        #expect(try await device.lines("Orders?$filter=Remarks/any(r:r/Text eq 'remark 2')", "ID") == ["2"])
        let request = try #require(try await store.queueEntries().last)
        let theirs = try await store.conflict(requestID: request.id)?.theirs
        #expect(theirs?.type.name.name == "Car")
        #expect(theirs?["Doors"] == .integer(5))
    }

    @Test("ETags of streams that entities do not tell go over, and go with their entities")
    func streamTags() async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let photos: (String) -> String = { rows in
            #"{"@odata.context":"http://service.test/$metadata#Photos","value":[\#(rows)]}"#
        }
        responses.set("/Photos?", photos(#"{"@odata.etag":"W/\"1\"","PhotoID":1,"Title":"photo 1","OrderID":1}"#))
        let query = DefiningQuery(
            name: "photos", query: "Photos?$filter=PhotoID ge 1", retrievesStreams: true, checksStreams: true)
        let device = try await ShopDevice([query], remote: responses.remote(over: service.store)) { _ in }
        #expect(try await device.store.download().streams == 1)
        let path = try device.store.path("Photos(1)")
        let payload = try await device.store.payload(#"{"Title":"mine"}"#, for: path)
        _ = try await device.store.change(ChangeRequest(path, .update(payload)))
        let report = try await device.store.rebuild()
        #expect(report.keptStreams == 1)
        // Known to be the same, it is not fetched again.
        #expect(try await device.store.download().streams == 0)
        responses.set("/Photos?", photos(""))
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        try await device.store.download()
        try device.store.close()
        let database = try OfflineStore.databasePath(in: device.folder.path + "/store")
        let queue = try DatabaseQueue(path: database)
        let left = try await queue.read { try Int.fetchOne($0, sql: #"SELECT count(*) FROM "$streamtag""#) }
        #expect(left == 0)
        try queue.close()
    }

    @Test("Ids of requests, errors and attachments are given once, before and after a rebuild")
    func givenIDs() async throws {
        let device = try await ChangingService([.init(name: "orders", query: "Orders")]).device
        let store = device.store
        var given: [[Int64]] = []
        for isLast in [false, true] {
            try await device.update("Orders(2)", #"{"Note":"refused"}"#)
            #expect(try await store.upload().failed.count == 1)
            let attachment: Int64 = try await store.writingAttachments { db in
                try db.execute(sql: #"INSERT INTO "$attachment" ("entity", "body") VALUES ('Orders(2)', '{}')"#)
                return db.lastInsertedRowID
            }
            given.append(try await store.queueEntries().map(\.id) + store.errorEntries().map(\.id) + [attachment])
            guard !isLast else { break }
            try await store.undo(.everything)
            try await store.writingAttachments { db in try db.execute(sql: #"DELETE FROM "$attachment""#) }
            #expect(try await store.queueEntries().isEmpty)
            #expect(try await store.errorEntries().isEmpty)
            try await store.rebuild()
        }
        #expect(given[0].count == 3 && zip(given[0], given[1]).allSatisfy { $0 < $1 }, "\(given)")
    }

    @Test("A query that does not fit is named before anything is done")
    func misfitQuery() async throws {
        let service = try await ChangingService([
            .init(name: "orders", query: "Orders"), .init(name: "photos", query: "Photos"),
        ])
        try service.change("DROP TABLE Photos")
        await #expect(throws: ODataError.self) { try await service.device.store.rebuild() }
        try service.device.store.removeQuery("photos")
        try await service.device.store.rebuild()
        #expect(try await service.device.store.model().entitySet(named: "Photos") == nil)
    }
}
