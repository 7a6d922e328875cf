import ByteStreams
import HTTPTypes
import ODataFormats
import ODataTransport

/// A request on its way to the service.
struct OutgoingRequest: Sendable {
    var method: HTTPRequest.Method
    var url: AbsoluteURL
    var fields: HTTPFields
    var body: ByteContent?
    /// Statuses that are a response and no error.
    var accepted: Set<Int>
    var dialect: ProtocolDialect
    var cacheUse = CacheUse.none
    /// Whether the service carries out a repeated request once; nil where only its responses report.
    var isRecognizedAgain: Bool?
    /// What the parts of a batch change.
    var changedURLs: [AbsoluteURL] = []

    init(
        _ method: HTTPRequest.Method, _ url: AbsoluteURL, fields: HTTPFields = [:], body: ByteContent? = nil,
        accepted: Set<Int> = [200], dialect: ProtocolDialect = .v4
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.accepted = accepted
        self.dialect = dialect
    }

    /// `GET http://host/root/Products`: for errors. A URL holds no credentials here.
    var name: String { "\(method.rawValue) \(url)" }

    /// Whether the service does something, so that it matters if the request arrived.
    var isChange: Bool { method != .get && method != .head }
}

/// What a request has to do with the cache of responses.
enum CacheUse: Hashable, Sendable {
    /// Passes it by.
    case none
    /// The service is asked, with the ETag of what is kept; its response is kept.
    case asking
    /// As ``asking``, and where the service cannot be reached what is kept is taken.
    case askingFirst
    /// The service is not asked.
    case only
}
