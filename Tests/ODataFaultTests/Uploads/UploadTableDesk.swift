import AsyncHTTPTransport
import ByteStreams
import Foundation
import MediaFiles
import OData
import ODataServer
import ODataService
import Synchronization
import ToolSupport

/// A service behind an ``UploadScript``, over HTTP, and an offline store with one stream to send.
final class UploadTableDesk: Sendable {
    enum Way: String, Sendable { case plain, resumable, tus, graph, dataverse }

    static let content = SiteFile.picture(seed: 9, length: 250_000)
    /// The most bytes of a part, resumable and for Dataverse.
    private static let partSize = 100_000
    private static let transport = AsyncHTTPTransport()

    let script: UploadScript
    let store: OfflineStore
    private let folder: TemporaryFolder
    private let file: SiteFile
    private let service: SQLiteStore
    private let relay: Relay
    private let server: ODataServer
    private let pauses: Pauses
    /// The file of the stream.
    private let source: String

    /// - Parameter isResumable: Whether the service knows resumable uploads.
    init(_ way: Way, isResumable: Bool = true) async throws {
        folder = try TemporaryFolder()
        file = try SiteFile(in: folder)
        try file.execute(
            """
            CREATE TABLE Writings (WritingID INTEGER PRIMARY KEY, PhotoID INTEGER NOT NULL);
            CREATE TRIGGER PhotoWriting AFTER UPDATE OF Content ON Photos
            BEGIN INSERT INTO Writings (PhotoID) VALUES (NEW.PhotoID); END;
            """)
        service = try file.publish()
        let relay = try await Relay.start()
        self.relay = relay
        let pauses = Pauses()
        self.pauses = pauses
        let source = UploadTableDesk.source(in: folder.path)
        self.source = source
        script = UploadScript(
            UploadTableDesk.responder(way, service, isResumable: isResumable), cut: { relay.cutAll() },
            spoil: { try UploadTableDesk.spoil(source, $0) })
        server = try await ODataServer.start(service: script)
        relay.lead(to: URL(string: server.rootURL)?.port)
        let remote = try OnlineStore(
            serviceRoot: relay.root, transport: script.impatient(UploadTableDesk.transport),
            configuration: UploadTableDesk.online(way))
        var configuration = OfflineStore.Configuration()
        configuration.pause = { pauses.note($0) }
        // Services with these protocols do not repeat requests.
        configuration.exactlyOnce = .clientKeys
        store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        try store.addQuery(DefiningQuery(name: "photos", query: "Photos"))
        try await store.download()
        try await replace(9001)
    }

    private static func responder(_ way: Way, _ store: SQLiteStore, isResumable: Bool) -> any HTTPResponder {
        var configuration = ODataService.Configuration()
        configuration.limits.resumableAppendSize = Int64(partSize)
        configuration.allowsResumableUploads = isResumable
        let service = ODataService(store: store, configuration: configuration)
        return switch way {
        case .plain, .resumable: service
        case .tus: UploadingService(service, TusService())
        case .graph: UploadingService(service, GraphService())
        case .dataverse: UploadingService(service, DataverseService(chunkSize: partSize))
        }
    }

    private static func online(_ way: Way) -> OnlineStore.Configuration {
        var configuration = OnlineStore.Configuration()
        configuration.uploadMethods["Photos"] =
            switch way {
            case .plain: .plain
            case .resumable: .resumable
            case .tus: .tus(endpoint: "files")
            case .graph: .graph
            case .dataverse: .dataverse
            }
        configuration.resumableSize = 1000
        configuration.headers = [HeaderField(name: "X-Secret", value: "s")]
        // A token that was refused is followed by the next one.
        let number = Mutex(0)
        configuration.middleware = [
            BearerAuthentication { rejected in
                number.withLock { number in
                    if rejected == "t\(number)" { number += 1 }
                    return "t\(number)"
                }
            }
        ]
        return configuration
    }

    func stop() async throws {
        try store.close()
        try await relay.stop()
        try await server.stop()
        try service.close()
    }

    func replace(_ photo: Int) async throws {
        let media = MediaContent(ByteContent(Self.content), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Photos(\(photo))"), .replaceStream(media)))
    }

    /// How long the store wanted to wait before it went on.
    var waits: [Duration] { pauses.all }

    /// Whether the service has the stream, and it was written once.
    func isServedOnce() async throws -> Bool {
        let path = try QueryParser(model: try await service.model()).path("Photos(9001)")
        let served = try await service.readStream(StreamRequest(path)).content.collect(upTo: 1 << 24)
        return try served == Self.content && file.count("SELECT count(*) FROM Writings WHERE PhotoID = 9001") == 1
    }

    func spoil(_ fault: UploadScript.SourceFault) throws { try Self.spoil(source, fault) }

    /// The stream's file is as it was.
    func restore() throws { try Data(Self.content).write(to: URL(fileURLWithPath: source)) }

    /// The file of the stream in the media folder of the store.
    private static func source(in folder: String) -> String {
        let digest = StoredMedia(content).digest
        return "\(folder)/store/media/\(digest.prefix(2))/\(digest)"
    }

    private static func spoil(_ path: String, _ fault: UploadScript.SourceFault) throws {
        switch fault {
        case .changed:
            guard let handle = FileHandle(forUpdatingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
            try handle.seek(toOffset: 240_000)
            try handle.write(contentsOf: Data([content[240_000] ^ 1]))
            try handle.close()
        case .shorter:
            guard let handle = FileHandle(forUpdatingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
            try handle.truncate(atOffset: 240_000)
            try handle.close()
        case .gone:
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private final class Pauses: Sendable {
        private let pauses = Mutex<[Duration]>([])

        var all: [Duration] { pauses.withLock { $0 } }

        func note(_ pause: Duration) { pauses.withLock { $0.append(pause) } }
    }
}
