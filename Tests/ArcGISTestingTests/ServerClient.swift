import ArcGISTesting
import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataModel
import ODataTransport

/// Plain HTTP requests to a feature server.
struct ServerClient {
    struct Response {
        var status: Int
        var type: String?
        var fields: HTTPFields
        var bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }

        func json() throws -> JSONNode { try JSONParser.parse(bytes[...]) }

        /// `400 Invalid or missing input parameters.`, of `{"error": …}`; nil for other responses.
        var error: String? {
            guard let error = (try? json())?["error"] else { return nil }
            return "\(error["code"]?.integer ?? 0) \(error["message"]?.string ?? "")"
        }

        /// The first result of an edit in a response.
        func row(_ name: String) throws -> JSONNode? {
            let result = try json()[name]
            return result?.elements?.first ?? result
        }

        /// Whether there is a row that tells of a failed edit.
        func isRefused(_ name: String) throws -> Bool {
            guard let row = try row(name) else { return false }
            return row["success"]?.boolean == false && row["error"]?["description"]?.string != nil
        }
    }

    let server: FeatureServer
    let transport: AsyncHTTPTransport

    /// Does `body` with a server and a client of their own.
    static func open(
        _ configuration: FeatureServerConfiguration = .init(), _ body: (ServerClient) async throws -> Void
    ) async throws {
        try await FeatureServer.open(configuration) { server in
            let transport = AsyncHTTPTransport()
            do { try await body(ServerClient(server: server, transport: transport)) } catch {
                try? await transport.shutdown()
                throw error
            }
            try await transport.shutdown()
        }
    }

    /// - Parameter path: Below the service: `0/1/attachments?f=json`.
    func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> Response {
        try await send(.get, "\(server.serviceURL)/\(path)", fields, nil)
    }

    /// - Parameter form: `f=json&attachmentIds=1`
    func post(_ path: String, _ form: String) async throws -> Response {
        try await post(url: "\(server.serviceURL)/\(path)", form)
    }

    func post(url: String, _ form: String) async throws -> Response {
        try await send(.post, url, [.contentType: "application/x-www-form-urlencoded"], Array(form.utf8))
    }

    /// A multipart form with one file and other fields.
    func post(
        _ path: String, file: [UInt8], as field: String, named name: String, type: String = "image/jpeg",
        _ fields: [String: String] = ["f": "json"]
    ) async throws -> Response {
        var body: [UInt8] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            body += Array("--b0\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        let disposition = "Content-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\""
        body += Array("--b0\r\n\(disposition)\r\nContent-Type: \(type)\r\n\r\n".utf8)
        body += file
        body += Array("\r\n--b0--\r\n".utf8)
        return try await send(
            .post, "\(server.serviceURL)/\(path)", [.contentType: "multipart/form-data; boundary=b0"], body)
    }

    private func send(
        _ method: HTTPRequest.Method, _ url: String, _ fields: HTTPFields, _ body: [UInt8]?
    ) async throws -> Response {
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: nil, headerFields: fields)
        request.absoluteURL = AbsoluteURL(url)
        let response = try await transport.send(request, body: body.map { ByteContent($0) })
        return Response(
            status: response.head.status.code, type: response.head.headerFields[.contentType],
            fields: response.head.headerFields, bytes: try await response.body.collect(upTo: 16 << 20))
    }

    /// `attachments` of a form, percent-encoded.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { text, byte in
            let character = Character(Unicode.Scalar(byte))
            if character.isLetter && character.isASCII || character.isNumber && character.isASCII {
                text.append(character)
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
