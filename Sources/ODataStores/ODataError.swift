import ODataModel

/// An error of a store or a service.
public struct ODataError: Error, Sendable, CustomStringConvertible {
    /// An open set; the service's own codes are in ``ServiceError/code``.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for logs and the error archive: that of the constant, such as `notFound`.
        public let name: String
        /// A code of the app's own, for a store of the app's own; the same name is the same code.
        public init(_ name: String) { self.name = name }
        /// The ``name``.
        public var description: String { name }

        /// The request is wrong: syntax, unknown name, type, constraint. 400
        public static let badRequest = Code("badRequest")
        /// The service requires credentials, or a token against forged requests that cannot be fetched: all other
        /// requests would be refused too. 401, 407, 403 with `X-CSRF-Token: Required`
        public static let unauthorized = Code("unauthorized")
        /// 403
        public static let forbidden = Code("forbidden")
        /// No such entity or resource. 404
        public static let notFound = Code("notFound")
        /// The method is not for this resource: a read-only set. 405
        public static let methodNotAllowed = Code("methodNotAllowed")
        /// A unique or foreign key constraint, or a state that does not allow it. 409
        public static let conflict = Code("conflict")
        /// The delta token or next link is not known any more: read again from the start. 410
        public static let gone = Code("gone")
        /// An ETag does not match. 412
        public static let preconditionFailed = Code("preconditionFailed")
        /// 413
        public static let tooLarge = Code("tooLarge")
        /// 415
        public static let unsupportedMediaType = Code("unsupportedMediaType")
        /// 416
        public static let rangeNotSatisfiable = Code("rangeNotSatisfiable")
        /// Not executed, because another request of the same batch failed: it can be sent again. 424
        public static let failedDependency = Code("failedDependency")
        /// A batch was refused as a whole, and nothing of it executed: its parts can be sent one by one.
        public static let batchRefused = Code("batchRefused")
        /// An ETag is required. 428
        public static let preconditionRequired = Code("preconditionRequired")
        /// 5xx of the service, or a failure inside a store.
        public static let internalError = Code("internalError")
        /// The store does not support what the message names. 501
        public static let notImplemented = Code("notImplemented")
        /// The service cannot be reached.
        public static let unreachable = Code("unreachable")
        /// The response is not OData, or not what the model says.
        public static let invalidResponse = Code("invalidResponse")
        /// The stream is not in the offline store.
        public static let mediaNotInStore = Code("mediaNotInStore")
        /// The folder or file is not a store, of a newer version, or in use.
        public static let unusableStore = Code("unusableStore")
        /// The store was encrypted with another key.
        public static let wrongKey = Code("wrongKey")
        /// The store is encrypted, and no key was given.
        public static let keyNeeded = Code("keyNeeded")
        /// The service's metadata have changed in a way that what the store holds does not fit any more.
        public static let metadataChanged = Code("metadataChanged")
        /// Disk full, permission, input or output error.
        public static let storage = Code("storage")
        /// Another program holds the file for the moment: try again after ``ODataError/retryAfter``. 503
        public static let busy = Code("busy")
        /// The store or the task was closed or cancelled.
        public static let cancelled = Code("cancelled")
    }

    /// What a caller acts on, independent of the store or service: see the table in <doc:ErrorsAndUndo>.
    public var code: Code
    /// One or two sentences for the user: what was wrong, where, and what to do.
    public var message: String
    /// The HTTP status, if an HTTP service has responded.
    public var status: Int?
    /// The error object of the service's response: its own code, the property in error, and details. Nil without a
    /// response, or for a response without an error object.
    public var service: ServiceError?
    /// Method and URL of the request that failed: `GET http://host/service/Products(9)`
    public var request: String?
    /// The position, from 0, of the request of a change set that failed; nil for other requests.
    public var requestIndex: Int?
    /// Seconds to wait before the request is sent again, from `Retry-After`.
    public var retryAfter: Int?
    /// Whether the request may have been executed: the connection ended without a response, or the response could not be
    /// read. Read the entity before the change is sent again.
    public var isOutcomeUnknown = false
    /// The id, or else the path, of an entity that was created before the error occurred: do not create it again.
    public var createdID: String?
    /// The underlying error of the transport, of a stream, a format, a query or the database; nil if there is none.
    public var cause: (any Error)?
    /// Details of the response for the layers above a store.
    package var facts = Facts()

    package struct Facts: Sendable {
        /// The length of the stream in bytes if none of them are in the requested range, where known.
        package var streamLength: Int64?
        /// As ``ChangeResult/unproven``, of a success response that may be of another server than the service.
        package var unproven: String?
        /// Whether the service returns the same response to repetitions: it has recognised
        /// ``ChangeRequest/repeatability``.
        package var isRepeatable = false
        /// The errors of all defining queries that failed in a download, where these are several.
        package var queryErrors: [(query: String, message: String)] = []
    }

    /// An error without a status and request; its outcome is known.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// `notFound: There is no Products(9). [GET http://host/service/Products(9)] (caused by …)`
    ///
    /// A cause whose text is in the message already is not repeated. For a text without the code use ``message``.
    public var description: String {
        var text = "\(code): \(summary)"
        if let cause, case let reason = "\(cause)", !isIncluded(reason) { text += " (caused by \(reason))" }
        return text
    }

    /// `There is no Products(9). [GET http://host/service/Products(9)]`: without the code and the cause.
    package var summary: String { message + (request.map { " [\($0)]" } ?? "") }

    private func isIncluded(_ reason: String) -> Bool {
        message.contains(reason) || (cause as? ODataError).map { message.contains($0.message) } ?? false
    }
}
