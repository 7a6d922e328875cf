import ByteStreams
import Foundation
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
import Testing

/// An online store over the sample service, with a gateway on the way that responds instead of the service.
final class GatewayDesk: Sendable {
    static let root = "http://service.test/"

    let service: SampleService
    let gateway: Gateway
    let folder: TemporaryFolder

    init(_ service: SampleService? = nil, wrap: (any ODataStore) -> any ODataStore = { $0 }) throws {
        self.service = try service ?? SampleService()
        gateway = Gateway(
            next: InProcessTransport(service: ODataService(store: wrap(self.service.store)), root: Self.root))
        folder = try TemporaryFolder()
    }

    /// Another online store each time, as in another process.
    func device(
        model: EdmModel? = nil, _ configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> OfflineStore {
        var online = OnlineStore.Configuration()
        online.model = model
        var configuration = Device.configuration()
        configure(&configuration)
        let store = try OfflineStore(
            folder: folder.path + "/store",
            remote: try OnlineStore(serviceRoot: Self.root, transport: gateway, configuration: online),
            configuration: configuration)
        try await store.open()
        if try await store.queries.isEmpty {
            for set in ["Customers", "Orders", "Photos"] { try store.addQuery(.init(name: set, query: set)) }
            try await store.download()
        }
        return store
    }

    func change(_ store: OfflineStore, _ path: String, _ json: String) async throws {
        let path = try store.path(path)
        let payload = try await store.payload(json, for: path)
        _ = try await store.change(
            ChangeRequest(path, path.target == .collection ? .create(payload) : .update(payload)))
    }
}

final class Gateway: HTTPTransport {
    typealias Rule = @Sendable (HTTPRequest) throws -> TransportResponse?

    private let next: any HTTPTransport
    private let state = Mutex<(rule: Rule, replacement: Rule, isQuiet: Bool, lines: [String])>(
        ({ _ in nil }, { _ in nil }, false, []))

    init(next: any HTTPTransport) { self.next = next }

    /// What is sent to the service.
    var lines: [String] { state.withLock { $0.lines } }

    /// Changes get this response from now on; nil: by the service.
    func respond(with response: (status: Int, headers: [String: String], body: String)?) {
        rule { request in
            guard let response, request.method != .get, request.method != .head else { return nil }
            var fields = HTTPFields()
            for (name, value) in response.headers { if let name = HTTPField.Name(name) { fields[name] = value } }
            return TransportResponse(
                head: HTTPResponse(status: .init(code: response.status), headerFields: fields),
                body: ByteContent(Array(response.body.utf8)))
        }
    }

    func rule(_ rule: @escaping Rule) { state.withLock { ($0.rule, $0.lines) = (rule, []) } }

    /// What comes in place of the service's response, to requests that it has carried out.
    func replace(_ rule: @escaping Rule) { state.withLock { $0.replacement = rule } }

    /// The service tells its version with content only.
    func beQuiet() { state.withLock { ($0.isQuiet, $0.lines) = (true, []) } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        let (rule, replacement, isQuiet) = state.withLock { ($0.rule, $0.replacement, $0.isQuiet) }
        if let response = try rule(request) { return response }
        state.withLock { $0.lines.append("\(request.method) \((request.path ?? "").dropFirst())") }
        var request = request
        // The service does not know repeated requests.
        request.headerFields[.repeatabilityRequestID] = nil
        request.headerFields[.repeatabilityFirstSent] = nil
        var response = try await next.send(request, body: body, context: context)
        if let response = try replacement(request) { return response }
        if isQuiet, response.head.status.code == 204 {
            for name in [HTTPField.Name.oDataVersion, .oDataEntityID, .preferenceApplied] {
                response.head.headerFields[name] = nil
            }
        }
        return response
    }
}

@Suite("A success that is not the service's does not count as sent")
struct StraySuccessTests {
    private enum Change: String, CaseIterable {
        case create, update, delete, reference, media, stream
    }

    private static let json = ["Content-Type": "application/json"]
    private static let forms: [(status: Int, headers: [String: String], body: String)] = [
        (200, json, #"{"session":"expired"}"#), (200, [:], ""), (204, [:], ""), (201, [:], ""), (202, [:], ""),
        (200, json, #"{"error":{"code":"1","message":"expired"}}"#), (200, [:], "<html>Log in</html>"),
        (200, ["Content-Type": "text/html"], "<html/>"),
    ]

    /// What the service has of a change, after which it is the second.
    private func make(_ change: Change, _ conflicts: GatewayDesk, _ store: OfflineStore) async throws -> (
        String, String
    ) {
        switch change {
        case .create:
            try await conflicts.change(store, "Orders", #"{"Note":"mine","Amount":5}"#)
            return ("SELECT count(*) FROM Orders WHERE Note = 'mine'", "1")
        case .update:
            try await conflicts.change(store, "Orders(3)", #"{"Note":"mine"}"#)
            return ("SELECT count(*) FROM Orders WHERE Note = 'mine'", "1")
        case .delete:
            _ = try await store.change(ChangeRequest(try store.path("Photos(2)"), .delete))
            return ("SELECT 4 - count(*) FROM Photos", "1")
        case .reference:
            let reference = EntityReference.path(try store.path("Customers('B')"))
            _ = try await store.change(ChangeRequest(try store.path("Orders(3)/Customer"), .addReference(reference)))
            return ("SELECT CustomerID = 'B' FROM Orders WHERE OrderID = 3", "1")
        case .media:
            let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos"), .createMedia(content, slug: nil)))
            return ("SELECT count(*) FROM Photos WHERE Image = x'010203'", "1")
        case .stream:
            let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
            _ = try await store.change(ChangeRequest(try store.path("Photos(1)"), .replaceStream(content)))
            return ("SELECT count(*) FROM Photos WHERE Image = x'010203'", "1")
        }
    }

    @Test("It is unconfirmed, stays here through a download, and is carried out once", arguments: forms.indices)
    func strays(_ index: Int) async throws {
        for change in Change.allCases {
            let conflicts = try GatewayDesk()
            let store = try await conflicts.device()
            let (sql, expected) = try await make(change, conflicts, store)
            conflicts.gateway.respond(with: Self.forms[index])
            let report = await unconfirmed(store)
            #expect(report?.unconfirmed.count == 1 && report?.succeeded.isEmpty == true, "\(change)")
            #expect(try await store.queueEntries().map(\.state) == [.unconfirmed], "\(change)")
            try await store.download()
            #expect(try await store.queueEntries().count == 1, "\(change)")
            #expect(try conflicts.service.fetch(sql) == ["0"], "\(change)")
            conflicts.gateway.respond(with: nil)
            #expect(try await store.upload().isComplete, "\(change)")
            #expect(try conflicts.service.fetch(sql) == [expected], "\(change)")
            #expect(try await store.queueEntries().isEmpty, "\(change)")
        }
    }

    private func unconfirmed(_ store: OfflineStore) async -> UploadReport? {
        do { return try await store.upload() } catch {
            return ((error as? ODataError)?.cause as? UploadInterruption)?.report
        }
    }

    @Test("Requests of a batch and of a change set are unconfirmed likewise", arguments: [true, false])
    func batch(isSet: Bool) async throws {
        let conflicts = try GatewayDesk()
        let store = try await conflicts.device()
        let changes = ["Orders(3)", "Orders(4)"].map { path in
            { ChangeRequest(try store.path(path), .update(EntityPayload(["Note": .string("mine")]))) }
        }
        if isSet {
            _ = try await store.changeSet(try changes.map { try $0() })
        } else {
            for change in changes { _ = try await store.change(try change()) }
        }
        for stray in Self.forms {
            conflicts.gateway.respond(with: stray)
            _ = await unconfirmed(store)
            #expect(try await store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed])
        }
        conflicts.gateway.respond(with: nil)
        #expect(try await store.upload().isComplete)
        #expect(try conflicts.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["2"])
    }

    @Test("A store that is opened again knows that the service tells its version")
    func reopened() async throws {
        let conflicts = try GatewayDesk()
        var store = try await conflicts.device()
        let model = try await store.model()
        try await conflicts.change(store, "Orders", #"{"Note":"mine"}"#)
        try store.close()
        // Nothing is asked of the service before the change.
        store = try await conflicts.device(model: model)
        conflicts.gateway.respond(with: Self.forms[1])
        #expect(await unconfirmed(store)?.unconfirmed.count == 1)
        conflicts.gateway.respond(with: nil)
        #expect(try await store.upload().isComplete)
        #expect(try conflicts.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'mine'") == ["1"])
    }

    @Test(
        "A service that tells no version without content is asked what it shows of each deletion")
    func quiet() async throws {
        let conflicts = try GatewayDesk()
        var store = try await conflicts.device()
        conflicts.gateway.beQuiet()
        for (photo, reads) in [(1, 1), (2, 1), (3, 1)] {
            if photo == 3 {
                let model = try await store.model()
                try store.close()
                store = try await conflicts.device(model: model)
            }
            conflicts.gateway.beQuiet()
            _ = try await store.change(ChangeRequest(try store.path("Photos(\(photo))"), .delete))
            #expect(try await store.upload().isComplete)
            let asked = conflicts.gateway.lines.filter { $0.hasPrefix("GET Photos") }
            #expect(asked.count == reads, "\(conflicts.gateway.lines)")
        }
        // Where it has sent none like it.
        let reference = EntityReference.path(try store.path("Customers('B')"))
        _ = try await store.change(ChangeRequest(try store.path("Orders(3)/Customer"), .addReference(reference)))
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Photos(4)"), .replaceStream(content)))
        #expect(try await store.upload().isComplete)
        #expect(try conflicts.service.fetch("SELECT count(*) FROM Photos") == ["1"])
    }

    @Test("What was there before, or was made by others, teaches nothing", arguments: [true, false])
    func taughtByNothing(isDeletion: Bool) async throws {
        let conflicts = try GatewayDesk()
        let store = try await conflicts.device()
        let change = { (number: Int, note: String) in
            if isDeletion {
                _ = try await store.change(ChangeRequest(try store.path("Photos(\(number))"), .delete))
            } else {
                try await conflicts.change(store, "Orders(\(number + 2))", #"{"Note":"\#(note)"}"#)
            }
        }
        try await change(1, "same")
        try conflicts.service.execute(
            isDeletion ? "DELETE FROM Photos WHERE PhotoID = 1" : "UPDATE Orders SET Note = 'same' WHERE OrderID = 3")
        conflicts.gateway.respond(with: Self.forms[2])
        _ = await unconfirmed(store)
        try await change(2, "mine")
        _ = await unconfirmed(store)
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        conflicts.gateway.respond(with: nil)
        #expect(try await store.upload().isComplete)
        let sql =
            isDeletion
            ? "SELECT count(*) FROM Photos WHERE PhotoID = 2" : "SELECT count(*) FROM Orders WHERE Note = 'mine'"
        #expect(try conflicts.service.fetch(sql) == [isDeletion ? "0" : "1"])
    }

    @Test(
        "An action whose response does not report the version is unconfirmed; the app's decision teaches",
        arguments: [true, false])
    func action(isQuiet: Bool) async throws {
        var operations = OperationHandlers()
        let name = EdmQualifiedName("Shop.Touch")
        operations.action(EdmOperationDeclaration(kind: .action, name: name), importName: "Touch") { call in
            let path = ResourcePath(try call.entitySet("Customers"))
            let payload = EntityPayload(["CustomerID": .string(UUID().uuidString), "Name": .string("new")])
            return ActionPlan([ChangeRequest(path, .create(payload))])
        }
        let conflicts = try GatewayDesk(wrap: { OperationStore($0, operations: operations) })
        let store = try await conflicts.device()
        let call = {
            try await store.change(ChangeRequest(try store.path("Touch"), .call(arguments: EdmComplexValue())))
        }
        _ = try await call()
        if isQuiet { conflicts.gateway.beQuiet() } else { conflicts.gateway.respond(with: Self.forms[0]) }
        #expect(await unconfirmed(store)?.unconfirmed.count == 1)
        conflicts.gateway.respond(with: nil)
        let id = try #require(try await store.queueEntries().first?.id)
        try await store.decide(requestID: id, isQuiet ? .sent : .notSent)
        if isQuiet { _ = try await call() }
        #expect(try await store.upload().isComplete)
        let count = isQuiet ? "2" : "1"
        #expect(try conflicts.service.fetch("SELECT count(*) FROM Customers WHERE Name = 'new'") == [count])
    }
}
