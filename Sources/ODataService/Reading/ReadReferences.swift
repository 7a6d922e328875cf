import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataStores
import ODataTransport

/// `GET Categories(1)/Products/$ref`
///
/// [OData-Protocol, section 11.2.9]
struct ReadReferences: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let result = try await call.store.read(call.readRequest(try call.query()))
        guard case .entities(let reader) = result.body else { return ServiceResponse(.noContent) }
        let context = format.metadata == .none ? nil : ContextURL(call).references
        let body = try await ByteContent(
            reader, first: try await reader.next(), writer: ReferenceRowWriter(contextURL: context, root: call.root),
            call: call)
        var headers = HTTPFields()
        headers[.preferenceApplied] = call.preferences.applied(["maxpagesize"])
        return ServiceResponse(.ok, headers: headers, contentType: format.contentType, body: body)
    }
}

/// `GET Products(1)/Category/$ref`
struct ReadReference: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let result = try await call.store.read(call.readRequest(try call.query()))
        switch result.body {
        case .notModified: return .notModified(etag: result.etag)
        case .entities(let reader):
            guard let block = try await reader.next(), let id = block.rows.first.flatMap({ block.text($0.id) }) else {
                return ServiceResponse(.noContent)
            }
            let bytes = JSONPayload.bytes(
                reference: call.root.absolute(id),
                contextURL: format.metadata == .none ? nil : ContextURL(call).reference)
            return ServiceResponse(.ok, contentType: format.contentType, body: ByteContent(bytes))
        case .nothing, .value, .count: return ServiceResponse(.noContent)
        }
    }
}

/// `{"@odata.context":"…$metadata#Collection($ref)","value":[{"@odata.id":"…"}]}`
struct ReferenceRowWriter: RowWriter {
    private let contextURL: String?
    private let root: ServiceRoot
    private var bytes: [UInt8] = []
    private var isFirst = true

    init(contextURL: String?, root: ServiceRoot) {
        self.contextURL = contextURL
        self.root = root
    }

    mutating func begin(count: Int64?) {
        bytes += "{".utf8
        if let contextURL { member("@odata.context", contextURL) }
        if let count { bytes += "\"@odata.count\":\(count),".utf8 }
        bytes += "\"value\":[".utf8
    }

    mutating func write(_ block: RowBlock) {
        for row in block.rows where row.depth == 0 {
            guard let id = block.text(row.id) else { continue }
            if !isFirst { bytes += ",".utf8 }
            isFirst = false
            bytes += JSONPayload.bytes(reference: root.absolute(id))
        }
    }

    mutating func end(nextLink: String?, deltaLink: String?) {
        bytes += "]".utf8
        if let nextLink {
            bytes += ",\"@odata.nextLink\":".utf8
            bytes += EdmValue.string(nextLink).jsonText
        }
        bytes += "}".utf8
    }

    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func member(_ name: String, _ text: String) {
        bytes += "\"\(name)\":".utf8
        bytes += EdmValue.string(text).jsonText
        bytes += ",".utf8
    }
}
