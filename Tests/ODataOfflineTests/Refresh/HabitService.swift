import ByteStreams
import HTTPTypes
import ODataOffline
import ODataOnline
import ODataQuery
import ODataStores
import ODataTesting
import ODataTransport
import Synchronization

/// A V4 service of a set T and a set P of media entities with the habits that a test gives it: its response to a
/// request, or nil for the whole set.
final class HabitService: HTTPTransport {
    typealias Habit = @Sendable (HTTPRequest, Int) -> Response?

    struct Response: Sendable {
        /// 0: the connection ends.
        var status = 200
        var body = ""
        var fields: HTTPFields = [:]
        var type: String? = "application/json;odata.metadata=minimal"

        /// A page of T with these keys.
        static func page(_ keys: some Sequence<Int>, more: String = "", context: String = "T") -> Response {
            let rows = keys.map { #"{"ID":\#($0),"D":0.5}"# }.joined(separator: ",")
            return Response(body: #"{"@odata.context":"\#(root)$metadata#\#(context)","value":[\#(rows)]\#(more)}"#)
        }

        static func error(_ status: Int, _ message: String = "It is not well.") -> Response {
            Response(status: status, body: #"{"error":{"code":"\#(status)","message":"\#(message)"}}"#)
        }
    }

    static let root = "http://service.test/"
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="D" Type="Edm.Double"/>
        <NavigationProperty Name="Parts" Type="Collection(N.T)"/></EntityType>
        <EntityType Name="P" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="P" EntityType="N.P"/><EntitySet Name="T" EntityType="N.T">
        <NavigationPropertyBinding Path="Parts" Target="T"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private let state: Mutex<(habit: Habit, requests: [HTTPRequest])>

    /// Where its stores are.
    private let folder: TemporaryFolder
    private let metadata: String

    init(metadata: String = HabitService.metadata, _ habit: @escaping Habit) throws {
        self.metadata = metadata
        folder = try TemporaryFolder()
        state = Mutex((habit, []))
    }

    /// Paths, queries and preferences of what was asked for since ``clear()``, but for the metadata.
    var requests: [String] {
        state.withLock { $0.requests }.map { request in
            [request.path?.removingPercentEncoding, request.headerFields[.prefer]].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    func clear() { state.withLock { $0.requests = [] } }

    /// Another habit from now on; what was asked for is forgotten.
    func take(_ habit: @escaping Habit) { state.withLock { $0 = (habit, []) } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        if request.path?.hasSuffix("$metadata") == true {
            return transportResponse(Response(body: metadata, type: "application/xml"))
        }
        let (habit, number) = state.withLock { state in
            state.requests.append(request)
            return (state.habit, state.requests.count)
        }
        let response = habit(request, number) ?? .page(1...2)
        if response.status == 0 { throw TransportError(.interrupted, "The connection ended.") }
        return transportResponse(response)
    }

    private func transportResponse(_ response: Response) -> TransportResponse {
        var fields = response.fields
        fields[.contentType] = response.body.isEmpty ? nil : response.type
        fields[HTTPField.Name("OData-Version")!] = "4.0"
        return TransportResponse(
            head: HTTPResponse(status: .init(code: response.status), headerFields: fields),
            body: ByteContent(Array(response.body.utf8)))
    }

    /// The store over it, which another call opens again.
    func store(
        _ queries: [DefiningQuery] = [DefiningQuery(name: "t", query: "T")],
        online: OnlineStore.Configuration = OnlineStore.Configuration(),
        configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> OfflineStore {
        let online = try OnlineStore(serviceRoot: Self.root, transport: self, configuration: online)
        var configuration = Device.configuration()
        configuration.pause = { _ in }
        configure(&configuration)
        let store = try OfflineStore(folder: folder.path + "/store", remote: online, configuration: configuration)
        try await store.open()
        for query in queries where try await !store.queries.contains(where: { $0.name == query.name }) {
            try store.addQuery(query)
        }
        return store
    }
}

extension HTTPRequest {
    /// Whether the request has this in its URL or its preferences.
    func says(_ text: String) -> Bool {
        path?.removingPercentEncoding?.contains(text) == true || headerFields[.prefer]?.contains(text) == true
    }
}

extension OnlineStore {
    func query(_ url: String) async throws -> BoundQuery { try QueryParser(model: try await model()).query(url) }
}

extension OfflineStore {
    /// The keys that are here.
    func keys(_ set: String = "T") async throws -> [String] {
        try await entities(try await query("\(set)?$orderby=ID")).map { $0["ID"]?.lexical ?? "-" }
    }
}
