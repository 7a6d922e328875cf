import ByteStreams
import HTTPTypes
import ODataService
import Synchronization

/// Responds to the requests of an ArcGIS feature service, with its state in memory and its files in a folder.
final class FeatureService: HTTPResponder {
    private let state: Mutex<ServiceState>
    private let folder: String

    init(_ configuration: FeatureServerConfiguration, folder: String) {
        state = Mutex(ServiceState(configuration))
        self.folder = folder
    }

    func withState<Value: Sendable, Failure: Error>(
        _ body: (inout ServiceState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try state.withLock { (state) throws(Failure) -> Value in try body(&state) }
    }

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        let configuration = withState { $0.configuration }
        let length = request.path?.utf8.count ?? 0
        guard length <= configuration.maximalTargetLength else { return .page(status: configuration.longTargetStatus) }
        let isJSON = RestCall.isJSON(FormText.parameters((request.path ?? "").drop { $0 != "?" }.dropFirst()))
        do {
            let call = try await RestCall(
                request, body: body, root: root, service: configuration.name, folder: folder)
            let outcome = withState { $0.outcome(of: call) }
            return outcome.response(to: call, errorsAsJSON: configuration.alwaysSendsErrorsAsJSON)
        } catch let error as RestError {
            return .json(error.bytes, isJSON: isJSON)
        } catch {
            return .page(status: 500)
        }
    }
}

extension ServiceState.Outcome {
    func response(to call: RestCall, errorsAsJSON: Bool) -> ServiceResponse {
        var response: ServiceResponse
        switch content {
        case .response(.json(let bytes)): response = .json(bytes, isJSON: call.isJSON)
        case .response(.file(let file)): response = .file(file, to: call.request)
        case .error(let error): response = .json(error.bytes, isJSON: call.isJSON || errorsAsJSON)
        case .page(let status): response = .page(status: status)
        }
        if let cut { response.body = response.body.broken(after: cut) }
        return response
    }
}

extension ServiceResponse {
    /// JSON as such, or in a page for people where `f=json` was not asked for. The status is 200 for errors, too.
    fileprivate static func json(_ bytes: [UInt8], isJSON: Bool) -> ServiceResponse {
        guard !isJSON else { return whole(.ok, "application/json;charset=UTF-8", bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        let escaped = text.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
        return page(.ok, escaped)
    }

    /// What a proxy or a web server says in place of the service.
    fileprivate static func page(status: Int) -> ServiceResponse {
        page(HTTPResponse.Status(code: status), "\(status)")
    }

    private static func page(_ status: HTTPResponse.Status, _ text: String) -> ServiceResponse {
        whole(status, "text/html;charset=UTF-8", Array("<html><body>\(text)</body></html>".utf8))
    }

    private static func whole(_ status: HTTPResponse.Status, _ type: String, _ bytes: [UInt8]) -> ServiceResponse {
        ServiceResponse(
            head: HTTPResponse(
                status: status, headerFields: [.contentType: type, .contentLength: "\(bytes.count)"]),
            body: ByteContent(bytes))
    }

    /// An attachment's content, or the range of it that was asked for. [RFC 9110, section 14]
    fileprivate static func file(_ file: FileResponse, to request: HTTPRequest) -> ServiceResponse {
        var fields: HTTPFields = [.contentType: file.contentType]
        fields[.contentDisposition] = "inline; filename=\"\(file.name.filter { $0.isASCII && $0 != "\"" })\""
        fields[.eTag] = file.entityTag
        if file.supportsRanges { fields[.acceptRanges] = "bytes" }
        guard let asked = range(of: file, asked: request.headerFields) else {
            fields[.contentLength] = "\(file.size)"
            return ServiceResponse(
                head: HTTPResponse(status: .ok, headerFields: fields), body: ByteContent(file.source))
        }
        guard let bytes = asked.bytes(of: file.size), let part = try? SliceSource(file.source, range: bytes) else {
            fields[.contentRange] = "bytes */\(file.size)"
            fields[.contentLength] = "0"
            return ServiceResponse(head: HTTPResponse(status: .rangeNotSatisfiable, headerFields: fields))
        }
        fields[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.size)"
        fields[.contentLength] = "\(bytes.count)"
        return ServiceResponse(
            head: HTTPResponse(status: .partialContent, headerFields: fields), body: ByteContent(part))
    }

    private static func range(of file: FileResponse, asked fields: HTTPFields) -> RequestedRange? {
        guard file.supportsRanges else { return nil }
        if let condition = fields[.ifRange], condition != file.entityTag { return nil }
        let ranges = RequestedRange.list(header: fields[.range])
        return ranges.count == 1 ? ranges.first : nil
    }
}

extension ByteContent {
    /// The first `count` bytes, and then an error.
    fileprivate func broken(after count: Int64) -> ByteContent {
        let breaking = Breaking(self, left: count)
        return ByteContent(ByteChunks { try await breaking.next() }, length: max(1, length ?? 1))
    }

    private actor Breaking {
        private let content: ByteContent
        private var left: Int64
        private var chunks: ByteChunks.AsyncIterator?

        init(_ content: ByteContent, left: Int64) {
            self.content = content
            self.left = left
        }

        func next() async throws -> [UInt8]? {
            let chunks = try self.chunks ?? content.chunks().makeAsyncIterator()
            self.chunks = chunks
            guard left > 0, let chunk = try await chunks.next() else {
                throw ByteStreamError(.unreadable, "The connection breaks here.")
            }
            let part = Array(chunk.prefix(Int(clamping: left)))
            left -= Int64(part.count)
            return part
        }
    }
}
