import ByteStreams
import ODataModel
import ODataQuery
import ODataStores

/// Brings content to a service before it is attached: small content at once, larger in parts.
///
/// ```
/// POST …/FeatureServer/uploads/register               itemName=flood.mov
/// POST …/FeatureServer/uploads/ib740c7bb/uploadPart   a form with partId=1 and the bytes
/// POST …/FeatureServer/uploads/ib740c7bb/commit       parts=1,2,4
/// ```
///
/// A part that breaks off is sent again under another number, and the list of parts passes the first one over. What was
/// uploaded and not attached is removed by the service after a time.
///
/// [ArcGIS REST API, Uploads]
struct ContentUpload: Sendable {
    let service: ArcGISClient
    let details: FileDetails
    let content: ByteContent
    let plan: RetryPlan
    let pause: @Sendable (Duration) async throws -> Void

    /// Name and type of what is uploaded.
    struct FileDetails: Sendable {
        var name: String
        var contentType: String
    }

    /// - Returns: The id that the service gives the upload.
    /// - Throws: ``OData/ODataError``; nothing is attached then.
    func send() async throws -> String {
        let partSize = max(1, service.configuration.partSize)
        guard let length = content.length, length > partSize else {
            return try await id(post("upload", file: file(content)))
        }
        let item = try await id(post("register", [.init("itemName", details.name)]))
        var parts: [Int] = []
        var part = 0
        for start in stride(from: 0, to: length, by: Int64.Stride(partSize)) {
            part = try await send(start..<min(start + partSize, length), of: item, after: part)
            parts.append(part)
        }
        let list = parts.map(String.init).joined(separator: ",")
        return try await id(post(Self.path(item, "commit"), [.init("parts", list)]))
    }

    /// - Returns: The number that the part has got.
    private func send(_ range: Range<Int64>, of item: String, after last: Int) async throws -> Int {
        let source: SliceSource
        do { source = try SliceSource(ContentSource(content: content), range: range) } catch {
            throw ODataError(noResponse: error, isEdit: false)
        }
        var failures = 0
        while true {
            let part = last + 1 + failures
            do {
                _ = try await post(
                    Self.path(item, "uploadPart"), [.init("partId", "\(part)")], file: file(ByteContent(source)))
                return part
            } catch let error as ODataError {
                failures += 1
                guard error.isTransient, failures <= plan.limit,
                    let delay = plan.delay(afterFailure: failures, wish: error.retryAfter)
                else { throw error }
                do { try await pause(delay) } catch { throw ODataError(noResponse: error, isEdit: false) }
            }
        }
    }

    private func file(_ content: ByteContent) -> ArcGISRequest.File {
        .init(field: "file", name: details.name, contentType: details.contentType, content: content)
    }

    private func post(
        _ operation: String, _ parameters: [ArcGISRequest.Parameter] = [], file: ArcGISRequest.File? = nil
    ) async throws -> JSONNode {
        let request = ArcGISRequest(
            path: "uploads/\(operation)", method: .post, parameters: parameters, file: file)
        let response = try await service.response(to: request)
        if response.member("success")?.boolean == false, var error = ODataError(row: response) {
            error.request = request.name(below: service.root)
            throw error
        }
        return response
    }

    /// `{"success":true,"item":{"itemID":"ib740c7bb-…","committed":false}}`
    private func id(_ response: JSONNode) throws -> String {
        guard let id = response.member("item")?.member("itemID")?.text, !id.isEmpty else {
            throw ODataError(.invalidResponse, "The service gave the upload of \(details.name) no id.")
        }
        return id
    }

    /// `ib740c7bb/commit`
    private static func path(_ item: String, _ operation: String) -> String { "\(percentEncoded(item))/\(operation)" }
}
