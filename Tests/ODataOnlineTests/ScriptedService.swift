import ByteStreams
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Synchronization

/// A service with the responses that a test gives, and remembers the requests.
final class ScriptedService: HTTPTransport {
    enum Response: Sendable {
        case response(Int, [String: String] = [:], String = "")
        /// The body breaks off after the text with an error.
        case broken(Int, [String: String], String, TransportError.Code)
        case failure(TransportError.Code)

        static func json(_ text: String, _ headers: [String: String] = [:]) -> Response {
            .response(200, headers.merging(["Content-Type": "application/json"]) { first, _ in first }, text)
        }
    }

    struct Sent: Sendable {
        var line: String
        var fields: HTTPFields
        var body: String

        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    }

    private let responses: Mutex<[Response]>
    private let record = Mutex<[Sent]>([])

    init(_ responses: [Response]) {
        self.responses = Mutex(responses)
    }

    var sent: [Sent] { record.withLock { $0 } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        let bytes = try await body?.collect(upTo: 1 << 20) ?? []
        let line = "\(request.method) \(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
        record.withLock {
            $0.append(Sent(line: line, fields: request.headerFields, body: String(decoding: bytes, as: UTF8.self)))
        }
        switch responses.withLock({ $0.isEmpty ? Response.response(404) : $0.removeFirst() }) {
        case .failure(let code): throw TransportError(code, "as told")
        case .response(let status, let headers, let text):
            return response(status, headers, ByteContent(Array(text.utf8)))
        case .broken(let status, let headers, let text, let code):
            let rest = Mutex<[UInt8]?>(Array(text.utf8))
            let chunks = ByteChunks {
                let chunk = rest.withLock { $0.take() }
                guard let chunk, !chunk.isEmpty else { throw TransportError(code, "as told") }
                return chunk
            }
            return response(status, headers, ByteContent(chunks, length: nil))
        }
    }

    private func response(_ status: Int, _ headers: [String: String], _ body: ByteContent) -> TransportResponse {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
    }
}

/// A store over a scripted service with a small model.
struct Shop {
    let service: ScriptedService
    let store: OnlineStore
    let parser: QueryParser

    init(
        _ responses: ScriptedService.Response..., root: String = "http://h/root", metadata: String = Self.metadata
    ) throws {
        try self.init(responses, root: root, metadata: metadata)
    }

    init(
        _ responses: [ScriptedService.Response], root: String = "http://h/root", metadata: String = Self.metadata
    ) throws {
        let model = try CSDL.read(xml: Array(metadata.utf8)).model
        var configuration = OnlineStore.Configuration()
        configuration.model = model
        service = ScriptedService(responses)
        store = try OnlineStore(serviceRoot: root, transport: service, configuration: configuration)
        parser = QueryParser(model: model)
    }

    func read(_ url: String) async throws -> ReadResult { try await store.read(ReadRequest(try parser.query(url))) }

    func change(_ path: String, _ operation: ChangeRequest.Operation) async throws -> ChangeResult {
        try await store.change(ChangeRequest(try parser.path(path), operation))
    }

    static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Category" Type="Shop.Category"/></EntityType>
        <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Products" Type="Collection(Shop.Product)"/></EntityType>
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="Container"><EntitySet Name="Products" EntityType="Shop.Product">
        <NavigationPropertyBinding Path="Category" Target="Categories"/></EntitySet>
        <EntitySet Name="Categories" EntityType="Shop.Category">
        <NavigationPropertyBinding Path="Products" Target="Products"/></EntitySet>
        <EntitySet Name="Photos" EntityType="Shop.Photo"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
