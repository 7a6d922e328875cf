import ByteStreams
import HTTPTypes
import ODataQuery
import ODataStores
import ODataTransport

/// A request to a service: parameters that are sent in the URL, or in a form.
///
/// ```
/// GET  …/FeatureServer/0/12/attachments?f=json
/// POST …/FeatureServer/0/12/deleteAttachments      f=json&attachmentIds=409
/// ```
struct ArcGISRequest: Sendable {
    struct Parameter: Hashable, Sendable {
        var name: String
        var value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A file in a form.
    struct File: Sendable {
        /// Of the field: `attachment`.
        var field: String
        var name: String
        var contentType: String
        /// Can be read many times.
        var content: ByteContent
    }

    enum Method: Sendable {
        /// POST where the URL would be too long.
        case get
        case post
    }

    /// Below the service: `0/12/attachments`
    var path: String
    var method = Method.get
    var parameters: [Parameter] = []
    var file: File?
    /// Whether the service keeps something other than before if it carries the request out.
    var isEdit = false

    /// For messages: no parameters, which may be secrets.
    func name(below root: AbsoluteURL) -> String {
        "\(method == .get && file == nil ? "GET" : "POST") \(url(below: root))"
    }

    func url(below root: AbsoluteURL) -> AbsoluteURL { root.with(target: "\(root.path)/\(path)") }

    /// What is sent.
    ///
    /// - Parameters:
    ///   - root: The service, without a slash at its end.
    ///   - more: Parameters behind those of the request.
    ///   - longestURL: In characters: a longer one becomes a POST.
    /// - Throws: ``ODataError`` `badRequest` if the type of a file cannot be sent.
    func message(
        below root: AbsoluteURL, with more: [Parameter], longestURL: Int
    ) throws(ODataError) -> (request: HTTPRequest, body: ByteContent?) {
        let url = url(below: root)
        let parameters = parameters + more
        if let file {
            let form = try MultipartForm(parameters, file)
            var request = HTTPRequest(method: .post, url: url)
            request.headerFields[.contentType] = form.contentType
            return (request, form.content)
        }
        let text = Self.form(parameters)
        if method == .get {
            let long = text.isEmpty ? url : url.with(target: "\(url.target)?\(text)")
            if long.description.utf8.count <= longestURL { return (HTTPRequest(method: .get, url: long), nil) }
        }
        var request = HTTPRequest(method: .post, url: url)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return (request, ByteContent(Array(text.utf8)))
    }

    /// `f=json&objectIds=1%2C2`
    static func form(_ parameters: [Parameter]) -> String {
        parameters.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
    }
}
