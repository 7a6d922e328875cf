import ByteStreams
import HTTPTypes
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import ODataTransport
import Synchronization

/// A service that takes streams in pieces, a connection that breaks as told, and an offline store over both.
final class UploadDesk: Sendable {
    static let root = "http://service.test/"
    static let size = 300_000
    static let bytes = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 31) >> 3) }

    let service: SampleService
    let server: UploadServer
    let online: OnlineStore
    let folder: TemporaryFolder
    private let rule: FaultRule

    init(partSize: Int? = nil, replays: Bool = true) throws {
        let rule = FaultRule()
        service = try SampleService()
        server = UploadServer(
            next: InProcessTransport(service: ODataService(store: service.store), root: Self.root), partSize: partSize,
            replays: replays)
        let transport = FaultTransport(next: server, plan: FaultPlan { rule.fault(for: $0.request) })
        var configuration = OnlineStore.Configuration()
        configuration.uploadMethods["Photos"] = .resumable
        configuration.resumableSize = 1000
        online = try OnlineStore(serviceRoot: Self.root, transport: transport, configuration: configuration)
        folder = try TemporaryFolder()
        self.rule = rule
    }

    /// A store that may have been there before.
    func device(_ configure: (inout OfflineStore.Configuration) -> Void = { _ in }) async throws -> OfflineStore {
        var configuration = Device.configuration()
        configure(&configuration)
        let store = try OfflineStore(folder: folder.path + "/store", remote: online, configuration: configuration)
        try await store.open()
        if try await store.queries.isEmpty {
            try store.addQuery(.init(name: "photos", query: "Photos"))
            try await store.download()
        }
        return store
    }

    func replace(_ photo: Int = 1, in store: OfflineStore, _ bytes: [UInt8] = UploadDesk.bytes) async throws {
        let content = MediaContent(ByteContent(bytes), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Photos(\(photo))"), .replaceStream(content)))
    }

    func create(in store: OfflineStore) async throws -> ChangeResult {
        try await store.createMedia(
            MediaContent(ByteContent(Self.bytes), contentType: "image/png"), in: try store.path("Photos"),
            properties: EntityPayload(["Title": .string("new")]))
    }

    /// What the requests meet from now on.
    func breaking(_ choose: @escaping @Sendable (HTTPRequest) -> TransportFault?) { rule.set(choose) }

    /// The first request of this method meets `fault`, and those after it nothing, or a dead connection.
    func breakingOnce(_ method: HTTPRequest.Method, _ fault: TransportFault, isDeadThen: Bool = false) {
        let met = Mutex(false)
        breaking { request in
            met.withLock { met in
                if met { return isDeadThen ? .refused : nil }
                met = request.method == method
                return met ? fault : nil
            }
        }
    }

    func count() throws -> [String] { try service.fetch("SELECT count(*) FROM Photos") }

    func hasBytes(_ photo: Int) async throws -> Bool {
        let path = try QueryParser(model: try await online.model()).path("Photos(\(photo))")
        return try await service.store.readStream(StreamRequest(path)).content.collect(upTo: 1 << 20) == Self.bytes
    }
}

private final class FaultRule: Sendable {
    private let choose = Mutex<@Sendable (HTTPRequest) -> TransportFault?>({ _ in nil })

    func set(_ rule: @escaping @Sendable (HTTPRequest) -> TransportFault?) { choose.withLock { $0 = rule } }

    func fault(for request: HTTPRequest) -> TransportFault? {
        let rule = choose.withLock { $0 }
        return rule(request)
    }
}

/// Takes requests in pieces and passes them on as a whole: draft-ietf-httpbis-resumable-upload.
final class UploadServer: HTTPTransport {
    private struct Upload {
        var request: HTTPRequest
        var bytes: [UInt8] = []
        var whole: (head: HTTPResponse, body: [UInt8])?
    }

    private struct State {
        var uploads: [String: Upload] = [:]
        var begun = 0
        var executed = 0
        var received = 0
        var removed = 0
    }

    private let next: any HTTPTransport
    private let partSize: Int?
    private let replays: Bool
    private let state = Mutex(State())
    private let hook = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(next: any HTTPTransport, partSize: Int?, replays: Bool) {
        self.next = next
        self.partSize = partSize
        self.replays = replays
    }

    var begun: Int { state.withLock { $0.begun } }
    /// How often all was there.
    var executed: Int { state.withLock { $0.executed } }
    /// All bytes of streams that came.
    var received: Int { state.withLock { $0.received } }
    var removed: Int { state.withLock { $0.removed } }
    var open: Int { state.withLock { $0.uploads.count } }

    /// Is done once, when the first bytes of a stream have come.
    func meanwhile(_ body: @escaping @Sendable () async throws -> Void) { hook.withLock { $0 = body } }

    func forgetAll() { state.withLock { $0.uploads = [:] } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        let path = request.path ?? ""
        if path.hasPrefix("/$up/") { return try await response(request, path, body) }
        guard request.headerFields[.uploadComplete] == "?0" else {
            return try await next.send(request, body: body, context: context)
        }
        return state.withLock { state in
            state.begun += 1
            let place = "/$up/\(state.begun)"
            state.uploads[place] = Upload(request: request)
            var fields: HTTPFields = [.location: place, .uploadComplete: "?0"]
            fields[.uploadLimit] = partSize.map { "max-append-size=\($0)" }
            return Self.response(201, fields)
        }
    }

    private func response(_ request: HTTPRequest, _ path: String, _ body: ByteContent?) async throws
        -> TransportResponse
    {
        guard let upload = state.withLock({ $0.uploads[path] }) else { return Self.response(404) }
        switch request.method {
        case .head:
            let isComplete = upload.whole != nil
            return Self.response(
                204, [.uploadOffset: "\(upload.bytes.count)", .uploadComplete: isComplete ? "?1" : "?0"])
        case .delete:
            state.withLock { state in
                state.uploads[path] = nil
                state.removed += 1
            }
            return Self.response(204)
        default: return try await append(request, path, upload, body)
        }
    }

    private func append(
        _ request: HTTPRequest, _ path: String, _ upload: Upload, _ body: ByteContent?
    ) async throws -> TransportResponse {
        if let whole = upload.whole { return replays ? Self.response(whole) : Self.response(410) }
        guard request.headerFields[.uploadOffset] == "\(upload.bytes.count)" else {
            return Self.response(409, [.uploadOffset: "\(upload.bytes.count)"])
        }
        // What comes before a cut counts.
        for try await chunk in try (body ?? .empty).chunks() {
            state.withLock { state in
                state.uploads[path]?.bytes += chunk
                state.received += chunk.count
            }
            let body = hook.withLock { $0.take() }
            try await body?()
            // As a connection that is closed by the client.
            try Task.checkCancellation()
        }
        guard request.headerFields[.uploadComplete] == "?1" else { return Self.response(204, [.uploadComplete: "?0"]) }
        return try await execute(path)
    }

    private func execute(_ path: String) async throws -> TransportResponse {
        guard let upload = state.withLock({ $0.uploads[path] }) else { return Self.response(404) }
        var request = upload.request
        for name in [HTTPField.Name.uploadComplete, .uploadLength] { request.headerFields[name] = nil }
        let response = try await next.send(request, body: ByteContent(upload.bytes))
        var whole = (head: response.head, body: try await response.body.collect(upTo: 1 << 20))
        whole.head.headerFields[.uploadComplete] = "?1"
        state.withLock { state in
            state.uploads[path]?.whole = whole
            state.executed += 1
        }
        return Self.response(whole)
    }

    private static func response(_ status: Int, _ fields: HTTPFields = [:]) -> TransportResponse {
        TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields))
    }

    private static func response(_ whole: (head: HTTPResponse, body: [UInt8])) -> TransportResponse {
        TransportResponse(head: whole.head, body: ByteContent(whole.body))
    }
}
