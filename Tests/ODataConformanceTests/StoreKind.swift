import AsyncHTTPTransport
import ODataConformance
import ODataModel
import ODataOffline
import ODataOnline
import ODataSQLite
import ODataServer
import ODataService
import ODataStores
import ODataTesting
import Testing

/// A store of the package that the suite runs on.
enum StoreKind: String, CaseIterable, Sendable {
    /// The file itself.
    case sqlite = "SQLite"
    /// The file behind a service, reached without a network.
    case inProcess = "online in process"
    /// The file behind a service on a loopback port.
    case http = "online over HTTP"
    /// All of the file, downloaded.
    case offline = "offline"
    /// All of it made on the device, nothing sent yet.
    case offlineUnsent = "offline, not sent yet"
    /// The same, sent.
    case offlineSent = "offline, sent"

    var capabilities: Set<ConformanceCapability> {
        switch self {
        case .sqlite, .inProcess, .http:
            [.madeKeys, .defaults, .constraints, .references, .nestedMedia, .etags, .newETags, .paging, .deltaLinks]
        // Keys, defaults and ETags come, and constraints are checked, when changes are uploaded. What is referred to
        // may be at the service only. Related entities are made by requests of their own, where the body of a media
        // entity is its stream. Deltas are for the store's own use.
        case .offline, .offlineSent: [.etags, .paging]
        case .offlineUnsent: [.paging]
        }
    }

    /// Whether there is a store on the device, which ``prepare(_:)`` makes.
    var isOffline: Bool {
        switch self {
        case .sqlite, .inProcess, .http: false
        case .offline, .offlineUnsent, .offlineSent: true
        }
    }

    /// Makes the store on the device beside the database at `path`.
    func prepare(_ path: String) async throws {
        let file = try file(path)
        let sample = self == .offline ? nil : try await LocalSample(of: file)
        try await sample?.empty(file)
        let store = try OfflineStore(folder: path + Self.folder, remote: file)
        try await store.open()
        for set in try await file.model().entitySets {
            try store.addQuery(DefiningQuery(name: set.name, query: set.name, retrievesStreams: true))
        }
        try await store.download()
        try await sample?.make(in: store)
        if self == .offlineSent {
            let report = try await store.upload()
            guard report.isComplete else { throw ODataError(.conflict, "Not all was sent: \(report.failed)") }
        }
        try store.close()
        try file.close()
    }

    /// Serves the database at `path`.
    func serve(_ path: String) async throws -> ServedSample {
        let file = try file(path)
        switch self {
        case .sqlite: return ServedSample(store: file) { try file.close() }
        case .inProcess: return try inProcess(file)
        case .http: return try await overHTTP(file)
        case .offline, .offlineUnsent, .offlineSent: return try await offline(file, path + Self.folder)
        }
    }

    private static let folder = "-store"

    private func file(_ path: String) throws -> SQLiteStore {
        var configuration = SQLiteStore.Configuration()
        configuration.media = [MediaColumn(set: ConformanceSample.mediaSet, column: ConformanceSample.mediaColumn)]
        configuration.tracksChanges = true
        return try SQLiteStore(path: path, configuration: configuration)
    }

    private func offline(_ file: SQLiteStore, _ folder: String) async throws -> ServedSample {
        let store = try OfflineStore(folder: folder, remote: file)
        try await store.open()
        return ServedSample(store: store) {
            try store.close()
            try file.close()
        }
    }

    private func inProcess(_ file: SQLiteStore) throws -> ServedSample {
        let root = "http://service.test/sample/"
        let transport = InProcessTransport(service: ODataService(store: file), root: root)
        return ServedSample(store: try OnlineStore(serviceRoot: root, transport: transport)) { try file.close() }
    }

    private func overHTTP(_ file: SQLiteStore) async throws -> ServedSample {
        let server = try await ODataServer.start(service: ODataService(store: file))
        let transport = AsyncHTTPTransport()
        let store = try OnlineStore(serviceRoot: server.rootURL, transport: transport)
        return ServedSample(store: store) {
            try await transport.shutdown()
            try await server.stop()
            try file.close()
        }
    }
}

/// A store over its own copy of the sample.
struct ServedSample: Sendable {
    let store: any ODataStore
    let stop: @Sendable () async throws -> Void
}
