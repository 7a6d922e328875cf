import HTTPTypes
import OData
import ODataService

/// Responds to every request with the same bytes.
struct PageTransport: HTTPTransport {
    let bytes: [UInt8]
    let contentType: String

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        var response = HTTPResponse(status: .ok)
        response.headerFields[.contentType] = contentType
        return TransportResponse(head: response, body: ByteContent(bytes))
    }
}

/// A store of one page.
struct PageStore: ODataStore {
    let theModel: EdmModel
    let blocks: [RowBlock]

    init(model: EdmModel, blocks: [RowBlock]) {
        theModel = model
        self.blocks = blocks
    }

    /// The bytes of the page, from a service over a page store.
    ///
    /// - Parameter path: `Products`, `v2/Products`
    static func page(_ path: String, from service: ODataService) async throws -> [UInt8] {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/" + path)
        let response = await service.respond(to: request, body: .empty, root: "http://h/")
        guard response.head.status == .ok else {
            throw ODataError(.internalError, "The page was not written.")
        }
        return try await response.body.collect(upTo: 1 << 30)
    }

    func model() async throws -> EdmModel { theModel }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        let shape = try RowShape.shape(of: request.query, model: theModel)
        return ReadResult(.entities(RowBlocks(blocks, shape: shape)))
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw refusal }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw refusal }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { throw refusal }

    private var refusal: ODataError { ODataError(.notImplemented, "The store has one page.") }
}
