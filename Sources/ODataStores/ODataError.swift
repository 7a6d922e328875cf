import ODataModel

/// Why a store did not do what it was asked.
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

    /// What programs decide by, whatever store or service answered.
    public var code: Code
    /// One or two sentences: what was wrong, where, and what to do.
    public var message: String
    /// The HTTP status, if an HTTP service answered.
    public var status: Int?
    /// The error object of the service's response; nil where no service answered, or without such an object.
    public var service: ServiceError?
    /// Method and URL of the request it belongs to.
    public var request: String?
    /// Which request of a change set failed, from 0.
    public var requestIndex: Int?
    /// Seconds to wait before the request is tried again, from `Retry-After`.
    public var retryAfter: Int?
    /// How many bytes the stream has of which none were in the range asked for, where known.
    package var streamLength: Int64?
    /// The request may have been executed without a response, or was executed and its response could not be read.
    public var isOutcomeUnknown = false
    /// As ``ChangeResult/unproven``, of a success that is too unlike one of OData's to be taken for it.
    package var unproven: String?
    /// The id, or else the path, of an entity that was made before what the error tells of: it is not to be created again.
    public var createdID: String?
    /// The service says that it honoured ``ChangeRequest/repeatability``: it refuses repetitions of the request likewise.
    package var isRepeatable = false
    /// The error that is below, as of the transport, of bytes, a format or a query; nil where there is none.
    public var cause: (any Error)?

    /// An error without a status and request; its outcome is known.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// A stream of this length has none of the bytes that were asked for.
    package static func rangeNotSatisfiable(length: Int64) -> ODataError {
        var error = ODataError(
            .rangeNotSatisfiable, "The stream has \(length) bytes and none in the range asked for.")
        error.streamLength = length
        return error
    }

    /// A creation of media entities from properties alone, which a service would take for the stream.
    ///
    /// [OData-Protocol, section 11.4.7.1]
    package static func needsStream(_ collection: String) -> ODataError {
        ODataError(
            .badRequest,
            "\(collection) has media entities, which are made with their streams: createMedia, or 'odata store media "
                + "create --properties'.")
    }

    public var description: String {
        var text = message
        if let request { text += " [\(request)]" }
        return text
    }
}
