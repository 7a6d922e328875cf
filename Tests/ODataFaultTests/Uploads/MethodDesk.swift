import AsyncHTTPTransport
import Foundation
import OData
import ODataServer
import ODataService
import ODataTesting
import Testing
import ToolSupport

/// A service with one of the protocols, the relay before it, and an offline store.
final class MethodDesk: Sendable {
    enum Method: String, CaseIterable, Sendable {
        case tus, graph, dataverse
        /// The app's own: ``PartsUpload``.
        case own
    }

    private static let transport = AsyncHTTPTransport()
    private static let bytes = make(32 * 327_680 + 100_000)

    let method: Method
    let uploading: UploadingService
    let relay: Relay
    private let folder: TemporaryFolder
    private let service: SQLiteStore
    private let server: ODataServer

    init(_ method: Method) async throws {
        self.method = method
        folder = try TemporaryFolder()
        service = try SiteFile(in: folder).publish()
        let uploads: any UploadProtocol =
            switch method {
            case .tus: TusService()
            case .graph: GraphService()
            case .dataverse: DataverseService(chunkSize: 100_000)
            case .own: PartsService()
            }
        uploading = UploadingService(ODataService(store: service), uploads)
        server = try await ODataServer.start(service: uploading)
        relay = try await Relay.start()
        connect()
    }

    private func connect() { relay.lead(to: URL(string: server.rootURL)?.port) }

    func stop() async throws {
        try await relay.stop()
        try await server.stop()
        try service.close()
    }

    /// Of several parts; no two parts are alike.
    static func content(of method: Method) -> [UInt8] {
        switch method {
        case .tus, .dataverse, .own: Array(bytes.prefix(250_000))
        case .graph: bytes
        }
    }

    private static func make(_ length: Int) -> [UInt8] {
        let piece = SiteFile.picture(seed: 9, length: 65_537)
        var bytes: [UInt8] = []
        while bytes.count < length { bytes += piece }
        return Array(bytes.prefix(length))
    }

    /// With one stream to send.
    func device() async throws -> OfflineStore {
        let store = try await open("store")
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos"))
        try await store.download()
        let media = MediaContent(ByteContent(Self.content(of: method)), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Photos(9001)"), .replaceStream(media)))
        return store
    }

    /// The process that works with the store is dead from now on: what it has written is all there is.
    func kill() {
        let path = folder.path
        // It waits for the service meanwhile.
        do { try FolderSnapshot(source: path + "/store", target: path + "/next").take() } catch { Issue.record(error) }
        relay.hangUp()
    }

    /// The store as a process finds it that comes after the dead one.
    ///
    /// - Parameter hasContent: If not, the stream that is being sent is lost since.
    func nextRun(hasContent: Bool = true) async throws -> OfflineStore {
        connect()
        if !hasContent { try FileManager.default.removeItem(atPath: folder.path + "/next/media") }
        return try await open("next")
    }

    private func open(_ name: String) async throws -> OfflineStore {
        var online = OnlineStore.Configuration()
        online.uploadMethods["Photos"] =
            switch method {
            case .tus: .tus(endpoint: "files")
            case .graph: .graph
            case .dataverse: .dataverse
            case .own: .method(PartsUpload(root: relay.root, transport: Self.transport))
            }
        online.resumableSize = 1000
        online.headers = [HeaderField(name: "X-Secret", value: "s")]
        let remote = try OnlineStore(serviceRoot: relay.root, transport: Self.transport, configuration: online)
        var configuration = OfflineStore.Configuration()
        configuration.pause = { _ in }
        // Services with these protocols do not repeat requests.
        configuration.exactlyOnce = .clientKeys
        let store = try OfflineStore(folder: "\(folder.path)/\(name)", remote: remote, configuration: configuration)
        try await store.open()
        return store
    }

    /// What the service has now.
    func served() async throws -> [UInt8] {
        let path = try QueryParser(model: try await service.model()).path("Photos(9001)")
        return try await service.readStream(StreamRequest(path)).content.collect(upTo: 1 << 24)
    }
}
