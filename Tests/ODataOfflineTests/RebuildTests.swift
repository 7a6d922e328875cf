import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Testing

@Suite("Rebuild")
struct RebuildTests {
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
        let queue = try store.queueEntries()
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
        #expect(try store.queueEntries() == queue)
        #expect(try await device.values("Orders(1)", "Amount") == [.string("much")])
        #expect(try await device.values("Orders(2)", "Note") == [.string("mine")])
        #expect(try await device.count("Orders?$filter=OrderID eq 3") == 0)
        #expect(try await device.count("Orders(5)/Items") == 0)
        #expect(try await device.values("\(path.url)/Items", "Product") == [.string("own")])
        #expect(try await device.bytes("Photos(2)/$value").count == 20_000)
        #expect(try await store.events().first?.kind == .rebuild)
        try store.undo(requestID: try #require(queue.first { $0.url == "Orders(3)" }).id)
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
        #expect(try device.store.queueEntries().map(\.state) == [.failed, .failed])
        #expect(try await device.count("Orders") == SampleService.orders)
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
        #expect(try again.queueEntries().map(\.url) == ["Orders(2)"])
        #expect(try await again.entities(try await again.query("Orders")).count == SampleService.orders)
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
