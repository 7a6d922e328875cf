import ByteStreams
import Foundation
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Synchronization
import Testing

/// Copies the store's folder and the service's at every request: what a process that ends at that moment leaves behind.
private final class CopyingStore: ODataStore {
    private let service: SampleService
    private let copies = Mutex<[String]>([])
    let source: String
    private var base: any ODataStore { service.store }

    init(_ service: SampleService, source: String) {
        self.service = service
        self.source = source
    }

    var folders: [String] { copies.withLock { $0 } }

    private func copy() {
        copies.withLock { copies in
            let target = "\(source)-\(copies.count)"
            do {
                // A page of another query may be written meanwhile.
                try FolderSnapshot(source: source, target: target).take()
                try FileManager.default.copyItem(atPath: service.folder.path, toPath: target + "-service")
            } catch {
                Issue.record(error)
            }
            copies.append(target)
        }
    }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        copy()
        return try await base.read(request)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        copy()
        let result = try await base.change(request)
        copy()
        return result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        copy()
        return try await base.readStream(request)
    }
}

@Suite("A process that ends at any request")
struct RestartTests {
    @Test("A download is finished by the next process, whenever the last one ended")
    func download() async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        let path = folder.path + "/store"
        let remote = CopyingStore(service, source: path)
        let store = try OfflineStore(folder: path, remote: remote, configuration: Device.configuration(pageSize: 9))
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders?$expand=Items"))
        try store.addQuery(.init(name: "photos", query: "Photos", retrievesStreams: true))
        try await store.download()
        try store.close()
        #expect(remote.folders.count >= 7)
        for copy in remote.folders {
            let again = try OfflineStore(
                folder: copy, remote: service.store, configuration: Device.configuration(pageSize: 9))
            #expect(try await again.download().failedStreams.isEmpty)
            #expect(try await again.status.entities == ["Orders": 25, "Items": 50, "Photos": 4])
            #expect(try await again.status.streams == 4)
            try again.close()
        }
    }

    @Test("An upload is finished by the next process, whenever the last one ended, and nothing is applied twice")
    func upload() async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        let path = folder.path + "/store"
        let remote = CopyingStore(service, source: path)
        let store = try OfflineStore(folder: path, remote: service.store, configuration: Device.configuration())
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders?$expand=Items"))
        try store.addQuery(.init(name: "photos", query: "Photos", retrievesStreams: true))
        try await store.download()
        try await edit(store)
        try store.close()

        let sender = try OfflineStore(folder: path, remote: remote, configuration: Device.configuration())
        #expect(try await sender.upload().isComplete)
        try await sender.download()
        let expected = try await sender.status
        let there = try contents(of: service)
        try sender.close()
        #expect(remote.folders.count >= 10)
        for copy in remote.folders {
            let service = try SampleService(copiedTo: copy + "-service")
            let again = try OfflineStore(folder: copy, remote: service.store, configuration: Device.configuration())
            #expect(try await again.upload().isComplete)
            #expect(try await again.queueEntries().isEmpty)
            #expect(try contents(of: service) == there)
            try await again.download()
            #expect(try await again.status.entities == expected.entities)
            #expect(try await again.status.streams == expected.streams)
            try again.close()
        }
    }

    @Test("A change survives the end of the process, whether it must reach the disk or not", arguments: [true, false])
    func change(survivesPowerLoss: Bool) async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        let path = folder.path + "/store"
        var configuration = Device.configuration()
        configuration.changesSurvivePowerLoss = survivesPowerLoss
        let store = try OfflineStore(folder: path, remote: service.store, configuration: configuration)
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders?$expand=Items"))
        try store.addQuery(.init(name: "photos", query: "Photos", retrievesStreams: true))
        try await store.download()
        try await edit(store)
        try FileManager.default.copyItem(atPath: path, toPath: path + "-left")
        let again = try OfflineStore(folder: path + "-left", remote: service.store, configuration: configuration)
        #expect(try await again.queueEntries().map(\.url) == (try await store.queueEntries().map(\.url)))
        #expect(try await again.upload().isComplete)
        try again.close()
        try store.close()
    }

    private func edit(_ store: OfflineStore) async throws {
        let orders = try store.path("Orders")
        let json = #"{"CustomerID":"A","Note":"new","Items":[{"LineNo":1},{"LineNo":2}]}"#
        _ = try await store.change(ChangeRequest(orders, .create(try await store.payload(json, for: orders))))
        let order = try store.path("Orders(4)")
        _ = try await store.change(ChangeRequest(order, .update(EntityPayload(["Note": .string("changed")]))))
        _ = try await store.change(ChangeRequest(try store.path("Items(OrderID=5,LineNo=2)"), .delete))
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await store.createMedia(
            content, in: try store.path("Photos"), properties: EntityPayload(["Title": .string("made here")]))
    }

    private func contents(of service: SampleService) throws -> [String] {
        try service.fetch("SELECT * FROM Orders") + service.fetch("SELECT * FROM Items ORDER BY 1, 2")
            + service.fetch("SELECT PhotoID, Title, length(Image) FROM Photos")
    }
}
