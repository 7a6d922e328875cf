import Foundation
import HTTPTypes
import OData
import ODataService
import ODataTesting
import Synchronization

/// An offline store in this process whose connection to its service can be made bad.
final class Desk: Sendable {
    private let folder: TemporaryFolder
    let connection: Connection
    let file: SiteFile
    let service: SQLiteStore
    let store: OfflineStore
    var storeFolder: String { folder.path + "/store" }

    /// - Parameter root: `http://service.test/v2/` for the service as one of V2.
    init(
        root: String = "http://service.test/", configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        file = try SiteFile(in: folder)
        service = try file.publish()
        connection = Connection()
        let direct = InProcessTransport(service: ODataService(store: service))
        let plan = FaultPlan { [connection] in connection.fault(for: $0.request) }
        let transport = FaultTransport(next: direct, plan: plan).with([connection])
        let remote = try OnlineStore(serviceRoot: root, transport: transport)
        var configuration = OfflineStore.Configuration()
        configuration.pause = { _ in }
        configure(&configuration)
        store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        for query in Site.queries { try store.addQuery(query) }
    }

    func close() throws {
        try store.close()
        try service.close()
    }

    /// The bytes of the response to a GET.
    func page(_ path: String) async throws -> [UInt8] {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "service.test", path: path)
        let response = await ODataService(store: service).respond(
            to: request, body: .empty, root: "http://service.test/")
        return try await response.body.collect(upTo: 1 << 20)
    }

    /// All that readers see, and what waits.
    func snapshot() async throws -> [String] {
        var lines = try await store.queueEntries().map { "\($0.method) \($0.url)" }
        for set in Comparison.sets {
            for entity in try await store.entities(try await store.query(set)) {
                lines.append("\(set)\(entity.key?.urlText ?? "") \(entity.properties.members.map(\.value.lexical))")
            }
        }
        return lines
    }

    func differences(in sets: [String] = Comparison.sets) async throws -> [String] {
        try await Comparison(store, service, sets: sets).differences + StreamFileAudit(folder: storeFolder).problems
    }
}

/// What happens between the store and its service.
final class Connection: HTTPMiddleware {
    typealias Chooser = @Sendable (HTTPRequest) -> TransportFault?
    typealias Alteration = @Sendable (HTTPRequest, TransportResponse) throws -> TransportResponse

    private struct State {
        var choose: Chooser = { _ in nil }
        var alter: Alteration = { $1 }
        var requests: [HTTPRequest] = []
        var wait: @Sendable (HTTPRequest) async -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// What every request meets from now on, and what becomes of its response.
    func breaking(_ choose: @escaping Chooser, altering alter: @escaping Alteration = { $1 }) {
        state.withLock { $0 = State(choose: choose, alter: alter) }
    }

    func mend() { state.withLock { $0 = State() } }

    /// Requests wait before they are sent.
    func hold(_ wait: @escaping @Sendable (HTTPRequest) async -> Void) { state.withLock { $0.wait = wait } }

    /// Since the connection was broken or mended.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func fault(for request: HTTPRequest) -> TransportFault? { state.withLock { $0.choose }(request) }

    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        let (wait, alter) = state.withLock { state in
            state.requests.append(request)
            return (state.wait, state.alter)
        }
        await wait(request)
        return try alter(request, try await next.send(request, body: body))
    }
}
