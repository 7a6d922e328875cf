import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataStores
import ODataTransport

/// A request that is refused or fails: what every error becomes before it is sent.
struct ServiceFailure: Error {
    var status: HTTPResponse.Status
    var error: ServiceError
    var headers: HTTPFields

    init(
        _ status: HTTPResponse.Status, code: String? = nil, _ message: String, target: String? = nil,
        headers: HTTPFields = [:]
    ) {
        self.status = status
        error = ServiceError(code: code ?? Self.code(of: status), message: message, target: target)
        self.headers = headers
    }

    /// `424`: something that the request depends on has failed.
    static func failedDependency(_ message: String) -> ServiceFailure {
        ServiceFailure(.init(code: 424, reasonPhrase: "Failed Dependency"), message)
    }

    /// `405` with the methods that are allowed.
    static func methodNotAllowed(_ method: HTTPRequest.Method, allowed: [HTTPRequest.Method]) -> ServiceFailure {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return ServiceFailure(
            .methodNotAllowed, "\(method.rawValue) is not for this resource; allowed: \(names).",
            headers: [.allow: names])
    }

    /// The failure of a request with `headers`: what they make of it for the client.
    ///
    /// Nothing is kept of a request that failed, so that its outcome would not be repeated.
    func explained(for headers: HTTPFields) -> ServiceFailure {
        var failure = self
        if headers.asksForRepeatability { failure.headers[.repeatabilityResult] = "rejected" }
        if status == .preconditionFailed, headers[.ifMatch] == "*" {
            failure.error.message = "There is no such entity (or stream of it), and If-Match is *."
        }
        return failure
    }

    /// `404 Not Found` → `notFound`
    private static func code(of status: HTTPResponse.Status) -> String {
        let words = status.reasonPhrase.split { !$0.isLetter }
        guard let first = words.first else { return "error" }
        return first.lowercased() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// `{"error":{"code":"notFound","message":"…"}}`
    var response: ServiceResponse {
        ServiceResponse(
            status, headers: languageHeaders, contentType: "application/json;odata.metadata=minimal",
            body: ByteContent(bytes))
    }

    /// The headers with the language of the messages, which are all in English.
    var languageHeaders: HTTPFields {
        var headers = headers
        headers[.contentLanguage] = "en"
        return headers
    }

    var bytes: [UInt8] { JSONPayload.bytes(error: error) }
}
