import HTTPTypes
import ODataTransport

/// The context of a request beside its message, a value that is passed with the request from the server through all
/// responders to the service.
public struct ResponderContext: Sendable {
    /// The address that the connection comes from, set by the server; nil where there is no connection.
    public var address: String?
    /// The user who has sent the request, as a name without secrets; nil if no credentials were required.
    ///
    /// An ``AuthenticatingResponder`` sets it, or a responder of the app that checks credentials in another way.
    /// Uploads, responses to asynchronous requests and results of repeatable requests belong to their user.
    public var user: String?
    /// The origin of the page that has sent the request, where the policy of a ``CrossOriginResponder`` allows it.
    package var allowedOrigin: String?
    /// Ends work when the client leaves; nil where a departure is not noticed.
    package var departure: ClientDeparture?
    /// Sends responses that come before the response, `104 Upload Resumption Supported`; nil where they cannot be sent.
    package var sendInterim: (@Sendable (HTTPResponse) -> Void)?

    /// A request of which nothing is known: without a connection, a user and a client that may leave.
    public init() {}

    /// The user, or else the address.
    var sender: String? { user ?? address }

    /// The context of work that is done though the client leaves.
    var withoutClient: ResponderContext {
        var context = self
        (context.departure, context.sendInterim) = (nil, nil)
        return context
    }

    /// Does `work`, which is cancelled when the client leaves.
    func ending<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let departure else { return try await work() }
        return try await departure.ending(work)
    }
}

extension HTTPRequest {
    /// Whether an interim response may come to it.
    package var takesInterimResponses: Bool { headerFields.contains(.uploadComplete) }
}
